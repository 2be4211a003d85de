import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads whose Java frames are all interpreted, at depths that tell them apart.
 * It writes down what Thread.getAllStackTraces says of them, as truth.json, and
 * dies of a signal from outside. Arguments: the core's name, the java program.
 * No lambda and no reflection: some of their frames are hidden from Java.
 */
public class Interpreted {
	static volatile boolean go = true;
	static volatile long count;
	static final Object lock = new Object();

	abstract static class Body implements Runnable {
		final String name, anchor;
		final int depth;

		/** anchor is the native function that the innermost Java frame has called; null if none. */
		Body(String name, String anchor, int depth) {
			this.name = name;
			this.anchor = anchor;
			this.depth = depth;
		}

		public void run() { down(depth); }

		void down(int n) {
			if (n == 0)
				body();
			else
				further(n - 1, 1L, 2.5, this);
		}

		// Arguments make the frames of different sizes.
		void further(int n, long a, double b, Object c) { down(n); }

		abstract void body();
	}

	static void sleep() {
		try {
			Thread.sleep(1000000);
		} catch (InterruptedException e) {
		}
	}

	/** Its initialiser runs below frames of the virtual machine. */
	static class Late {
		static int value = 1;
		static { Interpreted.sleep(); }
	}

	static final Body[] bodies = {
		new Body("sleeper", "JVM_Sleep", 10) { void body() { sleep(); } },
		new Body("initialiser", "JVM_Sleep", 12) { void body() { count = Late.value; } },
		new Body("parker", "Unsafe_Park", 14) { void body() { LockSupport.park(); } },
		new Body("spinner", null, 16) { void body() { while (go) count++; } },
		new Body("deep", "JVM_Sleep", 300) { void body() { sleep(); } },
		new Body("waiter", "JVM_MonitorWait", 18) {
			void body() {
				synchronized (lock) {
					try {
						lock.wait();
					} catch (InterruptedException e) {
					}
				}
			}
		},
	};

	/** The frames from the inside out; each run of Java frames is entered by a stub and JavaCalls::call_helper. */
	static String pattern(Body b, StackTraceElement[] stack) {
		List<String> out = new ArrayList<>();
		if (b.anchor != null) {
			out.add("...");
			out.add(b.anchor);
		}
		for (StackTraceElement e : stack) {
			out.add(e.getClassName() + "." + e.getMethodName());
			if (e.getMethodName().equals("<clinit>")) {
				out.add("call_stub");
				out.add("JavaCalls::call_helper");
				out.add("...");
			}
		}
		out.add("call_stub");
		out.add("JavaCalls::call_helper");
		out.add("...");
		return "[\"" + String.join("\", \"", out) + "\"]";
	}

	public static void main(String[] args) throws Exception {
		Map<String, Body> known = new java.util.HashMap<>();
		for (Body b : bodies) {
			Thread t = new Thread(b, b.name);
			t.setDaemon(true);
			t.start();
			known.put(b.name, b);
		}
		Thread.sleep(2000);
		List<String> threads = new ArrayList<>();
		for (Map.Entry<Thread, StackTraceElement[]> e : Thread.getAllStackTraces().entrySet()) {
			Body b = known.get(e.getKey().getName());
			if (b != null)
				threads.add("    {\"who\": \"name:" + b.name + "\", \"frames\": " + pattern(b, e.getValue()) + "}");
		}
		try (PrintWriter w = new PrintWriter("frames.json")) {
			w.printf("{\n  \"name\": \"%s\",\n  \"core\": \"core\",\n  \"exe\": \"%s\",\n  \"needs\": \"runtime\",\n  \"threads\": [\n%s\n  ]\n}\n",
				args[0], args[1], String.join(",\n", threads));
		}
		new ProcessBuilder("kill", "-ABRT", Long.toString(ProcessHandle.current().pid())).start();
		Thread.sleep(60000);
	}
}
