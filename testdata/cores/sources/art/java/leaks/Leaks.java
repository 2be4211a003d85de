package leaks;

import android.app.Activity;
import android.graphics.Bitmap;
import android.os.Looper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Activities that were destroyed and bitmaps that were not recycled, each kind held from two places. */
public class Leaks {
  static native void crash(int n);

  static class MainActivity extends Activity {}

  static class Screens {
    static final List<Activity> history = new ArrayList<>();
  }
  static class Images {
    static final Map<Integer, Bitmap> cache = new HashMap<>();
    static final List<Bitmap> shown = new ArrayList<>();
  }

  static Activity destroyed() {
    Activity a = new MainActivity();
    a.performDestroy();
    return a;
  }

  // COUNT activities in a list, and one that was posted.
  static void main(int n) {
    for (int i = 0; i < n; i++) Screens.history.add(destroyed());
    Looper.getMainLooper().post(destroyed());
    for (int i = 0; i < 200; i++) Images.cache.put(i, new Bitmap(0x10000 + 16 * i, 200, 100, null));
    for (int i = 0; i < 150; i++) Images.shown.add(new Bitmap(0, 50, 50, new byte[10000]));
    for (int i = 0; i < 120; i++) {
      Bitmap b = new Bitmap(0, 10, 10, null);
      b.recycle();
      Images.shown.add(b);
    }
    crash(0);
  }
}
