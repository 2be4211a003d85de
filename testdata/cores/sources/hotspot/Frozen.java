import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/**
 * Virtual threads that are parked, each with a cargo that only a variable of its has, and as many cargoes that nothing has any more. It
 * says "ready" when all of them stand still.
 */
public class Frozen {
	static class Cargo {
		final byte[] weight = new byte[20000];
		final int number;

		Cargo(int number) { this.number = number; }
	}

	static class Dropped {
		final byte[] weight = new byte[1000];
	}

	static volatile long sum;
	static volatile Cargo last;
	static final CountDownLatch parked = new CountDownLatch(200), never = new CountDownLatch(1);
	static final List<Thread> all = new ArrayList<>();

	static void carry(int number) {
		Cargo cargo = new Cargo(number);
		sum += new Dropped().weight.length;
		parked.countDown();
		hold(10);
		last = cargo; // so that a compiler makes the object
	}

	static void hold(int depth) {
		if (depth > 0) {
			hold(depth - 1);
			return;
		}
		while (true) {
			try {
				never.await();
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}
	}

	public static void main(String[] args) throws Exception {
		Class<?> b = Class.forName("java.lang.Thread$Builder");
		for (int i = 0; i < 200; i++) {
			int number = i;
			Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
			all.add((Thread) b.getMethod("start", Runnable.class).invoke(builder, (Runnable) () -> carry(number)));
		}
		parked.await();
		Thread.sleep(1000);
		System.gc();
		new Dropped();
		System.out.println("ready");
		Thread.sleep(1000000);
	}
}
