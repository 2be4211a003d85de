// Well MODE: a Java program that is well, and waits or works in one of the ways that they do.
import java.net.*;
import java.nio.channels.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Well {
	static final Object lock = new Object();
	static final ReentrantLock fair = new ReentrantLock(true);

	static Thread start(Runnable r) {
		Thread t = new Thread(r);
		t.start();
		return t;
	}

	static void sleep(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new RuntimeException(e);
		}
	}

	static volatile long sink;

	static void compute() {
		for (long i = 0; ; i++) sink += i * i % 7;
	}

	public static void main(String[] args) throws Exception {
		switch (args[0]) {
		case "sleep": sleep(99999); break;
		case "wait": synchronized (lock) { lock.wait(); } break;
		case "park": LockSupport.park(); break;
		case "accept": new ServerSocket(0, 5, InetAddress.getLoopbackAddress()).accept(); break;
		case "select": { Selector s = Selector.open(); s.select(); break; }
		case "read": System.in.read(); break;
		case "queue": new LinkedBlockingQueue<String>().take(); break;
		case "pool": {
			ExecutorService p = Executors.newFixedThreadPool(8);
			for (int i = 0; i < 8; i++) p.submit(() -> 1).get();
			sleep(99999);
			break;
		}
		case "scheduled": Executors.newScheduledThreadPool(2).scheduleAtFixedRate(() -> sink++, 1, 100000, TimeUnit.SECONDS); break;
		case "forkjoin": { ForkJoinPool.commonPool().submit(() -> sleep(99999)).join(); break; }
		case "contended": { // one holds the monitor and sleeps; four wait for it
			start(() -> { synchronized (lock) { sleep(99999); } });
			sleep(200);
			for (int i = 0; i < 4; i++) start(() -> { synchronized (lock) { sink++; } });
			sleep(99999);
			break;
		}
		case "contended-lock": {
			start(() -> { fair.lock(); sleep(99999); });
			sleep(200);
			for (int i = 0; i < 4; i++) start(() -> { fair.lock(); sink++; });
			sleep(99999);
			break;
		}
		case "nested": { // two locks in the same order
			final Object a = new Object(), b = new Object();
			for (int i = 0; i < 2; i++) start(() -> { synchronized (a) { synchronized (b) { sleep(99999); } } });
			sleep(99999);
			break;
		}
		case "join": start(() -> sleep(99999)).join(); break;
		case "latch": new CountDownLatch(1).await(); break;
		case "exec": new ProcessBuilder("sleep", "99").start().waitFor(); break;
		case "threads": for (int i = 0; i < 200; i++) start(() -> sleep(99999)); sleep(99999); break;
		case "caught": {
			for (int i = 0; i < 3; i++) try { Object o = null; o.hashCode(); } catch (NullPointerException e) { sink++; }
			try { deep(0); } catch (StackOverflowError e) { sink++; }
			sleep(99999);
			break;
		}
		case "full-caught": {
			try { List<byte[]> all = new ArrayList<>(); for (;;) all.add(new byte[1 << 20]); } catch (OutOfMemoryError e) { sink++; }
			sleep(99999);
			break;
		}
		case "works": compute(); break;
		case "works-pool": for (int i = 0; i < 4; i++) start(Well::compute); compute(); break;
		case "collects": { Object[] ring = new Object[1000]; for (int i = 0; ; i++) ring[i % 1000] = new byte[1000]; }
		}
	}

	static int deep(int n) { return deep(n + 1) + 1; }
}
