package waits;

import java.util.Arrays;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Threads that wait for each other, or only for a while; COUNT says which case. */
public class Waits {
  static native void crash(int n);

  static final CountDownLatch never = new CountDownLatch(1);
  static final Object lock = new Object(), other = new Object();

  static class First {
    static int n;
    static { both(); n = Second.n + 1; }
  }
  static class Second {
    static int n;
    static { both(); n = First.n + 1; }
  }
  static class Parent {
    static Object child;
    static { both(); pause(200); child = new Child(); }
  }
  static class Child extends Parent {
    static int n = 3;
  }
  static class Lazy {
    static int n;
    static {
      Thread t = start("loader", new Runnable() { public void run() { n++; } });
      try { t.join(); } catch (InterruptedException e) { n = 1; }
    }
  }
  static class Slow {
    static int n;
    static { pause(60000); n = 1; }
  }

  static final CyclicBarrier two = new CyclicBarrier(2);

  static void both() {
    try { two.await(); } catch (Exception e) { throw new IllegalStateException(e); }
  }

  static void pause(long ms) {
    try { Thread.sleep(ms); } catch (InterruptedException e) { throw new IllegalStateException(e); }
  }

  static Thread start(String name, Runnable r) {
    Thread t = new Thread(r, name);
    t.start();
    return t;
  }

  static void inClasses(int which) {
    if (which == 0) First.n++;
    if (which == 1) Second.n++;
    if (which == 2) Parent.child = null;
    if (which == 3) { both(); Child.n++; }
    if (which == 4) Lazy.n++;
    if (which == 5) Slow.n++;
  }

  static class InClasses implements Runnable {
    int which;
    InClasses(int which) { this.which = which; }
    public void run() { inClasses(which); }
  }

  static class Locking implements Callable<Integer>, Runnable {
    public Integer call() { synchronized (lock) { return 1; } }
    public void run() { call(); }
  }

  static class Sleeping implements Callable<Integer>, Runnable {
    public Integer call() { pause(60000); return 1; }
    public void run() { call(); }
  }

  static class Nested implements Callable<Integer> {
    final ExecutorService pool;
    Nested(ExecutorService pool) { this.pool = pool; }
    public Integer call() throws Exception {
      pause(300);
      return pool.submit((Callable<Integer>) new Sleeping()).get();
    }
  }

  static class Counting implements Runnable {
    final CountDownLatch latch;
    final Runnable first;
    Counting(CountDownLatch latch, Runnable first) { this.latch = latch; this.first = first; }
    public void run() { first.run(); latch.countDown(); }
  }

  static class Upgrade implements Runnable {
    final ReentrantReadWriteLock rw;
    final boolean wait;
    Upgrade(ReentrantReadWriteLock rw, boolean wait) { this.rw = rw; this.wait = wait; }
    public void run() {
      rw.readLock().lock();
      if (wait) both();
      rw.writeLock().lock();
    }
  }

  static class Reading implements Runnable {
    final ReentrantReadWriteLock rw;
    final Runnable then;
    Reading(ReentrantReadWriteLock rw, Runnable then) { this.rw = rw; this.then = then; }
    public void run() {
      rw.readLock().lock();
      both();
      pause(200);
      then.run();
    }
  }

  static class Joining implements Runnable {
    final Thread[] of;
    Joining(Thread[] of) { this.of = of; }
    public void run() {
      pause(200);
      try { of[0].join(); } catch (InterruptedException e) { pause(1); }
    }
  }

  static void run(int n) throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor(), pool = Executors.newFixedThreadPool(2);
    ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
    CountDownLatch latch = new CountDownLatch(1);
    switch (n) {
      case 1: start("second", new InClasses(1)); inClasses(0); break;
      case 2: start("child", new InClasses(3)); inClasses(2); break;
      case 3: inClasses(4); break;
      case 4: synchronized (lock) { one.submit((Callable<Integer>) new Locking()).get(); } break;
      case 5: one.submit(new Nested(one)).get(); break;
      case 6: pool.invokeAll(Arrays.asList(new Nested(pool), new Nested(pool))); break;
      case 7: synchronized (lock) { start("counter", new Counting(latch, new Locking())); latch.await(); } break;
      case 8: new Upgrade(rw, false).run(); break;
      case 9: start("other upgrade", new Upgrade(rw, true)); new Upgrade(rw, true).run(); break;
      case 10: start("reader", new Reading(rw, new Locking())); both();
        synchronized (lock) { rw.writeLock().lock(); } break;
      case 11: synchronized (lock) { start("joined", new Locking()).join(); } break;
      case 12: Thread[] me = {Thread.currentThread()};
        start("joiner", new Joining(me)).join(); break;
      case 13: synchronized (lock) { CompletableFuture.runAsync(new Locking(), one).get(); } break;
      case 14: synchronized (lock) {
          ScheduledExecutorService s = Executors.newScheduledThreadPool(1);
          s.schedule((Callable<Integer>) new Locking(), 10, TimeUnit.MILLISECONDS).get();
        } break;
      // Nothing of these is a deadlock.
      case 21: start("slow", new InClasses(5)); pause(300); inClasses(5); break;
      case 22: one.submit((Callable<Integer>) new Sleeping()).get(); break;
      case 23: pool.submit(new Nested(pool)).get(); break;
      case 24: start("counter", new Counting(latch, new Sleeping())); latch.await(); break;
      case 25: start("reader", new Reading(rw, new Sleeping())); both(); rw.writeLock().lock(); break;
      case 26: start("sleeper", new Sleeping()).join(); break;
      case 27: never.await(); break;
      case 28: synchronized (Waits.class) { Waits.class.wait(); } break;
    }
  }

  static void main(int n) throws Exception {
    start("watchdog", new Runnable() { public void run() { pause(1500); crash(0); } });
    run(n);
  }
}
