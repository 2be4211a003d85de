import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/**
 * Threads with the stacks of services: proxies around proxies, streams, method handles, C that calls Java, threads of C, exceptions
 * on their way, loops that were compiled while they ran, tasks that split. The part of a name before its dash is the kind. Modern has what
 * needs a later release. It says "ready" when all of them stand still. It is compiled for Java 8.
 */
public class Grid {
	static volatile long count;
	static final List<Object> kept = new ArrayList<>();
	static final CountDownLatch standing = new CountDownLatch(4);

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

	// Proxies, as a container puts around a service: each calls the next by reflection.
	interface Orders {
		int place(String customer, long amount, double discount);
		default int twice(String customer) { return place(customer, 2, 0.5) + 1; }
	}

	static class Shop implements Orders {
		public int place(String customer, long amount, double discount) {
			nap();
			return customer.length();
		}
	}

	static class Around implements InvocationHandler {
		final Object inner;
		final String what;

		Around(Object inner, String what) {
			this.inner = inner;
			this.what = what;
		}

		public Object invoke(Object proxy, Method m, Object[] arguments) throws Throwable {
			try {
				return m.invoke(inner, arguments);
			} finally {
				count++;
			}
		}
	}

	static Orders orders(int layers) {
		Orders o = new Shop();
		for (int i = 0; i < layers; i++)
			o = (Orders) Proxy.newProxyInstance(Grid.class.getClassLoader(), new Class<?>[] { Orders.class }, new Around(o, "layer " + i));
		return o;
	}

	// A method that is called more often than reflection goes without code of its own for it.
	static int often(int turns, boolean last) {
		if (last && turns == 0)
			nap();
		return turns;
	}

	static void reflected(int turns) {
		try {
			Method m = Grid.class.getDeclaredMethod("often", int.class, boolean.class);
			for (int i = 0; i < turns; i++)
				count += (Integer) m.invoke(null, turns - 1 - i, i == turns - 1);
			Constructor<Built> c = Built.class.getDeclaredConstructor(String.class);
			kept.add(c.newInstance("built"));
		} catch (ReflectiveOperationException e) {
			throw new IllegalStateException(e);
		}
	}

	static class Base {
		final String name;

		Base(String name) {
			this.name = name;
			initialise();
		}

		void initialise() {}
	}

	static class Built extends Base {
		Built(String name) { super(name); }

		@Override
		void initialise() { nap(); }
	}

	// Streams
	static long streamed(int n) {
		return IntStream.range(0, n).boxed().filter(i -> i % 2 == 0).map(i -> "item " + i).flatMap(s -> Stream.of(s, s + "!"))
			.peek(s -> {
				if (s.equals("item 8!"))
					nap();
			}).collect(Collectors.groupingBy(String::length)).size();
	}

	static List<String> sorted() {
		List<String> all = new ArrayList<>(Arrays.asList("c", "a", "b", "d"));
		all.sort(Comparator.comparing((String s) -> {
			nap();
			return s.length();
		}).thenComparing(Comparator.reverseOrder()));
		return all;
	}

	static Object computed() {
		Map<String, Object> m = new TreeMap<>(Comparator.comparing(s -> s.toLowerCase()));
		m.put("a", 1);
		ConcurrentHashMap<String, Object> c = new ConcurrentHashMap<>();
		return c.computeIfAbsent("key", k -> m.merge("a", 2, (x, y) -> {
			nap();
			return x;
		}));
	}

	static Supplier<Integer> curried(int n) {
		return n == 0 ? () -> {
			nap();
			return 1;
		} : () -> curried(n - 1).get() + 1;
	}

	// Method handles
	static int handled(String s, int a, long b, double c) {
		nap();
		return s.length() + a;
	}

	static void handles(boolean bound) {
		try {
			MethodHandle h = MethodHandles.lookup().findStatic(Grid.class, "handled",
				MethodType.methodType(int.class, String.class, int.class, long.class, double.class));
			if (!bound) {
				count += (int) h.invokeExact("exact", 1, 2L, 3.0);
				return;
			}
			h = MethodHandles.insertArguments(h, 1, 5);
			h = MethodHandles.filterReturnValue(h, MethodHandles.lookup().findVirtual(Integer.class, "toString", MethodType.methodType(String.class))
				.asType(MethodType.methodType(String.class, int.class)));
			kept.add(h.invoke("bound", 2L, 3.0));
		} catch (Throwable e) {
			throw new IllegalStateException(e);
		}
	}

	// Exceptions
	static class Closing implements AutoCloseable {
		public void close() { nap(); }
	}

	static int thrown(int n) {
		if (n == 0)
			throw new IllegalArgumentException("the bottom");
		try {
			return thrown(n - 1) + 1;
		} finally {
			if (n == 5)
				nap();
		}
	}

	static void caught() {
		try {
			((Object) "text").getClass().cast(null).toString().length();
			Object[] items = new Integer[1];
			items[0] = "no integer";
		} catch (NullPointerException | ArrayStoreException e) {
			try (Closing c = new Closing()) {
				throw new IllegalStateException("while it closes", e);
			}
		}
	}

	static class Broken {
		static int value = broken();

