import java.nio.*;
import java.util.*;
import java.util.zip.*;

/**
 * Objects of Java that have memory of the heap of C. The library says where, in a line for each: what it is, its address and size, the
 * class of the object that leads to it, and what holds that.
 */
public class Worlds {
	static class Peer {
		long handle;
		int count = 3;
	}

	static ByteBuffer cache = ByteBuffer.allocateDirect(500000);
	static List<ByteBuffer> list = new ArrayList<>();
	static Peer peer = new Peer();
	static Deflater deflater = new Deflater();
	static ByteBuffer given;

	static native void line(String what, ByteBuffer buffer, String holder);
	static native long block(String what, String type, String holder);
	static native ByteBuffer memory(String what, String holder);
	static native void end();

	public static void main(String[] args) {
		System.load(args[0]);
		cache.put(0, (byte) 1);
		list.add(ByteBuffer.allocateDirect(70000));
		line("cache", cache, "Worlds.cache");
		line("listed", list.get(0), "Worlds.list");
		peer.handle = block("peer", "Worlds$Peer", "Worlds.peer");
		given = memory("given", "Worlds.given");
		deflater.setInput(new byte[1000]);
		end();
	}
}
