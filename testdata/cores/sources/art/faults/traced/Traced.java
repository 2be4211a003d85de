package traced;
import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import lib.*;

public class Traced {
  static native void crash(int n);
  static class Repo {
    static void save(int n) { if (n == 0) throw new IllegalStateException("the ledger is closed"); save(n - 1); }
    static Exception caught() { try { save(2); return null; } catch (IllegalStateException e) { return e; } }
  }
  static StackTraceElement el(String c, String m, String f, int l) { return new StackTraceElement(c, m, f, l); }
  static class Light extends RuntimeException {
    Light(String m) { super(m); }
    @Override public Throwable fillInStackTrace() { return this; }
  }
  static class Static { static final RuntimeException CLOSED = new RuntimeException("channel closed"); }
  static class Remote extends Exception { Remote(String m, StackTraceElement[] t) { super(m); setStackTrace(t); } }
  static class Fixed extends RuntimeException {
    Fixed(String m) { super(m); }
    @Override public StackTraceElement[] getStackTrace() { return new StackTraceElement[] {el("made.Up", "never", "Up.java", 1)}; }
  }
  static class InCtor {
    static class Deep { Deep() { Repo.save(1); } }
    final Deep d = new Deep();
    { hashCode(); }
  }
  static class InClinit { static int n = make(); static int make() { Repo.save(0); return 1; } }
  static final Object lock = new Object();
  static int depth(int n) { return depth(n + 1) + 1; }

