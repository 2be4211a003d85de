import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
import java.util.function.*;

/**
 * Threads in all the ways that Java waits, for a core whose stacks the JVM has printed just before:
 * it has itself asked for a thread dump (SIGQUIT), and dies of a signal from outside. The thread
 * "spinner" runs meanwhile, all others wait. The argument is libscene.so, made of scene.c.
 */
public class Scene {
	static volatile boolean go = true;
	static volatile long count;
	static final Object lock = new Object(), one = new Object(), two = new Object();
	static final ReentrantLock first = new ReentrantLock(), second = new ReentrantLock();

	static void nap() {
		try {
			Thread.sleep(1000000);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void start(String name, Runnable r) {
		Thread t = new Thread(r, name);
		t.setDaemon(true);
		t.start();
	}

	static int depth(int n, long a, double b, Object c) { return n == 0 ? bottom() : depth(n - 1, a + 1, b * 2, c) + 1; }

	static int bottom() {
		nap();
		return 1;
	}

	static class Late {
		static int value = 1;
		static { nap(); }
	}

	static void caught(int n) {
		try {
			thrower(n);
		} catch (RuntimeException e) {
			nap();
		} finally {
			count++;
		}
	}

	static void thrower(int n) {
		if (n > 0)
			thrower(n - 1);
		throw new RuntimeException("thrown at " + n);
	}

	interface Shape { double area(); }
	record Square(double side) implements Shape {
		public double area() {
			nap();
			return side * side;
		}
	}
	static class Circle implements Shape {
		public double area() { return count; }
	}

	static double total(List<Shape> shapes) {
		double sum = 0;
		for (Shape s : shapes)
			sum += s.area();
		return sum;
	}

	static class Locker {
		synchronized void outer() { inner(); }
		synchronized void inner() { nap(); }
	}

	static void cross(Object a, Object b, CountDownLatch both) {
		synchronized (a) {
			both.countDown();
			await(both);
			synchronized (b) {
				count++;
			}
		}
	}

	static void cross(Lock a, Lock b, CountDownLatch both) {
		a.lock();
		both.countDown();
		await(both);
		b.lock();
	}

	static void await(CountDownLatch l) {
		try {
			l.await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static int small(int x) { return x * 31 + 7; }

	static int medium(int x) {
		int y = small(x);
		if (y % 1000003 == 5)
			count++;
		return y ^ small(y);
	}

	static void spin() {
		int x = 1;
		while (go)
			x = medium(x);
		count = x;
	}

	static void warm() {
		for (int i = 0; i < 200000; i++)
			count += warmed(i, i & 1);
	}

	static int warmed(int i, int last) { return inner(i + last) + 1; }

	static int inner(int i) {
		if (i < 0)
			nap();
		return i & 7;
	}

	static class Item implements Comparable<Item> {
		final int n;
		Item(int n) { this.n = n; }
		public int compareTo(Item o) {
			if (n == 3)
				nap();
			return Integer.compare(n, o.n);
		}
	}

	public static void reflected(String s, int n) { nap(); }

	static native void into(int n);
	static void back(int n) {
		if (n > 0)
			into(n - 1);
		else
			nap();
	}

	public static void main(String[] args) throws Exception {
		start("depth", () -> depth(40, 1L, 2.5, lock));
		start("deep", () -> depth(900, 1L, 2.5, lock));
		start("initialiser", () -> count += Late.value);
		start("catcher", () -> caught(5));
		start("shapes", () -> total(List.of(new Circle(), new Square(2))));
		start("locker", () -> new Locker().outer());
		start("spinner", Scene::spin);
		start("warm", () -> {
			warm();
			warmed(-5, 1);
		});
		start("parker", LockSupport::park);
		start("waiter", () -> {
			synchronized (lock) {
				try {
					lock.wait();
				} catch (InterruptedException e) {
					count++;
				}
			}
		});
		start("timed", () -> {
			synchronized (one.getClass()) {
				try {
					Scene.class.wait(1);
				} catch (Exception e) {
					nap();
				}
			}
		});
		CountDownLatch a = new CountDownLatch(2), b = new CountDownLatch(2);
		start("monitor-1", () -> cross(one, two, a));
		start("monitor-2", () -> cross(two, one, a));
		start("lock-1", () -> cross(first, second, b));
		start("lock-2", () -> cross(second, first, b));
		start("stream", () -> List.of(3, 1, 2).stream().map(x -> x + 1).filter(x -> x > 2).forEach(x -> nap()));
		start("sorter", () -> {
			Item[] items = new Item[10];
			for (int i = 0; i < 10; i++)
				items[i] = new Item(9 - i);
			Arrays.sort(items);
		});
		start("reflect", () -> {
			try {
				Scene.class.getMethod("reflected", String.class, int.class).invoke(null, "x", 1);
			} catch (ReflectiveOperationException e) {
				count++;
			}
		});
		start("accept", () -> {
			try (java.net.ServerSocket s = new java.net.ServerSocket(0)) {
				s.accept();
			} catch (java.io.IOException e) {
				count++;
			}
		});
		start("queue", () -> {
			try {
				new ArrayBlockingQueue<String>(1).take();
			} catch (InterruptedException e) {
				count++;
			}
		});
		if (args.length > 0) {
			System.load(args[0]);
			start("jni", () -> back(3));
		}
		ExecutorService pool = Executors.newFixedThreadPool(3, r -> {
			Thread t = new Thread(r);
			t.setDaemon(true);
			return t;
		});
		pool.submit(() -> nap());
		pool.submit(() -> 1).get();
		CompletableFuture.runAsync(() -> CompletableFuture.supplyAsync(() -> {
			nap();
			return 1;
		}).join());
		Thread.sleep(3000);
		String pid = Long.toString(ProcessHandle.current().pid());
		new ProcessBuilder("sh", "-c", "sleep 2; kill -QUIT " + pid + "; sleep 2; kill -ABRT " + pid + "; sleep 5").start();
		Thread.sleep(60000);
	}
}
