package hung;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import lib.N;

/** Main hangs without a circle. A number above 100 is the same bug as the one 100 below, reached in another program. */
public class Hung {
  static native void crash(int n);
  static native void parkNative();
  static void pause(long ms) { try { Thread.sleep(ms); } catch (InterruptedException e) { throw new IllegalStateException(e); } }
  static Thread go(String name, Runnable r) { Thread t = new Thread(r, name); t.start(); return t; }
  static class Slow implements Callable<Integer>, Runnable { public Integer call() { pause(60000); return 1; } public void run() { call(); } }

  static class Cart { Object ready = new Object(); void load() throws Exception { synchronized (ready) { ready.wait(); } } }
  static class Mail { synchronized void fetch() throws Exception { wait(3600000L); } }
  static class Player { volatile boolean ok; void prepare() { while (!ok) LockSupport.park(this); } }
  static class Audio { volatile boolean ok; void drain() { while (!ok) LockSupport.parkNanos(3600000000000L); } }
  static class Retry { void backoff() { pause(600000); } }
  static class Net { void connect() { Hung.parkNative(); } }
  static class Binder { static int transact(int code) { Hung.parkNative(); return 0; } }
  static class Service { Service() { Binder.transact(1); } }
  static class Prefs { static int n; static { n = Binder.transact(2); } static void apply() { n++; } }
  static class Queue1 { final LinkedBlockingQueue<String> q = new LinkedBlockingQueue<>(); String next() throws Exception { return q.take(); } }
  static class Queue2 { final PriorityBlockingQueue<String> q = new PriorityBlockingQueue<>(); String pick() throws Exception { return q.take(); } }
  static class Gate { final CountDownLatch l = new CountDownLatch(1); void enter() throws Exception { l.await(); } }
  static class Pool { final Semaphore s = new Semaphore(0); void borrow() { s.acquireUninterruptibly(); } }
  static class Render { final Phaser p = new Phaser(2); void sync() { p.arriveAndAwaitAdvance(); } }
  static class Index { final ReentrantReadWriteLock rw = new ReentrantReadWriteLock(); int find() { rw.readLock().lock(); try { return 1; } finally { rw.readLock().unlock(); } } }
  static class Cache { final ReentrantLock l = new ReentrantLock(); int get() { l.lock(); try { return 1; } finally { l.unlock(); } } }
  static class Db { synchronized void query() { N.say("q"); } synchronized void slow() { pause(60000); } }
  static class Ui { void show(Future<Integer> f) throws Exception { f.get(); } }
  static class Api { void call(CompletableFuture<Integer> f) { f.join(); } }
  static class Shut { void close(Thread t) throws Exception { t.join(); } }
  static class Spin { volatile int n; void wait0() { while (n == 0) { } } }
  static class Yield { volatile int n; void poll() { while (n == 0) Thread.yield(); } }
  static class Parse { int go(int k) { int s = 0; while (true) { s = s * 31 + k; if (s == 7 && k == 1) return s; } } }
  static class Iter { Iterator<Integer> endless() { return new Iterator<Integer>() { public boolean hasNext() { return true; } public Integer next() { return 1; } }; } int sum() { int n = 0; for (Iterator<Integer> i = endless(); i.hasNext();) n += i.next(); return n; } }

  static void other(final int n) throws Exception { new Object() { void again() throws Exception { start(n); } }.again(); }
  static void start(int n) throws Exception {
    switch (n) {
      case 1: new Cart().load(); break;
      case 2: new Mail().fetch(); break;
      case 3: new Player().prepare(); break;
      case 4: new Audio().drain(); break;
      case 5: new Retry().backoff(); break;
      case 6: new Net().connect(); break;
      case 7: new Service(); break;
      case 8: Prefs.apply(); break;
      case 9: new Queue1().next(); break;
      case 10: new Queue2().pick(); break;
      case 11: new Gate().enter(); break;
      case 12: new Pool().borrow(); break;
      case 13: new Render().sync(); break;
      case 14: { final Index x = new Index(); go("writer", new Runnable() { public void run() { x.rw.writeLock().lock(); pause(60000); } }); pause(200); x.find(); break; }
      case 15: { final Cache x = new Cache(); go("owner", new Runnable() { public void run() { x.l.lock(); pause(60000); } }); pause(200); x.get(); break; }
      case 16: { final Db x = new Db(); go("db", new Runnable() { public void run() { x.slow(); } }); pause(200); x.query(); break; }
      case 17: new Ui().show(Executors.newSingleThreadExecutor().submit((Callable<Integer>) new Slow())); break;
      case 18: new Api().call(CompletableFuture.supplyAsync(new java.util.function.Supplier<Integer>() { public Integer get() { pause(60000); return 1; } })); break;
      case 19: new Shut().close(go("joined", new Slow())); break;
      case 20: new Spin().wait0(); break;
      case 21: new Yield().poll(); break;
      case 22: new Parse().go(2); break;
      case 23: new Iter().sum(); break;
      case 24: android.os.Looper.loop(); break;
      case 25: new android.os.Handler().runWithScissors(new Slow()); break;
    }
  }
  static void main(int n) throws Exception {
    Thread d = new Thread(new Runnable() { public void run() { pause(2000); crash(0); } }, "watchdog"); d.setDaemon(true); d.start();
    if (n > 100) other(n - 100); else start(n);
  }
}
