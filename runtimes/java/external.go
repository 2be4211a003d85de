package java

import (
	"iter"

	"coredbg/core"
	"coredbg/runtimes"
)

// leastNative is the lowest number that may be an address.
const leastNative = 1 << 16

// A native is the fields of a class that may have addresses outside of the heap.
type native struct {
	longs    []*Field
	buffer   *Field // Buffer.address
	capacity *Field // Buffer.capacity, where its unit is a byte
}

// nativeOf returns the fields for a class; nil if it has no such field.
func nativeOf(c *Class) *native {
	if c.Shape != Fields {
		return nil
	}
	var n native
	for i := range c.Members {
		f := &c.Members[i]
		switch p := PrimitiveOf(f.Type); {
		case p == Long && f.Name == "address" && f.Class == "java.nio.Buffer":
			n.buffer = f
		case p == Long:
			n.longs = append(n.longs, f)
		case p == Int && f.Name == "capacity" && f.Class == "java.nio.Buffer" && c.IsA("java.nio.ByteBuffer"):
			n.capacity = f
		}
	}
	if n.buffer == nil && n.longs == nil {
		return nil
	}
	return &n
}

// Externals visits the addresses outside of the heap that objects have: the memory of buffers of java.nio,
// and each long that may be an address. The objects come with values that tell their classes apart. The
// members are Buffer.address and Buffer.capacity of OpenJDK 8 to 27 and of Android 5 to 16.
func Externals[C comparable](h Heap, objects iter.Seq2[core.Addr, C], visit func(runtimes.External) bool) {
	known := map[C]*native{}
	for at, class := range objects {
		n, ok := known[class]
		if !ok {
			if o, err := h.Object(at); err == nil {
				n = nativeOf(o.Class)
			}
			known[class] = n
		}
		if n != nil && !n.visit(h, at, visit) {
			return
		}
	}
}

// visit visits the addresses of an object, and reports whether to go on.
func (n *native) visit(h Heap, at core.Addr, visit func(runtimes.External) bool) bool {
	if n.buffer != nil {
		x := runtimes.External{Object: at, At: readLong(h, at, n.buffer), Name: "field address"}
		if n.capacity != nil {
			if v, ok := h.PrimitiveAt(at+core.Addr(n.capacity.Offset), Int); ok && int32(v) > 0 {
				x.Size = uint64(int32(v))
			}
		}
		if x.At >= leastNative && !visit(x) {
			return false
		}
	}
	for _, f := range n.longs {
		v := readLong(h, at, f)
		if v < leastNative || v&7 != 0 {
			continue
		}
		if !visit(runtimes.External{Object: at, At: v, Name: "field " + f.Name, Number: true}) {
			return false
		}
	}
	return true
}

// readLong returns the value of a field, 0 if it cannot be read.
func readLong(h Heap, at core.Addr, f *Field) core.Addr {
	v, _ := h.PrimitiveAt(at+core.Addr(f.Offset), Long)
	return core.Addr(v)
}
