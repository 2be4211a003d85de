package lib;
import java.util.*;
/** The truth of an exception, by its own getters. */
public class Tell {
  static void say(String s) { N.say(s); }
  public static void tell(Throwable x) { Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<Throwable, Boolean>()); tell(x, "top", 0, seen); say("E end"); }
  static void tell(Throwable x, String kind, int depth, Set<Throwable> seen) {
    if (!seen.add(x)) { say("C " + depth + " " + kind + " " + x.getClass().getName()); return; }
    String m = x.getMessage();
    say("X " + depth + " " + kind + " " + x.getClass().getName() + (m == null ? "" : ": " + m.replace("\n", "\\n")));
    for (StackTraceElement e : x.getStackTrace()) say("F " + depth + " " + e.getClassName() + "." + e.getMethodName() + "|" + e.getFileName() + "|" + e.getLineNumber());
    for (Throwable s : x.getSuppressed()) tell(s, "suppressed", depth + 1, seen);
    Throwable c = x.getCause();
    if (c != null) tell(c, "cause", depth, seen);
  }
}
