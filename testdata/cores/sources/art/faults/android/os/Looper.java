package android.os;
public class Looper {
  static final MessageQueue queue = new MessageQueue();
  public static void loop() { for (;;) { Object m = queue.next(); if (m == null) return; } }
}
