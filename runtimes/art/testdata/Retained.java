import java.io.File;
import java.lang.reflect.Field;
import java.util.Iterator;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.HeapSummary;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;

/** Prints id, class, size and retained size of all instances of a heap dump. */
public class Retained {
    public static void main(String[] args) throws Exception {
        // The library knows HotSpot's four kinds of references, and takes a heap without
        // them for none of its own. Android's fourth has another name.
        Field kinds = Class.forName("org.graalvm.visualvm.lib.jfluid.heap.NearestGCRoot").getDeclaredField("REF_CLASSES");
        kinds.setAccessible(true);
        ((String[]) kinds.get(null))[2] = "java.lang.ref.FinalizerReference";
        Heap heap = HeapFactory.createHeap(new File(args[0]));
        HeapSummary sum = heap.getSummary();
        System.out.println("summary " + sum.getTotalLiveInstances() + " " + sum.getTotalLiveBytes() + " " + heap.getAllClasses().size() + " " + heap.getGCRoots().size());
        for (Iterator<Instance> it = heap.getAllInstancesIterator(); it.hasNext();) {
            Instance i = it.next();
            System.out.println((i.getInstanceId() & 0xffffffffL) + " " + i.getSize() + " " + i.getRetainedSize() + " " + i.getJavaClass().getName());
        }
    }
}
