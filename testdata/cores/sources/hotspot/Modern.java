import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

/**
 * Grid's threads for later releases: records, sealed classes, switches, strings that are put together by invokedynamic, and, where there
 * are some, virtual threads: one that is pinned, parked ones, and tasks of a scope. It is compiled for Java 17.
 */
public class Modern {
	sealed interface Shape permits Circle, Square, Pair {}

	record Circle(double radius) implements Shape {
		Circle {
			if (radius > 100)
				Grid.nap();
		}
	}

	record Square(double side) implements Shape {
		@Override
		public boolean equals(Object o) {
			Grid.nap();
			return o instanceof Square;
		}

		@Override
		public int hashCode() { return 1; }

		@Override
		public String toString() {
			Grid.nap();
			return "a square";
		}
	}

	record Pair(Shape left, Shape right) implements Shape {}

	enum Kind {
		ROUND {
			@Override
			double area(Shape s) { return Math.PI; }
		},
		STRAIGHT {
			@Override
			double area(Shape s) {
				Grid.nap();
				return 1;
			}
		};

		abstract double area(Shape s);
	}

	static double area(Shape s, Kind k) {
		return switch (k) {
		case ROUND -> s instanceof Circle c && c.radius() > 0 ? k.area(s) : area(s, Kind.STRAIGHT);
		case STRAIGHT -> {
			double d = k.area(s);
			yield d + 1;
		}
		};
	}

	static String joined(int n, Object o, char c) { return "n=" + n + ", o=" + o + c; }

	interface Walk extends Function<Shape, String> {
		default Walk twice() { return s -> apply(s) + apply(s); }

		private String own(Shape s) { return apply(s); }

		static String over(Shape s, Walk w) { return w.twice().twice().own(s); }
	}

	// Virtual threads, by reflection.
	static void virtual(String name, Runnable r) throws ReflectiveOperationException {
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		Class<?> kind = Class.forName("java.lang.Thread$Builder$OfVirtual");
		kind.getMethod("start", Runnable.class).invoke(kind.getMethod("name", String.class).invoke(builder, name), r);
	}

	static int deep(int n) {
		if (n == 0)
			Grid.nap();
		return n == 0 ? 0 : deep(n - 1) + 1;
	}

	// StructuredTaskScope, whose interface is not final: of JDK 21 it has a constructor, later open().
	static void scope() {
		try {
			Class<?> c = Class.forName("java.util.concurrent.StructuredTaskScope");
			Object s;
			try {
				s = c.getMethod("open").invoke(null);
			} catch (NoSuchMethodException e) {
				s = c.getConstructor().newInstance();
			}
			Method fork = c.getMethod("fork", Callable.class);
			for (int i = 0; i < 2; i++) {
				int n = 10 + i;
				fork.invoke(s, (Callable<Integer>) () -> deep(n));
			}
			c.getMethod("join").invoke(s);
		} catch (ReflectiveOperationException e) {
			System.out.println("no scope: " + e + " " + e.getCause());
		}
	}

	public static void start() throws Exception {
		Grid.start("modern-switch", () -> area(new Square(2), Kind.ROUND));
		Grid.start("modern-record", () -> new Pair(new Square(1), new Circle(2)).equals(new Pair(new Square(2), new Circle(101))));
		Grid.start("modern-compact", () -> Grid.kept.add(new Circle(101)));
		Grid.start("modern-concat", () -> joined(1, new Pair(new Circle(1), new Square(2)), 'c'));
		Grid.start("modern-interface", () -> Walk.over(new Square(3), Object::toString));
		Grid.start("modern-hidden", () -> new Object() {
			final Map<String, Integer> all = new HashMap<>();

			int run(String s) {
				return all.compute(s, (k, v) -> {
					Grid.nap();
					return 1;
				});
			}
		}.run("key"));
		try {
			Thread.class.getMethod("ofVirtual");
		} catch (NoSuchMethodException e) {
			return;
		}
		virtual("virtual-parked", () -> deep(30));
		virtual("virtual-stream", () -> Grid.streamed(20));
		virtual("virtual-proxy", () -> Grid.orders(3).place("virtual", 1, 0.2));
		virtual("virtual-jni", () -> Grid.up("pinned by C", 3));
		virtual("virtual-pinned", () -> {
			synchronized (Modern.class) {
				deep(3);
			}
		});
		Thread.sleep(300);
		virtual("virtual-blocked", () -> {
			synchronized (Modern.class) {
				Grid.count++;
			}
		});
		Grid.start("scope-owner", Modern::scope);
	}
}
