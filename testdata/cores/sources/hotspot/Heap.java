import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/**
 * Values of many kinds in static fields, which the program writes to values.txt by the interfaces of Java, exceptions with their
 * traces in exceptions.txt, and objects by thousands. It then has the JVM write its heap to a file and count its objects, and
 * dies. Arguments: libheap.so, the jcmd, a folder.
 */
public class Heap {
	enum Colour { RED, GREEN { int f() { return 2; } }; int f() { return 1; } }
	record Point(int x, double y, String name) {}
	static class Base { int hidden = 1; private final String base = "b"; }
	static class Derived extends Base { long hidden = 1L << 60; Base other; Object self = this; }
	static class Node { Node next; int id; Object data; }
	static class Failed extends Exception { Failed(String m, Throwable c) { super(m, c); } }

	static boolean yes = true;
	static byte tiny = -128;
	static char letter = 'ä', half = '\ud83d';
	static short small = -32768;
	static int number = 0x7fffffff;
	static long large = Long.MIN_VALUE, exact = 1L << 53;
	static float third = 1f / 3;
	static double nan = Double.NaN, million = 1e7, minus = -0.0;
	static Object nothing = null;
	static String latin = "naïve", wide = "日本\ud83d\ude00", empty = "", quoted = "a\"b\\c\n\t\u0001<>&";
	static Integer boxed = -7;
	static Long boxedLong = 1L << 40;
	static Character boxedChar = '中';
	static Boolean boxedFalse = false;
	static Double boxedDouble = 0.1;
	static AtomicInteger atomic = new AtomicInteger(42);
	static AtomicBoolean flag = new AtomicBoolean(true);
	static Colour red = Colour.RED, green = Colour.GREEN;
	static Class<?> type = Map.Entry.class, ints = int[].class, primitive = double.class, nil = void.class;
	static int[] numbers = {1, -2, 3};
	static byte[] bytes = {0, 127, -1};
	static char[] chars = {'x', '\u4e2d'};
	static double[] doubles = {0.5, 1e300};
	static boolean[] flags = {true, false};
	static long[][] matrix = {{1, 2}, {}, null};
	static String[] words = {"a", null, "c"};
	static Object[] mixed = {1, "two", 3.0, Colour.RED};
	static Point point = new Point(3, -1.5, "p");
	static Derived derived = new Derived();
	static List<Object> arrayList = new ArrayList<>(List.of("x", 1));
	static List<Integer> linked = new LinkedList<>(List.of(1, 2, 3));
	static List<Integer> immutable = List.of(1, 2, 3), two = List.of(8, 9), asList = Arrays.asList(5, 6);
	static List<Integer> unmodifiable = Collections.unmodifiableList(new ArrayList<>(List.of(4)));
	static Vector<String> vector = new Vector<>(List.of("v"));
	static Deque<Integer> deque = new ArrayDeque<>(List.of(7, 8));
	static CopyOnWriteArrayList<String> copied = new CopyOnWriteArrayList<>(List.of("c", "d"));
	static ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>(List.of("q1", "q2"));
	static LinkedBlockingQueue<String> blocking = new LinkedBlockingQueue<>(List.of("b1"));
	static Map<String, Integer> hashMap = new HashMap<>(Map.of("k", 1)), emptyMap = new HashMap<>();
	static Map<String, Integer> linkedMap = new LinkedHashMap<>();
	static Map<Integer, String> treeMap = new TreeMap<>(Map.of(3, "c", 1, "a", 2, "b"));
	static Map<String, Integer> concurrent = new ConcurrentHashMap<>(Map.of("cc", 9)), single = Map.of("only", 1);
	static EnumMap<Colour, String> enumMap = new EnumMap<>(Map.of(Colour.GREEN, "g"));
	static Set<String> treeSet = new TreeSet<>(Set.of("t1", "t2")), linkedSet = new LinkedHashSet<>(List.of("s2", "s1"));
	static Optional<String> optional = Optional.of("o");
	static StringBuilder builder = new StringBuilder("built").append('中');

	static final List<Node> nodes = new ArrayList<>();
	static Throwable failed, inner;

	static int depth(int n) throws Failed {
		if (n > 0)
			return depth(n - 1) + 1;
		try {
			return new int[1][0].length == 1 ? Integer.parseInt("no number") : 0;
		} catch (RuntimeException e) {
			Failed f = new Failed("größer", e);
			f.addSuppressed(new IllegalStateException());
			throw f;
		}
	}

