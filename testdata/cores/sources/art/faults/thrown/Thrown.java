package thrown;
import java.io.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;
import java.security.*;
import lib.*;

public class Thrown {
  static native void crash(int n);

  // --- shapes of an app
  public static class Presenter {
    Object view;
    public void bind() { view.hashCode(); }
    public static void open(String path) throws IOException { throw new FileNotFoundException(path + " (No such file or directory)"); }
  }
  static class Config {
    static final int limit = Integer.parseInt("many");
  }
  static class Registry {
    static final Map<String, Object> all = new HashMap<>();
    static { load(); }
    static void load() { throw new IllegalStateException("the registry is locked", new ConcurrentModificationException()); }
  }
  interface Store { void put(String k); }
  static class Failing implements InvocationHandler {
    public Object invoke(Object p, Method m, Object[] args) throws Throwable { throw new IOException("the disk is full"); }
  }
  static class Nested extends RuntimeException {
    final Throwable nested;
    Nested(String m, Throwable n) { super(m); nested = n; }
    @Override public Throwable getCause() { return nested; }
  }
  static class Guarded extends RuntimeException {
    private Throwable root;
    Guarded(String m, Throwable n) { super(m); root = n; }
    @Override public synchronized Throwable getCause() { return root == this ? null : root; }
  }
  static class Delegating extends Exception {
    private final Exception inner;
    Delegating(String m, Exception n) { super(m); inner = n; }
    public Exception getInner() { return inner; }
    @Override public Throwable getCause() { return getInner(); }
  }
  static class Either extends RuntimeException {
    Throwable other;
    Either(String m, Throwable c, Throwable o) { super(m, c); other = o; }
    @Override public Throwable getCause() { Throwable c = super.getCause(); return c != null ? c : other; }
  }
  static class Hiding extends Nested {
    final Throwable nested;
    Hiding(String m, Throwable seen, Throwable hidden) { super(m, seen); nested = hidden; }
  }
  static class NoCause extends RuntimeException {
    NoCause(String m, Throwable c) { super(m, c); }
    @Override public Throwable getCause() { return null; }
  }
  static class Listed extends RuntimeException {
    final List<Throwable> all = new ArrayList<>();
    Listed(String m, Throwable... xs) { super(m); all.addAll(Arrays.asList(xs)); }
    @Override public Throwable getCause() { return all.isEmpty() ? null : all.get(0); }
  }
  static class Bare extends RuntimeException {
    Bare(String m, Throwable c) { super(m, c, false, false); }
  }
  static class Cursor implements AutoCloseable {
    final String name; final Throwable of;
    Cursor(String name, Throwable of) { this.name = name; this.of = of; }
    public void close() { throw new IllegalStateException("cursor " + name + " was open", of); }
  }
  static class Model {
    final Object field;
    Model(Object o) { field = check(o); }
    Object check(Object o) { if (o == null) throw new NullPointerException("o"); return o; }
  }
  static class Step implements Callable<String> {
    public String call() throws Exception { Presenter.open("/data/step"); return ""; }
  }
  static class Sum extends RecursiveTask<Integer> {
    final int n; Sum(int n) { this.n = n; }
    protected Integer compute() {
      if (n == 0) throw new ArithmeticException("n is 0");
      Sum s = new Sum(n - 1); s.fork(); return s.join() + 1;
    }
  }
  static int deep(int n) { return n == 0 ? 0 : deep(n + 1) + 1; }
  static Throwable chain(int n) {
    Throwable x = new IllegalArgumentException("the root");
    for (int i = 1; i < n; i++) x = new RuntimeException("layer " + i, x);
    return x;
  }
  static <T extends Throwable> void sneak(Throwable x) throws T { @SuppressWarnings("unchecked") T t = (T) x; throw t; }

