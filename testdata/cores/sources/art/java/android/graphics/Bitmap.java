package android.graphics;

/** The fields of Android's own class. */
public class Bitmap {
  private final long mNativePtr;
  private final int mWidth, mHeight;
  private boolean mRecycled;
  private byte[] mBuffer;

  public Bitmap(long at, int width, int height, byte[] pixels) {
    mNativePtr = at;
    mWidth = width;
    mHeight = height;
    mBuffer = pixels;
  }
  public void recycle() { mRecycled = true; }
}
