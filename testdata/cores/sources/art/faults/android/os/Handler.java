package android.os;
public class Handler {
  static class BlockingRunnable { boolean done; synchronized boolean postAndWait(Runnable r) { while (!done) { try { wait(); } catch (InterruptedException e) { } } return true; } }
  public final boolean runWithScissors(Runnable r) { return new BlockingRunnable().postAndWait(r); }
}