  static void thrower(int n) throws Exception {
    switch (n) {
      case 1: Presenter.class.getMethod("bind").invoke(new Presenter()); break;
      case 2: System.out.println(Config.limit); break;
      case 3: try { Registry.all.size(); } catch (Error e) { } Registry.all.size(); break;
      case 4: ((Store) Proxy.newProxyInstance(Thrown.class.getClassLoader(), new Class<?>[] {Store.class}, new Failing())).put("k"); break;
      case 5: try { new Model(null); } catch (NullPointerException e) { throw new ClassNotFoundException("plugin.Main", e); } break;
      case 6: try { new Presenter().bind(); } catch (RuntimeException e) { throw new Nested("render failed", e); } break;
      case 7: try { new Presenter().bind(); } catch (RuntimeException e) { throw new Guarded("guarded", e); } break;
      case 8: try { Presenter.open("/a"); } catch (IOException e) { throw new Delegating("delegating", e); } break;
      case 9: throw new Either("either", null, new UnsupportedOperationException("the other"));
      case 10: Exception a = new Exception("a"), b = new Exception("b"); a.initCause(b); b.initCause(a); throw a;
      case 11:
        try (Cursor x = new Cursor("x", null); Cursor y = new Cursor("y", new EOFException())) { new Presenter().bind(); }
        break;
      case 12: {
        Throwable s = new IOException("s", new Nested("in s", new TimeoutException("late")));
        s.addSuppressed(new Error("below s"));
        RuntimeException x = new RuntimeException("x", new Nested("n", s)); x.addSuppressed(s); throw x; }
      case 13: { ExecutorService p = Executors.newSingleThreadExecutor(); p.submit(new Step()).get(); break; }
      case 14: CompletableFuture.supplyAsync(new java.util.function.Supplier<String>() { public String get() { new Presenter().bind(); return ""; } }).join(); break;
      case 15: { Exception x = new RuntimeException((Throwable) null); throw new Exception(null, x); }
      case 16: try { AccessController.doPrivileged(new PrivilegedExceptionAction<String>() { public String run() throws Exception { Presenter.open("/p"); return ""; } }); } catch (PrivilegedActionException e) { throw e; } break;
      case 17: throw new UncheckedIOException("unchecked", new WriteAbortedException("writing aborted", new NotSerializableException("app.Session")));
      case 18: sneak(chain(30)); break;
      case 19: try { deep(1); } catch (StackOverflowError e) { throw new IllegalStateException("too deep", e); } break;
      case 20: new ForkJoinPool(2).invoke(new Sum(3)); break;
      case 21: throw new Hiding("hiding", new IOException("seen"), new Error("hidden"));
      case 22: throw new NoCause("no cause", new IOException("not shown"));
      case 23: throw new Listed("listed", new IOException("first"), new IOException("second"));
      case 24: try { new Presenter().bind(); } catch (Exception e) { Bare x = new Bare("bare", e); x.addSuppressed(new Error()); throw x; } break;
      case 25: throw new Error("lines:\n\tone\n\ttwo", new Exception(""));
      case 26: throw new javax.xml.transform.TransformerException("transform", new ExecutionException("exec", new InvocationTargetException(new AssertionError("target"), "why")));
      case 27: throw new InvocationTargetException(null);
      case 28: Constructor<Model> c = Model.class.getDeclaredConstructor(Object.class); c.newInstance((Object) null); break;
      case 29: throw new UndeclaredThrowableException(new ClassNotFoundException("x", new LinkageError("link")), "undeclared");
      case 30: throw new DirectoryWrapper(new java.nio.file.DirectoryIteratorException(new IOException("dir")));
    }
  }
  static class DirectoryWrapper extends RuntimeException { DirectoryWrapper(Throwable t) { super(t); } }

  static class Ender implements Thread.UncaughtExceptionHandler {
    public void uncaughtException(Thread t, Throwable x) { Tell.tell(x); crash(0); }
  }
  static class Worker implements Runnable {
    final int n; Worker(int n) { this.n = n; }
    public void run() { try { thrower(n); } catch (Exception e) { Thrown.<RuntimeException>sneak(e); } }
  }
  static void main(int n) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler(new Ender());
    Thread t = new Thread(new Worker(n), "worker"); t.start(); t.join();
    N.say("FAILED to throw");
  }
}
