package hprof

import (
	"cmp"
	"context"
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

// version is the version of the format that is written.
const version = "JAVA PROFILE 1.0.2"

// idSize is the bytes of an identifier.
const idSize = 8

// A writer writes one heap.
type writer struct {
	*format.Stream
	w       *heap.Walker
	classes map[*object.Class]*class
	order   []*class
	// injected are the offsets of references in a java.lang.Class that are none of its fields.
	injected []uint32
	mirror   *object.Class // java.lang.Class
}

var errSource = errors.New("hprof: the graph is of another heap")

// Write writes the heap of a process, with the roots of its graph. It is streamed: the memory that it takes
// depends on the number of classes and roots. The error comes from ctx or out, or says that there is no heap.
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
	x := &writer{Stream: format.NewStream(out, idSize, 1), w: w, classes: map[*object.Class]*class{}}
	x.StringID(constantsName)
	x.StringID(injectedName)
	x.StringID(lockName)
	for _, k := range all {
		x.add(k)
	}
	var loaded []format.LoadedClass
	for _, c := range x.order {
		loaded = append(loaded, format.LoadedClass{ID: uint64(c.Mirror), Name: x.StringID(x.internal(c.Name))})
	}
	x.Begin(version, loaded)
	x.roots(g)
	for _, c := range x.order {
		x.class(c)
	}
	done, total := int64(0), int64(g.Len())
	err = h.Walk(ctx, func(o object.Object, size uint64) bool {
		if done++; done&0xffff == 0 {
			core.ReportProgress(ctx, "writing objects", done, total)
		}
		x.object(o, size)
		return x.Err() == nil
	})
	x.End()
	if err = cmp.Or(err, x.Err()); err != nil {
		return fmt.Errorf("hprof: %w", err)
	}
	return nil
}

// room ends the segment if it is full.
func (x *writer) room() {
	if x.Full() {
		x.Flush()
	}
}

// tags are the records of roots by their kinds.
var tags = map[string]byte{
	heap.RootJNIGlobal: format.RootJNIGlobal, heap.RootJNILocal: format.RootJNILocal,
	heap.RootStackWord: format.RootNativeStack,
	heap.RootRegister:  format.RootNativeStack, heap.RootException: format.RootNativeStack,
	heap.RootClass:  format.RootStickyClass,
	heap.RootThread: format.RootThreadObject,
}

// roots writes the roots that count.
func (x *writer) roots(g *graph.Graph) {
	for r := range format.Roots(g, tags) {
		x.room()
		x.Root(&r)
	}
}

// object writes an object. Classes are written as such; an object whose class has no java.lang.Class or no
// loader is left out.
func (x *writer) object(o object.Object, size uint64) {
	c := x.classes[o.Class]
	switch {
	case c == nil || c.Mirror == 0:
	case o.Class.IsMirror() && x.stands(o):
	case o.Class.IsArray():
		x.array(o, c, size)
	default:
		x.room()
		x.U1(format.InstanceDump)
		x.ID(uint64(o.Addr))
		x.U4(0)
		x.ID(uint64(c.Mirror))
		x.U4(uint32(c.instance))
		for _, k := range c.chain {
			for _, f := range k.own {
				x.Value(f.typ, x.field(o.Addr, f))
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
	typ, head := format.TypeOf(a.Element.Descriptor()), uint64(9+2*idSize)
	if a.Element != java.NotPrimitive {
		head = 10 + idSize
	}
	width := uint64(typ.Size(idSize))
	n := min(a.Length, size/max(c.ElementSize, 1))
	x.room()
	if head+n*width >= format.SegmentSize {
		x.Flush()
		if head+n*width > 1<<32-1 {
			n = (1<<32 - 1 - head) / width // a record has 32 bits for its length, as HotSpot's own writer knows
		}
		x.Long(head + n*width)
	}
	if a.Element == java.NotPrimitive {
		x.U1(format.ObjectArrayDump)
	} else {
		x.U1(format.PrimitiveArrayDump)
	}
	x.ID(uint64(o.Addr))
	x.U4(0)
	x.U4(uint32(n))
	if a.Element == java.NotPrimitive {
		x.ID(uint64(c.Mirror))
	} else {
		x.U1(byte(typ))
	}
	x.elements(&a, n)
	x.EndLong()
}

// elements writes the elements of an array, in pieces.
func (x *writer) elements(a *object.Array, n uint64) {
	const chunk = 8 << 10
	width := int(a.Class.ElementSize)
	for i := uint64(0); i < n; i += chunk {
		k := int(min(n-i, chunk))
		b, err := x.w.Process.Space.Slice(a.At(i), k*width)
		if err != nil {
			b = append(append(make([]byte, 0, k*width), b...), make([]byte, k*width-len(b))...)
		}
		if a.Element != java.NotPrimitive {
			x.Values(b, width, x.w.Process.Arch.Order)
		} else {
			for ; len(b) >= width; b = b[width:] {
				x.ID(uint64(x.w.RefIn(b)))
			}
		}
		x.Pass()
	}
}
