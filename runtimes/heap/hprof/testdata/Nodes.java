import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import javax.management.ObjectName;

/** Makes 20000 nodes, dumps its heap to the file that it is given, and prints jmap's histogram. */
public class Nodes {
    static class Base { byte tag; Object held; }

    static class Node extends Base { Node next; int a; short b; long[] l = new long[3]; String name; }

    static Map<String, Node> cache = new HashMap<>();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 20000; i++) {
            Node n = new Node();
            n.name = "node " + i;
            cache.put(n.name, n);
        }
        for (boolean first : new boolean[] {true, false}) { // the second time all classes for it are there
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(first ? args[0].replace(".hprof", "-first.hprof") : args[0], false);
            Object text = ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram", new Object[] {new String[] {"-all"}}, new String[] {"[Ljava.lang.String;"});
            if (!first) {
                System.out.print(text);
            }
        }
    }
}
