package android.app;

/** The field of Android's own class that is set when the system is done with it. */
public class Activity {
  private boolean mDestroyed;
  byte[] state = new byte[64 << 10];

  public void performDestroy() { mDestroyed = true; }
}
