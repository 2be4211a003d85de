package android.os;
public class MessageQueue {
  native void nativePollOnce(long ptr, int timeout);
  Object next() { for (;;) { nativePollOnce(1, -1); } }
}
