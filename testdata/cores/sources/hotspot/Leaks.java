import java.io.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;

/** Leaks as programs are reported to have them. The property "mode" names the one that happens. It says "ready" when the memory is full of it. */
public class Leaks {
	static byte[] block() { return new byte[4000]; }

	/** A static list gets longer with each request. */
	static class Audit {
		static final List<byte[]> entries = new ArrayList<>();
	}

	static void statics() {
		for (int i = 0; i < 2500; i++)
			Audit.entries.add(block());
	}

	/** Each thread of a pool keeps a buffer that it needed once. */
	static class Formatter {
		static final ThreadLocal<byte[]> buffer = new ThreadLocal<>();
	}

	static void locals() throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(8, r -> new Thread(r, "render"));
		CountDownLatch all = new CountDownLatch(8);
		for (int i = 0; i < 8; i++)
			pool.execute(() -> {
				Formatter.buffer.set(new byte[1 << 20]);
				all.countDown();
				try {
					all.await();
				} catch (InterruptedException e) {
					throw new IllegalStateException(e);
				}
			});
		all.await();
	}

	/** What each redeployment of an application loads anew. */
	public static class Plugin implements Runnable {
		static final byte[] cache = new byte[1 << 19];

		public void run() { }
	}

	static class Deployment extends ClassLoader {
		Deployment() { super(null); }

		protected Class<?> findClass(String name) throws ClassNotFoundException {
			if (!name.startsWith("Leaks"))
				throw new ClassNotFoundException(name);
			try (InputStream in = Leaks.class.getResourceAsStream("/" + name + ".class")) {
				ByteArrayOutputStream out = new ByteArrayOutputStream();
				for (int b; (b = in.read()) >= 0;)
					out.write(b);
				return defineClass(name, out.toByteArray(), 0, out.size());
			} catch (IOException e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	/** Shutdown hooks, drivers and the like keep an object of each deployment. */
	static final List<Object> hooks = new ArrayList<>();

	static void loaders() throws Exception {
		for (int i = 0; i < 15; i++)
			hooks.add(new Deployment().loadClass("Leaks$Plugin").getConstructor().newInstance());
	}

	static class Bus {
		final List<Runnable> listeners = new CopyOnWriteArrayList<>();
	}

	static class View implements Runnable {
		final byte[] pixels = block();

		public void run() { }
	}

	static void listeners(Bus bus) throws Exception {
		for (int i = 0; i < 2500; i++)
			bus.listeners.add(new View()); // and never removed
		stand();
	}

	static class Catalog {
		final Map<String, byte[]> priceCache = new HashMap<>();

		byte[] price(String key) { return priceCache.computeIfAbsent(key, k -> block()); }
	}

	static void cache(Catalog catalog) throws Exception {
		for (int i = 0; i < 2500; i++)
			catalog.price("item " + i); // each key is asked for once
		stand();
	}

	/** Objects with finalizers, of which the first does not end. */
	static class Connection {
		final byte[] buffer = block();

		protected void finalize() throws Throwable { Thread.sleep(1000000); }
	}

	static void finalizers() throws Exception {
		for (int i = 0; i < 2500; i++) {
			new Connection();
			if (i == 0) {
				System.gc();
				Thread.sleep(300);
			}
		}
	}

	/** Streams that are never closed, and that a list still has. */
	static class Importer {
		final List<InputStream> open = new ArrayList<>();

		void read() throws IOException { open.add(new BufferedInputStream(new FileInputStream("/dev/null"), 8192)); }
	}

	static void streams(Importer importer) throws Exception {
		for (int i = 0; i < 1000; i++)
			importer.read();
		stand();
	}

	static class Mail implements Runnable {
		final byte[] text = block();

		public void run() {
			try {
				Thread.sleep(1000000);
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}
	}

	/** Tasks come faster than the executor's only thread runs them. */
	static void queue() {
		ExecutorService pool = Executors.newFixedThreadPool(1, r -> new Thread(r, "mailer"));
		for (int i = 0; i < 2500; i++)
			pool.execute(new Mail());
	}

	static class Words {
		static final Set<String> seen = new HashSet<>();
	}

	static void interned() {
		char[] text = new char[100];
		for (int i = 0; i < 40000; i++) {
			Arrays.fill(text, (char) ('a' + i % 26));
			Words.seen.add((new String(text) + i).intern());
		}
	}

	static class Session {
		final String user;
		final byte[] state = block();

		Session(String user) { this.user = user; }
	}

	static class Sessions {
		static final Sessions ALL = new Sessions();
		final Map<String, Session> byToken = new ConcurrentHashMap<>();
	}

	static void sessions() {
		for (int i = 0; i < 2500; i++)
			Sessions.ALL.byToken.put("token-" + i, new Session("user-" + i % 100));
	}

	static class Screen {
		final byte[] picture = new byte[100000];

		/** An inner class keeps its screen for as long as the timer keeps it. */
		TimerTask refresh() {
			return new TimerTask() {
				public void run() { picture[0]++; }
			};
		}
	}

	static void inner() {
		Timer timer = new Timer("refresher", true);
		for (int i = 0; i < 100; i++)
			timer.schedule(new Screen().refresh(), 1000000, 1000000);
	}

	/** A key without equals and hashCode is never found again. */
	static class Key {
		final int number;

		Key(int number) { this.number = number; }
	}

	static class Registry {
		static final Map<Key, byte[]> byKey = new HashMap<>();
	}

	static void keys() {
		for (int i = 0; i < 2500; i++)
			Registry.byKey.put(new Key(7), block());
	}

	static void deleted() throws Exception {
		StringBuilder name = new StringBuilder("/nowhere/");
		for (int i = 0; i < 200; i++)
			name.append('x');
		for (int i = 0; i < 30000; i++)
			new File(name.toString() + i).deleteOnExit();
	}

	static void stand() throws Exception {
		System.out.println("ready");
		Thread.sleep(1000000);
	}

	public static void main(String[] args) throws Exception {
		switch (System.getProperty("mode")) {
		case "statics": statics(); break;
		case "locals": locals(); break;
		case "loaders": loaders(); break;
		case "listeners": listeners(new Bus()); break;
		case "cache": cache(new Catalog()); break;
		case "finalizers": finalizers(); break;
		case "streams": streams(new Importer()); break;
		case "queue": queue(); break;
		case "interned": interned(); break;
		case "sessions": sessions(); break;
		case "inner": inner(); break;
		case "keys": keys(); break;
		case "deleted": deleted(); break;
		}
		stand();
	}
}
