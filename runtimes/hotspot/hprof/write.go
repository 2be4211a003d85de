package hprof

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/heap/hprof/format"
	"coredbg/runtimes/hotspot/heap"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/java"
)

// magic begins a file, with its NUL.
const magic = "JAVA PROFILE 1.0.2\x00"

// A writer writes one heap.
type writer struct {
	stream
	w       *heap.Walker
	strings map[string]uint64
	names   []string
	classes map[*object.Class]*class
	order   []*class
	// injected are the offsets of references in a java.lang.Class that are none of its fields.
	injected []uint32
	mirror   *object.Class // java.lang.Class
}

var errSource = errors.New("hprof: the graph is of another heap")

// Write writes the heap of a process, with the roots of its graph. It is streamed: the memory that it takes depends on the
// number of classes and roots. The error comes from ctx or out, or says that there is no heap.
func Write(ctx context.Context, out io.Writer, w *heap.Walker, g *graph.Graph) error {
	if _, ok := g.Source().(*heap.Source); !ok {
		return errSource
	}
	h, err := w.Heap()
	if err != nil {
		return err
	}
	all, err := w.Classes(ctx)
	if len(all) == 0 && err != nil {
		return err
	}
	x := &writer{stream: stream{w: out}, w: w, strings: map[string]uint64{}, classes: map[*object.Class]*class{}}
	x.stringID(constantsName)
	x.stringID(injectedName)
	x.stringID(lockName)
	for _, k := range all {
		x.add(k)
	}
	x.header()
	x.roots(g)
	for _, c := range x.order {
		x.class(c)
	}
	done, total := int64(0), int64(g.Len())
	err = h.Walk(ctx, func(o object.Object, size uint64) bool {
		if done++; done&0xffff == 0 {
			core.Tell(ctx, "writing objects", done, total)
		}
		x.object(o, size)
		return x.err == nil
	})
	x.flush()
	x.record(format.TagHeapEnd, nil)
	switch {
	case err != nil:
		return fmt.Errorf("hprof: %w", err)
	case x.err != nil:
		return fmt.Errorf("hprof: %w", x.err)
	}
	return nil
}

// stringID returns the number of a string.
func (x *writer) stringID(s string) uint64 {
	id, ok := x.strings[s]
	if !ok {
		id = uint64(len(x.names) + 1)
		x.strings[s], x.names = id, append(x.names, s)
	}
	return id
}

// header writes what comes before the heap dump.
func (x *writer) header() {
	x.write(append([]byte(magic), 0, 0, 0, idSize, 0, 0, 0, 0, 0, 0, 0, 0))
	for i, s := range x.names {
		x.record(format.TagString, append(binary.BigEndian.AppendUint64(nil, uint64(i+1)), s...))
	}
	for i, c := range x.order {
		b := binary.BigEndian.AppendUint32(nil, uint32(i+1))
		b = binary.BigEndian.AppendUint64(b, uint64(c.Mirror))
		b = binary.BigEndian.AppendUint32(b, 0)
		x.record(format.TagLoadClass, binary.BigEndian.AppendUint64(b, x.stringID(internal(c.Name))))
	}
	x.record(format.TagTrace, make([]byte, 12)) // an empty one, which everything names
}

// tags are the records of roots by their kinds.
var tags = map[string]byte{
	heap.RootJNIGlobal: format.RootJNIGlobal, heap.RootJNILocal: format.RootJNILocal, heap.RootStackWord: format.RootNativeStack,
	heap.RootRegister: format.RootNativeStack, heap.RootException: format.RootNativeStack, heap.RootClass: format.RootStickyClass,
	heap.RootThread: format.RootThreadObject,
}

