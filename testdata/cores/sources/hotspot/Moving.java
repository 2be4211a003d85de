import java.util.*;

/**
 * A chain of nodes in order of their numbers, with two pieces of garbage around each of them: a collection moves the nodes. main
 * calls for collections until the process is killed, or, if it is told to wait, for a few. Arguments: the number of nodes, "wait".
 */
public class Moving {
	static class Node { Node next; int id; Node(int id) { this.id = id; } }
	static class Garbage { Object next; long a; Garbage(Object next) { this.next = next; } }

	static Node first;
	static Object dropped;

	public static void main(String[] args) throws Exception {
		int n = Integer.parseInt(args[0]);
		Node last = first = new Node(0);
		for (int i = 1; i < n; i++) {
			dropped = new Garbage(dropped);
			last = last.next = new Node(i);
			dropped = new Garbage(dropped);
		}
		dropped = null;
		for (int i = 0; args.length > 1 && i < 3; i++)
			System.gc();
		System.out.println("ready");
		while (args.length > 1)
			Thread.sleep(1 << 30);
		for (;;)
			System.gc();
	}
}