	static String text(String s) {
		StringBuilder b = new StringBuilder("\"");
		for (char c : s.toCharArray())
			b.append(c < 0x20 || c > 0x7e || c == '"' || c == '\\' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
		return b.append('"').toString();
	}

	/** What a value is, in the form that docs/design.md has for values of Java. */
	static String json(Object o, Class<?> declared, int level) throws Exception {
		if (o == null)
			return "null";
		Class<?> k = o.getClass();
		if (o instanceof String s)
			return text(s);
		if (o instanceof Character || o instanceof StringBuilder)
			return text(o.toString());
		if (o instanceof Boolean || o instanceof Byte || o instanceof Short || o instanceof Integer || o instanceof AtomicInteger || o instanceof AtomicBoolean)
			return o.toString();
		if (o instanceof Long l)
			return Math.abs(l) <= 1L << 53 && l != Long.MIN_VALUE ? o.toString() : "{\"$\":" + text(declared == long.class ? "long" : k.getName()) + ",\"value\":" + text(o.toString()) + "}";
		if (o instanceof Double || o instanceof Float)
			return Double.isFinite(((Number) o).doubleValue()) ? o.toString() : "{\"$\":" + text(declared.getName()) + ",\"value\":" + text(o.toString()) + "}";
		if (o instanceof Enum<?> e)
			return "{\"$\":\"enum\",\"class\":" + text(e.getDeclaringClass().getName()) + ",\"name\":" + text(e.name()) + "}";
		if (o instanceof Class<?> c)
			return "{\"$\":\"class\",\"name\":" + text(c.getTypeName()) + "}";
		if (o instanceof Optional<?> x)
			return "{\"$\":\"java.util.Optional\",\"length\":1,\"values\":[" + json(x.get(), Object.class, level + 1) + "]}";
		StringJoiner parts = new StringJoiner(",");
		if (k.isArray()) {
			for (int i = 0; i < Array.getLength(o); i++)
				parts.add(json(Array.get(o, i), k.getComponentType(), level + 1));
			return "{\"$\":" + text(k.getTypeName()) + ",\"length\":" + Array.getLength(o) + ",\"values\":[" + parts + "]}";
		}
		if (o instanceof Collection<?> c) {
			for (Object x : c)
				parts.add(json(x, Object.class, level + 1));
			return "{\"$\":" + text(k.getName()) + ",\"length\":" + c.size() + ",\"values\":[" + parts + "]}";
		}
		if (o instanceof Map<?, ?> m) {
			for (Map.Entry<?, ?> e : m.entrySet())
				parts.add("[" + json(e.getKey(), Object.class, level + 1) + "," + json(e.getValue(), Object.class, level + 1) + "]");
			return "{\"$\":" + text(k.getName()) + ",\"length\":" + m.size() + ",\"entries\":[" + parts + "]}";
		}
		if (level > 0)
			return "{\"$\":\"ref\",\"class\":" + text(k.getName()) + "}";
		List<String> members = new ArrayList<>();
		for (Class<?> c = k; c != Object.class; c = c.getSuperclass())
			for (Field f : c.getDeclaredFields())
				if (!Modifier.isStatic(f.getModifiers())) {
					f.setAccessible(true);
					members.add(text(c != k && f.getName().equals("hidden") ? c.getName() + ".hidden" : f.getName()) + ":" + json(f.get(o), f.getType(), level + 1));
				}
		members.add("\"$class\":" + text(k.getName()));
		return "{" + String.join(",", members) + "}";
	}

	/** A throwable, then those that it suppressed, then its causes. */
	static void write(PrintStream out, Throwable x) {
		out.println(x.getClass().getName() + (x.getMessage() == null ? "" : ": " + x.getMessage()));
		for (StackTraceElement e : x.getStackTrace())
			out.println("\t" + e.getClassName() + "." + e.getMethodName() + "(" + e.getFileName() + ":" + e.getLineNumber() + ")");
		for (Throwable s : x.getSuppressed())
			write(out, s);
		if (x.getCause() != null)
			write(out, x.getCause());
	}

	static native void end(String dump, String count);

	public static void main(String[] args) throws Exception {
		System.load(args[0]);
		linkedMap.put("z", 1);
		linkedMap.put("a", 2);
		for (int i = 0; i < 3000; i++) {
			Node n = new Node();
			n.id = i;
			n.data = i % 3 == 0 ? new byte[i] : i % 3 == 1 ? "node " + i : new Object[i % 7];
			if (i > 0)
				n.next = nodes.get(i - 1);
			nodes.add(n);
			if (i % 500 == 0)
				System.gc();
		}
		try (PrintStream out = new PrintStream(args[2] + "/values.txt", "UTF-8")) {
			for (Field f : Heap.class.getDeclaredFields())
				if (f.getType() != Throwable.class && !f.getName().equals("nodes"))
					out.println(f.getName() + "\t" + json(f.get(null), f.getType(), 0));
		}
		for (int i = 0; i < 2; i++)
			try {
				depth(40);
			} catch (Failed f) {
				if (i == 0) // its trace is made into elements
					try (PrintStream out = new PrintStream(args[2] + "/exceptions.txt", "UTF-8")) {
						write(out, failed = f);
					}
				else
					inner = f;
			}
		String pid = args[1] + " " + ProcessHandle.current().pid();
		end(pid + " GC.heap_dump -all " + args[2] + "/heap.hprof >jcmd.txt", pid + " GC.class_histogram -all >histogram.txt");
	}
}
