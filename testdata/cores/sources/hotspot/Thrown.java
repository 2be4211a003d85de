/** Ends by exceptions: "uncaught" aborts in the handler of those that nothing caught, "pending" in a native method that has thrown one. */
public class Thrown {
	static class Refused extends RuntimeException {
		Refused(String m, Throwable c) { super(m, c); }
	}

	static native void die();
	static native void raise(String message);

	static void refuse(int n) {
		if (n > 0)
			refuse(n - 1);
		else
			try {
				throw new IllegalStateException("no more");
			} catch (IllegalStateException e) {
				throw new Refused("order 7", e);
			}
	}

	static void serve(String mode) {
		if (mode.equals("pending"))
			raise("in C");
		refuse(3);
	}

	public static void main(String[] args) {
		System.load(args[0]);
		Thread.setDefaultUncaughtExceptionHandler((t, e) -> report(e));
		new Thread(() -> serve(args[1]), "server").start();
	}

	static void report(Throwable e) {
		System.out.println("exception: " + e + "\nexception:   at " + e.getStackTrace()[0]);
		die();
	}
}