// roots writes the roots that count.
func (x *writer) roots(g *graph.Graph) {
	const noFrame = 0xffffffff
	for _, r := range g.AllRoots() {
		if !g.Matters(&r) {
			continue
		}
		tag, ok := tags[r.Kind]
		if !ok {
			tag = format.RootUnknown
		}
		thread := uint32(0)
		if r.Thread != nil {
			thread = uint32(r.Thread.TID)
		}
		x.room()
		x.u1(tag)
		x.id(r.Target)
		switch tag {
		case format.RootJNIGlobal:
			x.id(r.Place)
		case format.RootJNILocal, format.RootThreadObject:
			x.u4(thread)
			x.u4(noFrame)
		case format.RootNativeStack:
			x.u4(thread)
		}
	}
}

// object writes an object. Classes are written as such; an object whose class has no java.lang.Class or no loader is left out.
func (x *writer) object(o object.Object, size uint64) {
	c := x.classes[o.Class]
	switch {
	case c == nil || c.Mirror == 0:
	case o.Class.IsMirror() && x.stands(o):
	case o.Class.IsArray():
		x.array(o, c, size)
	default:
		x.room()
		x.u1(format.InstanceDump)
		x.id(o.Addr)
		x.u4(0)
		x.id(c.Mirror)
		x.u4(uint32(c.instance))
		for _, k := range c.chain {
			for _, f := range k.own {
				x.value(f.typ, x.field(o.Addr, f))
			}
		}
	}
}

// stands reports whether a java.lang.Class stands for a class that is written.
func (x *writer) stands(o object.Object) bool {
	k, _, _ := x.w.Mirrored(o)
	return k != nil && k.Mirror == o.Addr
}

// array writes an array. One that a segment has no room for gets its own, whose head says how long it is.
func (x *writer) array(o object.Object, c *class, size uint64) {
	a, err := x.w.Array(o.Addr)
	if err != nil {
		return
	}
	typ, head := typeOf(a.Element.Descriptor()), uint64(9+2*idSize)
	if a.Element != java.NotPrimitive {
		head = 10 + idSize
	}
	width := uint64(typ.Size(idSize))
	n := min(a.Length, size/max(c.ElementSize, 1))
	if x.room(); head+n*width >= segmentSize {
		x.flush()
		if head+n*width > 1<<32-1 {
			n = (1<<32 - 1 - head) / width // a record has 32 bits for its length, as HotSpot's own writer knows
		}
		x.head(format.TagHeapSegment, int(head+n*width))
	}
	own := len(x.buf) == 0 && head+n*width >= segmentSize
	if a.Element == java.NotPrimitive {
		x.u1(format.ObjectArrayDump)
	} else {
		x.u1(format.PrimitiveArrayDump)
	}
	x.id(o.Addr)
	x.u4(0)
	x.u4(uint32(n))
	if a.Element == java.NotPrimitive {
		x.id(c.Mirror)
	} else {
		x.u1(byte(typ))
	}
	x.elements(&a, typ, n, own)
	if own {
		x.write(x.buf)
		x.buf = x.buf[:0]
	}
}

// elements writes the elements of an array, in pieces if it has a segment of its own.
func (x *writer) elements(a *object.Array, typ format.BasicType, n uint64, own bool) {
	const chunk = 8 << 10
	width := int(a.Class.ElementSize)
	for i := uint64(0); i < n; i += chunk {
		k := int(min(n-i, chunk))
		b, err := x.w.Process.Space.Slice(a.At(i), k*width)
		if err != nil {
			b = append(append(make([]byte, 0, k*width), b...), make([]byte, k*width-len(b))...)
		}
		for ; len(b) >= width; b = b[width:] {
			switch {
			case typ == format.TypeObject:
				x.id(x.w.RefIn(b))
			case width == 1:
				x.u1(b[0])
			case width == 2:
				x.u2(binary.LittleEndian.Uint16(b))
			case width == 4:
				x.u4(binary.LittleEndian.Uint32(b))
			default:
				x.u8(binary.LittleEndian.Uint64(b))
			}
		}
		if own {
			x.write(x.buf)
			x.buf = x.buf[:0]
		}
	}
}
