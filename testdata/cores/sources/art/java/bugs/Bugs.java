package bugs;

import java.util.ArrayList;

/** Calls of natives that end the process; COUNT says which. */
public class Bugs {
  static class Session { int id; }

  // Those of JNI that ART aborts for, and a recursion that ends the stack. See natives.c.
  static native void globals(Object a, Object b, Object c);
  static native void weak(Object a, Object b, Object c);
  static native void fatal(String why);
  static native void stale(Object o);
  static native void pending(Throwable x);
  static native int deep(int n);

  static void refer(boolean weakly) {
    Object a = new Session(), b = new ArrayList<String>(), c = new Session[1];
    if (weakly) weak(a, b, c);
    else globals(a, b, c);
  }

  static class Job implements Runnable {
    public void run() { deep(1); }
  }

  static void main(int n) throws Exception {
    switch (n) {
      case 1: refer(false); break;
      case 2: refer(true); break;
      case 3: fatal("the disk is full"); break;
      case 4: stale(new Session()); break;
      case 7: pending(new IllegalStateException("closed")); break;
      case 5: new Job().run(); break;
      case 6: Thread t = new Thread(new Job(), "digger"); t.start(); t.join(); break;
    }
  }
}
