import java.util.ArrayList;
import java.util.List;

/** Fills the heap, for which the JVM ends the process (-XX:+CrashOnOutOfMemoryError). */
public class Full {
	static final List<byte[]> kept = new ArrayList<>();

	static void fill(int size) {
		for (;;)
			kept.add(new byte[size]);
	}

	public static void main(String[] args) {
		fill(1 << 20);
	}
}
