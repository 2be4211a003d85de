import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/**
 * Deadlocks and starvations as programs are reported to have them. The property "mode" names the one that happens. It says "ready"
 * when all threads stand still.
 */
public class Stuck {
	static final Object first = new Object(), second = new Object();
	static final ReentrantLock lock = new ReentrantLock(), other = new ReentrantLock();
	static final ReentrantReadWriteLock table = new ReentrantReadWriteLock();
	static final CountDownLatch both = new CountDownLatch(2);

	/** Takes a mutex of C, and calls back under it if body is not null. */
	static native void guarded(Body body);

	interface Body { void run() throws Exception; }

	static Thread start(String name, Body body) {
		Thread t = new Thread(() -> {
			try {
				body.run();
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
		}, name);
		t.start();
		return t;
	}

	static void meet() throws Exception {
		both.countDown();
		both.await();
	}

	/** Two accounts are locked in the order of a transfer. */
	static void transfer(Object from, Object to) throws Exception {
		synchronized (from) {
			meet();
			synchronized (to) {
				System.out.println("transferred");
			}
		}
	}

	static void monitors() {
		start("transfer-1", () -> transfer(first, second));
		start("transfer-2", () -> transfer(second, first));
	}

	static void lockBoth(Lock a, Lock b) throws Exception {
		a.lock();
		meet();
		b.lock();
	}

	static void locks() {
		start("order", () -> lockBoth(lock, other));
		start("invoice", () -> lockBoth(other, lock));
	}

	/** A callback is called under a lock, and takes a monitor. */
	static void mixed() {
		start("callback", () -> {
			lock.lock();
			meet();
			synchronized (first) {
				System.out.println("called");
			}
		});
		start("caller", () -> {
			synchronized (first) {
				meet();
				lock.lock();
			}
		});
	}

	/** A read lock cannot become a write lock. */
	static void upgrade() {
		start("upgrade", () -> {
			table.readLock().lock();
			table.writeLock().lock();
		});
	}

	static void pool() {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		for (int i = 0; i < 2; i++)
			pool.submit(() -> {
				meet();
				return pool.submit(() -> 1).get();
			});
	}

	static void future() {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		for (int i = 0; i < 2; i++)
			CompletableFuture.supplyAsync(() -> {
				try {
					meet();
				} catch (Exception e) {
					throw new IllegalStateException(e);
				}
				return CompletableFuture.supplyAsync(() -> 1, pool).join();
			}, pool);
	}

	/** Work of the common pool joins a future that is never completed: its callback has thrown. */
	static void common() throws Exception {
		System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "2");
		CompletableFuture<String> answer = new CompletableFuture<>();
		for (int i = 0; i < 2; i++)
			CompletableFuture.runAsync(() -> {
				both.countDown();
				answer.join();
			});
		both.await();
		CompletableFuture.runAsync(() -> { throw new IllegalStateException("no answer"); });
	}

	static class Parent {
		static final int size = after(() -> Child.count);
	}

	static class Child {
		static final int count = after(() -> Parent.size);
	}

	static int after(Callable<Integer> then) {
		try {
			meet();
			return then.call();
		} catch (Exception e) {
			throw new IllegalStateException(e);
		}
	}

	static void classes() {
		start("parent", () -> System.out.println(Parent.size));
		start("child", () -> System.out.println(Child.count));
	}

	/** An early return has not given the permits back. */
	static void semaphore() throws Exception {
		Semaphore permits = new Semaphore(2);
		permits.acquire(2);
		for (int i = 1; i <= 3; i++)
			start("request-" + i, permits::acquire);
	}

	/** A worker ends with an exception, and does not count down. */
	static void latch() {
		CountDownLatch done = new CountDownLatch(2);
		start("worker-1", done::countDown);
		start("worker-2", () -> Thread.currentThread().interrupt());
		start("collector", done::await);
	}

	/** The only consumer puts into the queue that it takes from. */
	static void queue() throws Exception {
		BlockingQueue<String> jobs = new ArrayBlockingQueue<>(2);
		start("consumer", () -> {
			for (;;) {
				String job = jobs.take();
				jobs.put(job + " retry");
				jobs.put(job + " audit");
			}
		});
		start("producer", () -> {
			for (;;)
				jobs.put("job");
		});
	}

	static void join() throws Exception {
		Thread[] pair = new Thread[2];
		pair[0] = start("saver", () -> {
			meet();
			pair[1].join();
		});
		pair[1] = start("loader", () -> {
			meet();
			pair[0].join();
		});
	}

	/** The signal came before the wait. */
	static void signal() throws Exception {
		synchronized (first) {
			first.notifyAll();
		}
		start("listener", () -> {
			synchronized (first) {
				first.wait();
			}
		});
	}

	static class Connection {
	}

	/** Each request has one connection of the pool, and asks for a second one. */
	static class Pool {
		final BlockingQueue<Connection> idle = new LinkedBlockingQueue<>();

		Pool(int n) {
			for (int i = 0; i < n; i++)
				idle.add(new Connection());
		}

		Connection borrow() throws InterruptedException { return idle.take(); }
		void giveBack(Connection c) { idle.add(c); }
	}

	static void handle(Pool pool) throws Exception {
		Connection outer = pool.borrow();
		meet();
		Connection inner = pool.borrow();
		pool.giveBack(inner);
		pool.giveBack(outer);
	}

	/** A thread with a monitor waits in native code for a mutex. The mutex's owner calls back, for the monitor. */
	static void mutex() {
		System.load(System.getProperty("library"));
		start("painter", () -> {
			synchronized (first) {
				meet();
				guarded(null);
			}
		});
		start("decoder", () -> guarded(Stuck::decoded));
	}

	static void decoded() throws Exception {
		meet();
		Thread.sleep(500);
		synchronized (first) {
			System.out.println("decoded");
		}
	}

	static void database() {
		Pool pool = new Pool(2);
		start("http-1", () -> handle(pool));
		start("http-2", () -> handle(pool));
		start("http-3", () -> handle(pool));
	}

	public static void main(String[] args) throws Exception {
		switch (System.getProperty("mode")) {
		case "monitors": monitors(); break;
		case "locks": locks(); break;
		case "mixed": mixed(); break;
		case "upgrade": upgrade(); break;
		case "pool": pool(); break;
		case "future": future(); break;
		case "common": common(); break;
		case "classes": classes(); break;
		case "semaphore": semaphore(); break;
		case "latch": latch(); break;
		case "queue": queue(); break;
		case "join": join(); break;
		case "signal": signal(); break;
		case "mutex": mutex(); break;
		case "database": database(); break;
		}
		Thread.sleep(2000);
		System.out.println("ready");
		Thread.sleep(1000000);
	}
}
