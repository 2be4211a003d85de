package stuck;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
import lib.N;

public class Stuck {
  static native void crash(int n);
  static void pause(long ms) { try { Thread.sleep(ms); } catch (InterruptedException e) { throw new IllegalStateException(e); } }
  static Thread go(String name, Runnable r) { Thread t = new Thread(r, name); t.start(); return t; }
  static final CyclicBarrier two = new CyclicBarrier(2), three = new CyclicBarrier(3);
  static void meet(CyclicBarrier b) { try { b.await(); } catch (Exception e) { throw new IllegalStateException(e); } }

  // classes: two, three, with a monitor, an enum, an interface's constant, a holder
  static class Reader { static final Writer w; static { meet(two); w = Writer.make(); } static Reader make() { return new Reader(); } }
  static class Writer { static final Reader r; static { meet(two); r = Reader.make(); } static Writer make() { return new Writer(); } }
  static class Red { static int n; static { meet(three); n = Green.n; } }
  static class Green { static int n; static { meet(three); n = Blue.n; } }
  static class Blue { static int n; static { meet(three); n = Red.n; } }
  static class Settings { static int n; static { meet(two); synchronized (lock) { n = 1; } } }
  enum Kind { A { int of() { return 1; } }; abstract int of(); static { meet(two); pause(100); Names.first(); } }
  static class Names { static final Map<Kind, String> all = new HashMap<>(); static { meet(two); pause(100); all.put(Kind.A, "a"); } static void first() { all.size(); } }
  interface Shape { Round R = new Round(); void draw(); }
  static class Round implements Shape { static { meet(two); pause(200); } static int n = 2; public void draw() {} static void touch() {} }
  static class Holder { static final Object it; static { try { it = Executors.newSingleThreadExecutor().submit(new Callable<Object>() { public Object call() { return Holder.class.getName() + peek(); } }).get(); } catch (Exception e) { throw new IllegalStateException(e); } } static Object peek() { return it; } }
  static class Loader { static int n; static { Thread t = go("loader", new Runnable() { public void run() { latch.countDown(); n = 2; } }); try { t.join(); } catch (InterruptedException e) { } } }

  static final Object lock = new Object(), other = new Object(), third = new Object();
  static final CountDownLatch latch = new CountDownLatch(1), done = new CountDownLatch(2);
  static final ReentrantLock a = new ReentrantLock(), b = new ReentrantLock(true);
  static class Work implements Runnable { public void run() { step(); } void step() { synchronized (lock) { N.say("never"); } } }
  static class Order implements Runnable {
    final Object x, y; Order(Object x, Object y) { this.x = x; this.y = y; }
    public void run() { synchronized (x) { meet(two); take(); } }
    void take() { synchronized (y) { N.say("never"); } }
  }
  static class Ring implements Runnable {
    final Object x, y; Ring(Object x, Object y) { this.x = x; this.y = y; }
    public void run() { synchronized (x) { meet(three); synchronized (y) { N.say("never"); } } }
  }
  static class Self implements Callable<String> {
    FutureTask<String> me;
    public String call() throws Exception { return me.get(); }
  }
  static class Peer implements Callable<String> {
    Future<String> of;
    public String call() throws Exception { meet(two); pause(200); return of.get(); }
  }
  static class Account {
    int n; Account(int n) { this.n = n; }
    synchronized void move(Account to) { meet(two); to.add(1); }
    synchronized void add(int k) { n += k; }
  }
  static class Stop implements Runnable {
    final ExecutorService p; Stop(ExecutorService p) { this.p = p; }
    public void run() { p.shutdown(); try { p.awaitTermination(1, TimeUnit.DAYS); } catch (InterruptedException e) { } }
  }
  static class Sub implements Callable<Integer> {
    final ExecutorService p; Sub(ExecutorService p) { this.p = p; }
    public Integer call() throws Exception { return p.submit(new Callable<Integer>() { public Integer call() { return 1; } }).get(); }
  }
  static class Get implements java.util.function.Supplier<Integer> {
    final ExecutorService p; Get(ExecutorService p) { this.p = p; }
    public Integer get() { return CompletableFuture.supplyAsync(new java.util.function.Supplier<Integer>() { public Integer get() { return 1; } }, p).join(); }
  }
  static class Arriving implements Runnable {
    final Phaser p; Arriving(Phaser p) { this.p = p; }
    public void run() { synchronized (lock) { N.say("never"); } p.arrive(); }
  }
  static class Ride implements Runnable {
    final CyclicBarrier of; Ride(CyclicBarrier of) { this.of = of; }
    public void run() { synchronized (lock) { N.say("never"); } meet(of); }
  }
  static class Permit implements Runnable {
    final Semaphore x, y; Permit(Semaphore x, Semaphore y) { this.x = x; this.y = y; }
    public void run() { try { x.acquire(); meet(two); y.acquire(); x.release(); y.release(); } catch (InterruptedException e) { } }
  }
  static class Timed implements Callable<Integer> {
    final ScheduledExecutorService s; Timed(ScheduledExecutorService s) { this.s = s; }
    public Integer call() throws Exception { return s.schedule(new Callable<Integer>() { public Integer call() { return 1; } }, 1, TimeUnit.MILLISECONDS).get(); }
  }
  static class Joined implements Runnable {
    final Thread t; Joined(Thread t) { this.t = t; }
    public void run() { meet(two); pause(100); try { t.join(); } catch (InterruptedException e) { } }
  }
  static class Notify implements Runnable { public void run() { synchronized (other) { synchronized (lock) { lock.notifyAll(); } } } }
  static class Locker implements Runnable {
    final Lock x; final Object y; Locker(Lock x, Object y) { this.x = x; this.y = y; }
    public void run() { x.lock(); try { meet(two); synchronized (y) { N.say("never"); } } finally { x.unlock(); } }
  }
  static class Fork extends RecursiveTask<Integer> {
    ForkJoinTask<Integer> of; final int n; Fork(int n) { this.n = n; }
    protected Integer compute() { meet(two); pause(300); return of.join(); }
  }

