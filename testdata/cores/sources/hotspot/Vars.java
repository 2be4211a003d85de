import java.util.*;

/**
 * Frames with variables of all types, for a core that says of them what the program has printed. It says "ready" when its thread stands still.
 * It is compiled for Java 8, with and without names.
 */
public class Vars {
	static int sink;
	final String tag;

	Vars(String tag) { this.tag = tag; }

	static void stop(Object... all) {
		StringBuilder s = new StringBuilder();
		for (Object o : all)
			s.append(" ").append(o);
		System.out.println("var" + s);
	}

	int inner(int number, long large, String text, double real) {
		boolean flag = number > 3;
		byte small = (byte) (number - 100);
		char letter = (char) ('a' + number);
		short half = (short) (number * 1000);
		float part = number / 8f;
		int[] list = {number, number + 1};
		String missing = null;
		stop("inner", "this=" + tag, "number=" + number, "large=" + large, "text=" + text, "real=" + real, "flag=" + flag, "small=" + small, "letter=" + letter,
			"half=" + half, "part=" + part, "list=" + list.length, "missing=" + missing);
		System.out.println("ready");
		try {
			Thread.sleep(100000000);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
		return number + (int) large + text.length() + (int) real + (flag ? 1 : 0) + small + letter + half + (int) part + list[1] + (missing == null ? tag.length() : 1);
	}

	static long middle(Vars v, long a, int b) {
		String key = "key " + b;
		long sum = a + b;
		for (int i = 0; i < b; i++) {
			String step = key + i;
			if (i == 2) {
				stop("middle", "v=Vars", "a=" + a, "b=" + b, "key=" + key, "sum=" + sum, "i=" + i, "step=" + step);
				sum += v.inner(i + 5, sum * 1000000007L, step, sum / 4.0) + step.length();
			}
		}
		sink += key.length() + (int) sum;
		return sum + a * b;
	}

	public static void main(String[] args) {
		middle(new Vars("tag " + args.length), 1L << 40, 6);
	}
}