		static int broken() {
			try {
				Object[] none = new Object[count >= 0 ? 1 : 0];
				return none[(int) Math.min(count + 1, 1L) + 1].hashCode();
			} catch (ArrayIndexOutOfBoundsException e) {
				nap();
				return 1;
			}
		}
	}

	// Loops that are compiled while they run
	static long looped(int[][] table) {
		long sum = 0;
		for (int turn = 0; turn < 400; turn++) {
			for (int[] row : table)
				for (int x : row)
					sum += x * 31 + turn;
			if (turn == 399)
				nap();
		}
		return sum;
	}

	static long nested(int depth, int[][] table) { return depth == 0 ? looped(table) : nested(depth - 1, table) + depth; }

	// Recursion of two, of many arguments, and within locks
	static int even(int n, int a, long b, float c, double d, Object e, byte f, short g, char h, boolean i) {
		if (n == 0) {
			nap();
			return 1;
		}
		return odd(n - 1, b + 1, e, d, c, a, i, h, g, f) + a;
	}

	static int odd(int n, long b, Object e, double d, float c, int a, boolean i, char h, short g, byte f) {
		return n == 0 ? 0 : even(n - 1, a, b, c, d, e, f, g, h, i) + 1;
	}

	synchronized int within(int n) {
		synchronized (kept.get(n % 2)) {
			if (n == 0)
				nap();
			return n == 0 ? 0 : within(n - 1) + 1;
		}
	}

	// Tasks that split
	static class Sum extends RecursiveTask<Long> {
		final int from, to;

		Sum(int from, int to) {
			this.from = from;
			this.to = to;
		}

		protected Long compute() {
			if (to - from == 1) {
				nap();
				return (long) from;
			}
			Sum left = new Sum(from, (from + to) / 2), right = new Sum((from + to) / 2, to);
			left.fork();
			return right.compute() + left.join();
		}
	}

	// C
	static native int down(Object o, int n);

	static int up(Object o, int n) {
		if (n > 0)
			return down(o, n - 1) + 1;
		nap();
		return 0;
	}

	static native void attach(String name);

	static void attached(int n) {
		if (n > 0)
			attached(n - 1);
		else
			down("attached", 2);
	}

	// Deadlocks
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
		try {
			standing.await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] args) throws Exception {
		System.load(System.getProperty("library"));
		kept.add("one");
		kept.add("two");
		for (int i = 0; i < 300; i++)
			kept.add(new int[i]);
		start("proxy-1", () -> orders(1).place("first", 1, 0.1));
		start("proxy-5", () -> orders(5).place("second", 1, 0.1));
		start("proxy-default", () -> new Shop().twice("third"));
		start("reflection-1", () -> reflected(1));
		start("reflection-40", () -> reflected(40));
		start("reflection-constructor", () -> new Built("direct"));
		start("lambda-stream", () -> streamed(20));
		start("lambda-sort", () -> sorted());
		start("lambda-map", () -> computed());
		start("lambda-nested", () -> curried(12).get());
		start("handle-exact", () -> handles(false));
		start("handle-bound", () -> handles(true));
		start("exception-finally", () -> thrown(12));
		start("exception-close", Grid::caught);
		start("exception-initialiser", () -> count += Broken.value);
		int[][] table = new int[100][200];
		start("loop-1", () -> looped(table));
		start("loop-deep", () -> nested(9, table));
		start("recursion-two", () -> even(120, 1, 2L, 3f, 4.0, kept, (byte) 5, (short) 6, 'h', true));
		start("recursion-locked", () -> new Grid().within(20));
		start("jni-both", () -> up("both", 7));
		start("jni-sync", () -> {
			synchronized (kept) {
				down(kept, 3);
			}
		});
		attach("jni-attached");
		Object one = new Object(), two = new Object();
		Lock first = new ReentrantLock(), second = new ReentrantReadWriteLock().writeLock();
		start("deadlock-1", () -> cross(one, two));
		start("deadlock-2", () -> cross(two, one));
		start("deadlock-3", () -> cross(first, second));
		start("deadlock-4", () -> cross(second, first));
		ThreadPoolExecutor pool = new ThreadPoolExecutor(2, 2, 1, TimeUnit.HOURS, new ArrayBlockingQueue<>(10), r -> {
			Thread t = new Thread(r, "pool-" + count++);
			t.setDaemon(true);
			return t;
		});
		pool.submit(() -> pool.submit(() -> 1).get());
		CompletableFuture.supplyAsync(() -> 1, pool).thenApplyAsync(x -> {
			nap();
			return x;
		}, pool);
		ForkJoinPool split = new ForkJoinPool(3);
		split.submit(new Sum(0, 8));
		ScheduledThreadPoolExecutor later = new ScheduledThreadPoolExecutor(2, r -> {
			Thread t = new Thread(r, "pool-timer-" + count++);
			t.setDaemon(true);
			return t;
		});
		later.scheduleAtFixedRate(Grid::nap, 1, 1, TimeUnit.MILLISECONDS);
		later.schedule(() -> 1, 1, TimeUnit.HOURS);
		try {
			Class.forName("Modern").getMethod("start").invoke(null);
		} catch (ClassNotFoundException e) {
			System.out.println("no later release");
		}
		Thread.sleep(3000);
		System.out.println("ready");
		nap();
	}
}