  static void run(int n) throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor(), pool = Executors.newFixedThreadPool(2);
    switch (n) {
      case 1: go("writer", new Runnable() { public void run() { Writer.make(); } }); Reader.make(); break;
      case 2: go("green", new Runnable() { public void run() { Green.n++; } }); go("blue", new Runnable() { public void run() { Blue.n++; } }); Red.n++; break;
      case 3: go("settings", new Runnable() { public void run() { Settings.n++; } }); synchronized (lock) { meet(two); Settings.n = 2; } break;
      case 4: go("names", new Runnable() { public void run() { Names.first(); } }); Kind.A.of(); break;
      case 5: Holder.peek(); break;
      case 6: Loader.n++; break;
      case 7: { Self s = new Self(); s.me = new FutureTask<String>(s); s.me.run(); break; }
      case 8: { Peer x = new Peer(), y = new Peer(); FutureTask<String> f = new FutureTask<>(x), g = new FutureTask<>(y); x.of = g; y.of = f; go("f", f); g.run(); break; }
      case 9: one.submit(new Sub(one)).get(); break;
      case 10: CompletableFuture.supplyAsync(new Get(one), one).join(); break;
      case 11: one.submit(new Stop(one)).get(); break;
      case 12: { ScheduledExecutorService s = Executors.newScheduledThreadPool(1); s.submit(new Timed(s)).get(); break; }
      case 13: { CountDownLatch l = new CountDownLatch(1); final CountDownLatch m = l; synchronized (lock) { go("counter", new Runnable() { public void run() { new Work().run(); m.countDown(); } }); l.await(); } break; }
      case 14: { Semaphore x = new Semaphore(1), y = new Semaphore(1); go("second", new Permit(y, x)); new Permit(x, y).run(); break; }
      case 15: { Phaser p = new Phaser(2); synchronized (lock) { go("arriving", new Arriving(p)); p.arriveAndAwaitAdvance(); } break; }
      case 16: { CyclicBarrier c = new CyclicBarrier(2); synchronized (lock) { go("ride", new Ride(c)); c.await(); } break; }
      case 17: { ReentrantReadWriteLock rw = new ReentrantReadWriteLock(true); rw.readLock().lock(); rw.readLock().lock(); rw.writeLock().lock(); break; }
      case 18: { StampedLock s = new StampedLock(); s.writeLock(); s.readLock(); break; }
      case 19: { StampedLock s = new StampedLock(); s.readLock(); s.writeLock(); break; }
      case 20: go("locker", new Locker(a, lock)); synchronized (lock) { meet(two); a.lock(); } break;
      case 21: go("locker", new Locker(b, lock)); synchronized (lock) { meet(two); b.lockInterruptibly(); } break;
      case 22: Thread.currentThread().join(); break;
      case 23: { Account x = new Account(1), y = new Account(2); final Account p = x, q = y; go("mover", new Runnable() { public void run() { q.move(p); } }); x.move(y); break; }
      case 24: go("r2", new Ring(other, third)); go("r3", new Ring(third, lock)); new Ring(lock, other).run(); break;
      case 25: synchronized (lock) { go("notifier", new Notify()); synchronized (other) { lock.wait(); } } break;
      case 26: { ArrayBlockingQueue<Integer> q = new ArrayBlockingQueue<>(1); q.put(1); q.put(2); break; }
      case 27: { ForkJoinPool p = new ForkJoinPool(2); Fork x = new Fork(1), y = new Fork(2); x.of = y; y.of = x; p.execute(x); p.submit(y).join(); break; }
      case 28: { final Thread me = Thread.currentThread(); Thread t = go("joined", new Joined(me)); meet(two); t.join(); break; }
      case 29: synchronized (lock) { pool.submit(new Work()).get(5, TimeUnit.HOURS); } break;
      case 30: { ReentrantReadWriteLock rw = new ReentrantReadWriteLock(); final Lock w = rw.writeLock(); go("w", new Locker(w, lock)); synchronized (lock) { meet(two); rw.readLock().lock(); } break; }
      case 31: { Condition c = a.newCondition(); a.lock(); c.await(); break; }
      case 32: new SynchronousQueue<String>().put("x"); break;
      case 33: new Exchanger<String>().exchange("x"); break;
      case 34: synchronized (lock) { CompletableFuture.runAsync(new Work()).thenRun(new Runnable() { public void run() { N.say("never"); } }).get(); } break;
      case 35: pool.invokeAll(Arrays.asList(new Slow(), new Slow())); break;
      case 36: { ExecutorCompletionService<Integer> e = new ExecutorCompletionService<>(pool); e.submit(new Slow()); e.take(); break; }
      case 37: { StampedLock s = new StampedLock(); final StampedLock t = s; synchronized (lock) { go("reader", new Runnable() { public void run() { long k = t.readLock(); meet(two); new Work().run(); t.unlockRead(k); } }); meet(two); s.writeLock(); } break; }
      case 38: { Timer t = new Timer("timer"); synchronized (lock) { final CountDownLatch l = new CountDownLatch(1); t.schedule(new TimerTask() { public void run() { new Work().run(); l.countDown(); } }, 10); l.await(); } break; }
    }
  }
  static class Slow implements Callable<Integer> { public Integer call() { pause(60000); return 1; } }

  static void main(int n) throws Exception {
    Thread d = new Thread(new Runnable() { public void run() { pause(2000); crash(0); } }, "watchdog"); d.setDaemon(true); d.start();
    run(n);
  }
}
