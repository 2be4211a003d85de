import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/**
 * Virtual threads that wait in all the ways that Java has, for a core that says of them what the program has printed: of each its number, name,
 * state and stack. It says "ready" when all of them stand still. It is compiled for Java 8, so that it starts them by reflection.
 */
public class Virtual {
	static volatile long count;
	static volatile boolean go, up;
	static final Object held = new Object(), calm = new Object(), blocker = new Object();
	static final ReentrantLock first = new ReentrantLock(), second = new ReentrantLock(), free = new ReentrantLock();
	static final CountDownLatch standing = new CountDownLatch(2), never = new CountDownLatch(1), holding = new CountDownLatch(1);
	static final LinkedBlockingQueue<Object> queue = new LinkedBlockingQueue<>();
	static final List<Thread> all = new ArrayList<>();

	static Thread start(String name, Runnable r) throws Exception {
		Class<?> b = Class.forName("java.lang.Thread$Builder"), v = Class.forName("java.lang.Thread$Builder$OfVirtual");
		Object builder = v.getMethod("name", String.class).invoke(Thread.class.getMethod("ofVirtual").invoke(null), name);
		Thread t = (Thread) b.getMethod("start", Runnable.class).invoke(builder, r);
		all.add(t);
		return t;
	}

	static void sleep(long millis) {
		try {
			Thread.sleep(millis);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void park() {
		while (true)
			LockSupport.park(blocker);
	}

	static long work(int n, long a, double b, Object c) { return n == 0 ? bottom(a) : work(n - 1, a + 1, b * 2, c) + more(n - 1); }

	static long more(int n) { return n * 3 + count; }

	static long bottom(long a) {
		park();
		return a;
	}

	/** Goes down, waits there, and comes up a bit to go down again. */
	static long twice(int n, int turn) {
		if (n == 0) {
			while (!up)
				LockSupport.parkNanos(1000000);
			return 1;
		}
		long r = twice(n - 1, turn);
		if (n == 20 && turn == 0)
			r += work(30, r, 1.5, "twice");
		return r;
	}

	/** Goes down, waits there, and runs on there. */
	static long busy(int n) {
		if (n > 0)
			return busy(n - 1) + more(n);
		while (!go)
			LockSupport.parkNanos(1000000);
		spin();
		return 1;
	}

	static void spin() {
		while (true)
			count++;
	}

	static class Late {
		static int value = 1;
		static { park(); }
	}

	static void cross(Lock a, Lock b) {
		a.lock();
		standing.countDown();
		try {
			standing.await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
		b.lock();
	}

	static void await(CountDownLatch l) {
		try {
			l.await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] args) throws Exception {
		start("parked", Virtual::park);
		start("", Virtual::park);
		start("deep", () -> work(60, 1, 2, "deep"));
		start("deeper", () -> work(600, 1, 2, "deeper"));
		start("sleeper", () -> sleep(100000000));
		start("taker", () -> {
			try {
				queue.take();
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		});
		start("latch", () -> await(never));
		start("one", () -> cross(first, second));
		start("two", () -> cross(second, first));
		start("holder", () -> {
			synchronized (held) {
				holding.countDown();
				await(never);
			}
		});
		await(holding);
		start("blocked", () -> {
			synchronized (held) {
				count++;
			}
		});
		start("waiter", () -> {
			synchronized (calm) {
				try {
					calm.wait();
				} catch (InterruptedException e) {
					throw new IllegalStateException(e);
				}
			}
		});
		start("initialiser", () -> count += Late.value);
		start("twice", () -> twice(60, 0));
		start("spinner", () -> busy(80));
		start("runner", Virtual::spin);
		for (int i = 0; i < 20; i++)
			start("pool-" + i, () -> await(never));
		Thread short1 = start("ended", () -> count++);
		short1.join();
		all.remove(short1);
		sleep(1000);
		System.gc();
		up = true;
		sleep(500);
		System.gc();
		go = true;
		sleep(1000);
		StringBuilder text = new StringBuilder();
		for (Thread t : all) {
			text.append("virtual #" + Thread.class.getMethod("threadId").invoke(t) + " \"" + t.getName() + "\" " + t.getState() + "\n");
			for (StackTraceElement e : t.getStackTrace())
				text.append("\tvt " + e.getClassName() + "." + e.getMethodName() + (e.getLineNumber() > 0 ? " " + e.getFileName() + ":" + e.getLineNumber() : "") + "\n");
		}
		System.out.print(text);
		System.out.println("ready");
		sleep(100000000);
	}
}
