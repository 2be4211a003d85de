package shapes;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import lib.N;

/** Values of classes that have a shape of their own. It prints each as Java does. */
public class Shapes {
  static native void crash(int n);

  enum Colour { RED, GREEN { int x() { return 1; } }, BLUE; int x() { return 0; } }
  enum Many {
    A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, D0, D1, D2, D3, D4,
    D5, D6, D7, D8, D9, E0, E1, E2, E3, E4, E5, E6, E7, E8, E9, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, G0, G1, G2, G3, G4, G5, G6, G7, G8, G9
  }
  static class Base { int id = 1; String name = "base's"; }
  static class Derived extends Base { int id = 2; String name = "derived's"; }

  static float floatMin = Float.MIN_VALUE, floatMax = Float.MAX_VALUE, floatNormal = Float.MIN_NORMAL, floatThird = 1 / 3f, floatTen = 1.0E10f,
      floatMinus = -0f;
  static double doubleMin = Double.MIN_VALUE, doubleMax = Double.MAX_VALUE, doubleNormal = Double.MIN_NORMAL, doubleBig = 2E23,
      doubleHalf = 2.2250738585072012E-308;
  static Float floatBoxed = Float.MIN_VALUE;
  static Optional<String> nothing = Optional.empty(), something = Optional.of("here");
  static OptionalInt noInt = OptionalInt.empty(), anInt = OptionalInt.of(42);
  static OptionalLong aLong = OptionalLong.of(1L << 40), noLong = OptionalLong.empty();
  static OptionalDouble aDouble = OptionalDouble.of(2.5);
  static UUID uuid = new UUID(0x123e4567e89b42d3L, 0xa456426614174000L), zero = new UUID(0, 0), ones = new UUID(-1, -1);
  static EnumSet<Colour> colours = EnumSet.of(Colour.RED, Colour.GREEN), none = EnumSet.noneOf(Colour.class);
  static EnumSet<Many> many = EnumSet.of(Many.A0, Many.G4, Many.G9), allOf = EnumSet.range(Many.F8, Many.G5);
  static EnumMap<Colour, String> byColour = new EnumMap<>(Colour.class);
  static BitSet bits = new BitSet(), noBits = new BitSet(), farBits = new BitSet();
  static ConcurrentSkipListMap<String, Integer> skips = new ConcurrentSkipListMap<>(), noSkips = new ConcurrentSkipListMap<>();
  static ConcurrentSkipListSet<Integer> skipSet = new ConcurrentSkipListSet<>();
  static Base derived = new Derived();
  static String lone = "a\ud83db", low = "\udc00", pair = "\ud83d\ude00";
  static char half = '\ud83d';
  static StringBuilder building = new StringBuilder("x\ud83dy");
  static PriorityQueue<Integer> queue = new PriorityQueue<>();
  static CopyOnWriteArrayList<String> copied = new CopyOnWriteArrayList<>();
  static LinkedBlockingQueue<String> blocking = new LinkedBlockingQueue<>();
  static ArrayBlockingQueue<String> bounded = new ArrayBlockingQueue<>(4);
  static ConcurrentLinkedDeque<String> deque = new ConcurrentLinkedDeque<>();
  static LinkedBlockingDeque<String> blockingDeque = new LinkedBlockingDeque<>();
  static IdentityHashMap<String, Integer> identity = new IdentityHashMap<>();
  static WeakHashMap<Object, String> weak = new WeakHashMap<>();
  static Vector<String> vector = new Vector<>();
  static Stack<String> stack = new Stack<>();
  static Hashtable<String, Integer> table = new Hashtable<>();
  static Properties properties = new Properties();
  static TreeSet<String> treeSet = new TreeSet<>();
  static LinkedHashSet<String> linkedSet = new LinkedHashSet<>();
  static AtomicReference<String> reference = new AtomicReference<>("pointed");
  static AtomicIntegerArray atomics = new AtomicIntegerArray(new int[] {1, 2, 3});
  static AtomicLong atomicLong = new AtomicLong(-5);
  static LongAdder adder = new LongAdder();
  static AbstractMap.SimpleEntry<String, Integer> entry = new AbstractMap.SimpleEntry<>("key", 9);
  static List<String> single = Collections.singletonList("only"), fixed = Arrays.asList("p", "q"), emptyList = Collections.emptyList(),
      nine = Collections.nCopies(9, "z"), guarded = Collections.unmodifiableList(Arrays.asList("u")), part;
  static Map<String, Integer> singleMap = Collections.singletonMap("one", 1), synced = Collections.synchronizedMap(new HashMap<String, Integer>());
  static StringJoiner joiner = new StringJoiner("-", "<", ">");
  static Object boxedLong = Long.MIN_VALUE, character = 'é';
  static Date date = new Date(1700000000000L);
  static int[][] grid = {{1, 2}, {3}};