  static void thrower(int n) throws Throwable {
    Exception x = Repo.caught();
    StackTraceElement[] t;
    switch (n) {
      case 1: x.setStackTrace(new StackTraceElement[0]); throw x;
      case 2: x.setStackTrace(new StackTraceElement[] {el("server.Api", "call", "Api.java", 77), el("server.Main", "main", "Main.java", 5)}); throw x;
      case 3: t = new StackTraceElement[300]; for (int i = 0; i < 300; i++) t[i] = el("far.Level" + i, "go", "Level.kt", i + 1); x.setStackTrace(t); throw x;
      case 4: t = x.getStackTrace(); x.setStackTrace(Arrays.copyOfRange(t, 2, t.length)); throw x;
      case 5: x.fillInStackTrace(); throw x;
      case 6: throw new Light("light");
      case 7: throw Static.CLOSED;
      case 8: x.getStackTrace(); throw x;
      case 9: { final Thread[] p = new Thread[1]; Thread s = new Thread(new Runnable() { public void run() { pause(90000); } }, "other"); s.setDaemon(true); s.start(); pause(300); x.setStackTrace(s.getStackTrace()); throw x; }
      case 10: x.setStackTrace(new StackTraceElement[] {el("a.B", "n", null, -2), el("a.B", "unknown", null, -1), el("a.B$1", "<init>", "B.java", -1), el("", "", "", 0), el("a.\u00dc", "\u4e2d", "\u00dc.java", 3)}); throw x;
      case 11: { Exception w = new Exception("wrapper", x); x.setStackTrace(new StackTraceElement[] {el("set.OnCause", "only", "C.java", 9)}); throw w; }
      case 12: { Exception w = new Exception("with suppressed"); x.setStackTrace(new StackTraceElement[] {el("set.OnSuppressed", "only", "S.java", 9)}); w.addSuppressed(x); throw w; }
      case 13: x.setStackTrace(new StackTraceElement[] {el("first", "set", "F.java", 1)}); x.setStackTrace(new StackTraceElement[] {el("second", "set", "S.java", 2)}); throw x;
      case 14: x.setStackTrace(new StackTraceElement[] {el("before", "fill", "F.java", 1)}); x.fillInStackTrace(); throw x;
      case 15: new InCtor(); break;
      case 16: InClinit.n++; break;
      case 17: { ExecutorService p = Executors.newSingleThreadExecutor();
        try { p.submit(new Callable<Integer>() { public Integer call() { Repo.save(1); return 1; } }).get(); }
        catch (ExecutionException e) { Throwable c = e.getCause(); StackTraceElement[] a = c.getStackTrace(), b = new Throwable().getStackTrace();
          StackTraceElement[] both = Arrays.copyOf(a, a.length + b.length); System.arraycopy(b, 0, both, a.length, b.length); c.setStackTrace(both); throw c; } break; }
      case 18: throw new Remote("remote", new StackTraceElement[] {el("java.util.HashMap", "get", "HashMap.java", 1), el("java.util.Map", "of", "Map.java", 2), el("remote.Service", "lookup", "Service.java", 42)});
      case 19: throw new Fixed("fixed");
      case 20: depth(1); break;
      case 21: { Light l = new Light("set later"); l.setStackTrace(new StackTraceElement[] {el("light.Set", "later", "L.java", 4)}); throw l; }
      case 22: { x.setStackTrace(new StackTraceElement[0]); Exception w = new Exception("w", x); w.setStackTrace(new StackTraceElement[0]); throw w; }
      case 23: { ByteArrayOutputStream o = new ByteArrayOutputStream(); new ObjectOutputStream(o).writeObject(x); throw (Exception) new ObjectInputStream(new ByteArrayInputStream(o.toByteArray())).readObject(); }
      case 24: { Object[] a = new String[1]; a[0] = 1; break; }
      case 25: { int[] a = new int[2]; System.arraycopy(a, 0, a, 1, 5); break; }
      // finalizers
      case 31: drop(31); gc(); break;
      case 32: synchronized (lock) { drop(32); gc(); }  break;
      case 33: drop(33); gc(); break;
      case 34: drop(34); gc(); break; case 44: new Object() { final Cursor c = new Cursor(); protected void finalize() throws Throwable { try { c.close(); } finally { super.finalize(); } } }; break;
      case 35: drop(35); gc(); break;
      case 36: drop(36); gc(); break;
    }
  }
  static class Cursor { void close() { pause(60000); } protected void finalize() { close(); } }
  static class Session { void detach() { synchronized (lock) { lock.hashCode(); } } protected void finalize() { detach(); } }
  static class Handle { long at; protected void finalize() throws Throwable { release(); } void release() throws Throwable {} }
  static class Image extends Handle { void release() throws Throwable { spin(); } void spin() { while (at == 0) Thread.yield(); } protected void finalize() throws Throwable { super.finalize(); } }
  static class Pooled { final ExecutorService p; Pooled(ExecutorService p) { this.p = p; } void end() throws Exception { p.submit(new Callable<Integer>() { public Integer call() { pause(60000); return 1; } }).get(); } protected void finalize() throws Throwable { end(); } }
  static class Waiter { boolean done; synchronized void await() throws InterruptedException { while (!done) wait(); } protected void finalize() throws Throwable { await(); } }
  static void drop(int n) throws Throwable {
    switch (n) { case 31: new Cursor(); break; case 32: new Session(); break; case 33: new Image(); break; case 34: thrower(44); break;
      case 35: new Pooled(Executors.newSingleThreadExecutor()); break; case 36: new Waiter(); break; }
  }
  static void waste() { keep = new byte[8 << 20]; keep = null; }
  static byte[] keep; static void gc() { for (int i = 0; i < 80; i++) { waste(); pause(500); } }
  static void pause(long ms) { try { Thread.sleep(ms); } catch (InterruptedException e) { throw new IllegalStateException(e); } }

  static class Ender implements Thread.UncaughtExceptionHandler {
    public void uncaughtException(Thread t, Throwable x) { Tell.tell(x); crash(0); }
  }
  static class Worker implements Runnable {
    final int n; Worker(int n) { this.n = n; }
    public void run() { try { thrower(n); } catch (Throwable e) { Traced.<RuntimeException>sneak(e); } }
  }
  static <T extends Throwable> void sneak(Throwable x) throws T { @SuppressWarnings("unchecked") T t = (T) x; throw t; }
  static void main(int n) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler(new Ender());
    Thread t = new Thread(new Worker(n), "worker"); t.start(); t.join();
    N.say("FAILED to throw");
  }
}
