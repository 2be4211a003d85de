package vals;
import java.math.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.regex.*;
import java.time.*;
import lib.N;

/** Values of many classes. It prints each as Java does, except for those that want more of a process. */
public class Vals {
  static native void crash(int n);
  enum E { ONE, TWO { } }
  static Object[] v = new Object[80];
  static Object make(int i) throws Exception {
    switch (i) {
      case 0: return new BigInteger("-123456789012345678901234567890");
      case 1: return BigInteger.ZERO;
      case 2: return new BigDecimal("-12.3450");
      case 3: return new BigDecimal("1E+30");
      case 4: return new BigDecimal(new BigInteger("98765432109876543210"), 25);
      case 5: return new Locale("de", "AT");
      case 6: return Locale.ROOT;
      case 7: return new URI("http://user@host:80/a?b=c#d");
      case 8: return new AtomicBoolean(true);
      case 9: return new AtomicInteger(-7);
      case 10: return new AtomicReference<Object>(null);
      case 11: return new AtomicLongArray(new long[] {1L << 40, -1});
      case 12: return new AtomicReferenceArray<String>(new String[] {"x", null});
      case 14: return new AtomicStampedReference<String>("s", 3).getReference();
      case 15: return Duration.ofSeconds(3661, 5000000);
      case 16: return Instant.ofEpochSecond(1700000000L, 123456789);
      case 17: return LocalDate.of(2024, 2, 29);
      case 18: return LocalTime.of(23, 59, 58, 1000);
      case 19: return LocalDateTime.of(2024, 2, 29, 1, 2, 3);
      case 20: return ZoneOffset.ofHoursMinutes(5, 30);
      case 21: return OffsetDateTime.of(LocalDateTime.of(2024, 1, 1, 0, 0), ZoneOffset.UTC);
      case 22: return Period.of(1, 2, 3);
      case 23: return Year.of(1999);
      case 24: return YearMonth.of(1999, 12);
      case 25: return MonthDay.of(12, 25);
      case 26: return DayOfWeek.FRIDAY;
      case 27: return Optional.of(Optional.empty());
      case 28: return OptionalDouble.empty();
      case 29: return Pattern.compile("a+b", Pattern.CASE_INSENSITIVE);
      case 30: return new StringBuffer("buf\u00e9");
      case 31: return new ArrayDeque<Object>(Arrays.asList("h", 'c', 1L, (byte) 3, (short) 4));
      case 32: { ArrayDeque<Integer> q = new ArrayDeque<>(); for (int k = 0; k < 20; k++) { q.add(k); if (k > 3) q.poll(); } return q; }
      case 33: { LinkedHashMap<String, Object> m = new LinkedHashMap<>(16, .75f, true); m.put("a", 1); m.put("b", null); m.put(null, "n"); m.get("a"); return m; }
      case 34: { TreeMap<Integer, String> m = new TreeMap<>(Collections.reverseOrder()); for (int k = 0; k < 9; k++) m.put(k, "v" + k); m.remove(4); return m; }
      case 35: { ConcurrentHashMap<String, Integer> m = new ConcurrentHashMap<>(); for (int k = 0; k < 5; k++) m.put("k" + k, k); return m.keySet(); }
      case 37: return Collections.unmodifiableMap(new TreeMap<String, Integer>(Collections.singletonMap("q", 1)));
      case 38: return Collections.newSetFromMap(new ConcurrentHashMap<String, Boolean>(Collections.singletonMap("set", true)));
      case 40: { HashMap<Object, Object> m = new HashMap<>(); m.put(1, 2); return m.values(); }
      case 41: return Collections.checkedList(new LinkedList<String>(Arrays.asList("l", "m")), String.class);
      case 42: { PriorityBlockingQueue<Integer> q = new PriorityBlockingQueue<>(); q.add(2); q.add(1); return q; }
      case 43: { LinkedTransferQueue<String> q = new LinkedTransferQueue<>(); q.add("t1"); q.add("t2"); q.poll(); return q; }
      case 44: { ConcurrentLinkedQueue<String> q = new ConcurrentLinkedQueue<>(); q.add("c1"); q.add("c2"); q.add("c3"); q.poll(); return q; }
      case 45: return new CopyOnWriteArraySet<String>(Arrays.asList("cow", "set"));
      case 46: return EnumSet.complementOf(EnumSet.of(E.ONE));
      case 47: { EnumMap<E, Object> m = new EnumMap<>(E.class); m.put(E.TWO, null); return m; }
      case 48: return E.TWO;
      case 49: { BitSet b = new BitSet(); b.set(5, 9); b.set(200); b.clear(200); return b; }
      case 50: return Arrays.asList(1, null, "x", Arrays.asList());
      case 51: return Collections.emptyMap();
      case 52: return Collections.synchronizedSet(new TreeSet<Integer>(Arrays.asList(3, 1, 2)));
      case 56: return new UUID(0xffffffffffffffffL, 1);
      case 64: return Byte.MIN_VALUE;
      case 67: return Short.MAX_VALUE;
      case 72: return new ArrayList<Integer>(Arrays.asList(1, 2, 3, 4, 5)).subList(1, 4).subList(1, 2);
      case 74: return CompletableFuture.completedFuture("done").get();
      case 75: return new LinkedBlockingDeque<String>(Arrays.asList("x", "y"));
      case 76: return new Scanner2().list;
      case 77: return Collections.unmodifiableCollection(new ArrayDeque<String>(Arrays.asList("u", "v")));
      case 78: { Vector<String> s = new Stack<>(); s.add("bottom"); return s; }
      case 79: { IdentityHashMap<Object, Object> m = new IdentityHashMap<>(); m.put("i", null); return m; }
    }
    return null;
  }
  static class Scanner2 { List<Object> list = new ArrayList<>(); { list.add(null); list.add(new int[0].length); list.add(Optional.of("o")); } }
  static void main(int n) throws Exception {
    for (int i = 0; i < 80; i++) {
      try {
        v[i] = make(i);
        if (v[i] == null) continue;
        String text = String.valueOf(v[i]);
        StringBuilder b = new StringBuilder("value: " + i + " = ");
        for (int k = 0; k < text.length(); k++) { char c = text.charAt(k); if (c < 127 && c >= 32) b.append(c); else b.append("\\u").append(Integer.toHexString(0x10000 | c).substring(1)); }
        N.say(b.toString());
      } catch (Throwable x) { N.say("unprinted: " + i + " " + (v[i] == null ? "null" : v[i].getClass().getName()) + " " + x); }
    }
    crash(0);
  }
}
