import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/**
 * Threads that hold and wait for locks in all the ways that Java has, for a core whose thread dump the JVM has printed just before it died.
 * It says "ready" when all of them stand still. It is compiled for Java 8.
 */
public class Locks {
	static volatile long count;
	static final Object lock = new Object(), one = new Object(), two = new Object(), calm = new Object(), outer = new Object();
	static final ReentrantLock first = new ReentrantLock(), second = new ReentrantLock();
	static final ReentrantReadWriteLock both = new ReentrantReadWriteLock();
	static final CountDownLatch standing = new CountDownLatch(4), never = new CountDownLatch(1);

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
		if (name.equals("calm"))
			t.setPriority(7);
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

	static class Locker {
		synchronized void outer() { inner(); }
		synchronized void inner() { nap(); }
		static synchronized void shared() { nap(); }
	}

	static void cross(Object a, Object b) {
		synchronized (a) {
			meet();
			synchronized (b) {
				count++;
			}
		}
	}

	static void cross(Lock a, Lock b) {
		a.lock();
		meet();
		b.lock();
	}

	static void meet() {
		standing.countDown();
		await(standing);
	}

	static void await(CountDownLatch l) {
		try {
			l.await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void nested(Object a, Object b, int n) {
		synchronized (a) {
			synchronized (b) {
				synchronized (a) {
					if (n > 0)
						nested(b, a, n - 1);
					else
						nap();
				}
			}
		}
	}

	static int small(int x) { return x * 31 + 7; }

	static void spin() {
		int x = 1;
		for (;;)
			count = x = small(x);
	}

	public static void main(String[] args) throws Exception {
		start("depth", () -> depth(200, 1L, 2.5, lock));
		start("initialiser", () -> count += Late.value);
		start("initialised", () -> count += Late.value);
		start("locker", () -> new Locker().outer());
		start("shared", Locker::shared);
		Thread.sleep(300);
		start("shut out", Locker::shared);
		start("calm", () -> nested(calm, outer, 2));
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
			synchronized (lock) {
				try {
					lock.wait(1000000);
				} catch (InterruptedException e) {
					count++;
				}
			}
		});
		start("monitor-1", () -> cross(one, two));
		start("monitor-2", () -> cross(two, one));
		start("lock-1", () -> cross(first, second));
		start("lock-2", () -> cross(second, first));
		start("latch", () -> await(never));
		start("reader", () -> {
			both.readLock().lock();
			nap();
		});
		Thread.sleep(300);
		start("writer", () -> both.writeLock().lock());
		start("sorter", () -> {
			Integer[] items = { 3, 1, 2 };
			Arrays.sort(items, (a, b) -> {
				nap();
				return a - b;
			});
		});
		ExecutorService pool = Executors.newFixedThreadPool(1, r -> {
			Thread t = new Thread(r, "pool");
			t.setDaemon(true);
			return t;
		});
		pool.submit(() -> pool.submit(() -> 1).get());
		if (args.length > 0)
			start("spinner", Locks::spin);
		Thread.sleep(2000);
		System.out.println("ready");
		Thread.sleep(1000000);
	}
}
