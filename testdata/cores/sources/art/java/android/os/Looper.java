package android.os;

import java.util.ArrayList;

/** Holds what was posted, as Android's does by way of its queue. */
public class Looper {
  private static Looper sMainLooper = new Looper();
  final ArrayList<Object> messages = new ArrayList<>();

  public static Looper getMainLooper() { return sMainLooper; }
  public void post(Object o) { messages.add(o); }
}
