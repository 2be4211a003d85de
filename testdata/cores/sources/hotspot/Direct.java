import java.lang.management.*;
import java.nio.*;
import java.util.*;

/** Direct buffers, views of them and a plain buffer. The JVM's own count of them is printed before the process is killed. */
public class Direct {
	static List<ByteBuffer> kept = new ArrayList<>();
	static ByteBuffer slice, plain = ByteBuffer.allocate(4096);
	static IntBuffer ints;

	public static void main(String[] args) throws Exception {
		for (int i = 1; i <= 50; i++)
			kept.add(ByteBuffer.allocateDirect(10000 * i));
		slice = kept.get(7).slice();
		ints = kept.get(8).asIntBuffer();
		kept.get(9).put("direct".getBytes());
		for (BufferPoolMXBean b : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class))
			System.out.println(b.getName() + " " + b.getCount() + " " + b.getTotalCapacity());
		new ProcessBuilder("kill", "-ABRT", String.valueOf(ProcessHandle.current().pid())).start().waitFor();
		Thread.sleep(1 << 30);
	}
}