  static void fill() {
    byColour.put(Colour.BLUE, "sea");
    for (int i : new int[] {0, 3, 63, 64}) bits.set(i);
    farBits.set(1000);
    skips.put("b", 2); skips.put("a", 1); skips.put("c", 3); skips.remove("c");
    for (int i = 20; i > 0; i--) skipSet.add(i);
    queue.add(3); queue.add(1); queue.add(2);
    copied.add("w"); blocking.add("l1"); blocking.add("l2"); blockingDeque.add("d1"); deque.add("d2"); deque.addFirst("d0");
    for (int i = 0; i < 4; i++) bounded.add("b" + i);
    bounded.poll(); bounded.add("b4");
    identity.put("same", 1); weak.put(Shapes.class, "cls"); vector.add("v"); stack.push("s1"); stack.push("s2"); table.put("t", 1);
    properties.setProperty("os", "none"); treeSet.add("t2"); treeSet.add("t1"); linkedSet.add("y"); linkedSet.add("x");
    adder.add(12); adder.add(30); synced.put("s", 1); joiner.add("a").add("b");
    part = new ArrayList<>(Arrays.asList("0", "1", "2", "3")).subList(1, 3);
  }

  static void main(int n) throws Exception {
    try { all(); } catch (Throwable x) { N.say("failed: " + x); for (StackTraceElement e : x.getStackTrace()) N.say("failed: at " + e); }
    crash(0);
  }

  static void say(String name, Object v) {
    try { print(name, v); } catch (Throwable x) { N.say("unprinted: " + name + ": " + x); } // Java wants more of a process
  }

  static void print(String name, Object v) {
    String text;
    if (v instanceof Date) text = Long.toString(((Date) v).getTime());
    else if (v instanceof Float) text = "0x" + Integer.toHexString(Float.floatToRawIntBits((Float) v));
    else if (v instanceof Double) text = "0x" + Long.toHexString(Double.doubleToRawLongBits((Double) v));
    else if (v instanceof Optional && ((Optional<?>) v).isPresent()) text = "Optional[" + ((Optional<?>) v).get() + "]";
    else text = String.valueOf(v);
    StringBuilder b = new StringBuilder("value: " + name + " = ");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 128) b.append(c);
      else b.append("\\u").append(Integer.toHexString(0x10000 | c).substring(1));
    }
    N.say(b.toString());
  }

  static void all() {
    fill();
    say("floatMin", floatMin);
    say("floatMax", floatMax);
    say("floatNormal", floatNormal);
    say("floatThird", floatThird);
    say("floatTen", floatTen);
    say("floatMinus", floatMinus);
    say("doubleMin", doubleMin);
    say("doubleMax", doubleMax);
    say("doubleNormal", doubleNormal);
    say("doubleBig", doubleBig);
    say("doubleHalf", doubleHalf);
    say("floatBoxed", floatBoxed);
    say("nothing", nothing);
    say("something", something);
    say("noInt", noInt);
    say("anInt", "OptionalInt[" + anInt.getAsInt() + "]");
    say("aLong", "OptionalLong[" + aLong.getAsLong() + "]");
    say("noLong", noLong);
    say("aDouble", aDouble.getAsDouble());
    say("uuid", uuid);
    say("zero", zero);
    say("ones", ones);
    say("colours", colours);
    say("none", none);
    say("many", many);
    say("allOf", allOf);
    say("byColour", byColour);
    say("bits", bits);
    say("noBits", noBits);
    say("farBits", farBits);
    say("skips", skips);
    say("noSkips", noSkips);
    say("skipSet", skipSet);
    say("derived", derived.id + " " + ((Derived) derived).id);
    say("lone", lone);
    say("low", low);
    say("pair", pair);
    say("half", half);
    say("building", building);
    say("queue", queue);
    say("copied", copied);
    say("blocking", blocking);
    say("bounded", bounded);
    say("deque", deque);
    say("blockingDeque", blockingDeque);
    say("identity", identity);
    say("weak", weak);
    say("vector", vector);
    say("stack", stack);
    say("table", table);
    say("properties", properties);
    say("treeSet", treeSet);
    say("linkedSet", linkedSet);
    say("reference", reference);
    say("atomics", atomics);
    say("atomicLong", atomicLong);
    say("adder", adder);
    say("entry", entry);
    say("single", single);
    say("fixed", fixed);
    say("emptyList", emptyList);
    say("nine", nine);
    say("guarded", guarded);
    say("part", part);
    say("singleMap", singleMap);
    say("synced", synced);
    say("joiner", joiner);
    say("boxedLong", boxedLong);
    say("character", character);
    say("date", date);
  }
}
