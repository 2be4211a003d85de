package hprof

import (
	"context"
	"errors"
	"fmt"
	"io"

	"coredbg/core"
	"coredbg/runtimes/art/heap"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/heap/hprof/format"
)

// version is the version of the format that is written.
const version = "JAVA PROFILE 1.0.3"

// A writer writes one heap.
type writer struct {
	*format.Stream
	w       *heap.Walker
	heap    heapID // that the segment is in
	long    bool   // the segment ends with the array that is written
	classes map[core.Addr]*class
	order   []*class
	arrays  core.Addr                          // the class of Object[]
	kept    func(loader core.Addr) []core.Addr // what class loaders keep

	done, total int64 // objects
}

// Write writes the heap of a process, with the roots of its graph. It is streamed: its memory depends on the
// number of classes and roots, not of objects. The error is ctx's or out's, or says that there is no heap.
func Write(ctx context.Context, out io.Writer, w *heap.Walker, g *graph.Graph) error {
	src, ok := g.Source().(*heap.Source)
	if !ok {
		return errSource
	}
	h, err := w.Heap()
	if err != nil {
		return err
	}
	x := &writer{Stream: format.NewStream(out, 4, firstString), w: w, classes: map[core.Addr]*class{}, kept: src.KeptBy}
	if err := x.findClasses(ctx, src.Classes()); err != nil {
		return err
	}
	var loaded []format.LoadedClass
	for _, c := range x.order {
		loaded = append(loaded, format.LoadedClass{ID: uint64(c.Addr), Name: x.StringID(c.Name)})
	}
	x.Begin(version, loaded)
	x.writeRoots(g)
	x.total = int64(g.Len())
	for _, s := range h.Spaces {
		if err := x.space(ctx, h, s); err != nil {
			return err
		}
	}
	x.End()
	return x.Err()
}

var errSource = errors.New("hprof: the graph is not a Java heap's")

// flush ends the segment.
func (x *writer) flush() {
	x.Flush()
	x.heap = heapDefault
}

// room ends the segment if it is full. The following records belong to heap, whose name is the string name.
func (x *writer) room(heap heapID, name uint64) {
	if x.Full() {
		x.flush()
	}
	if heap != x.heap {
		x.U1(format.HeapDumpInfo)
		x.U4(uint32(heap))
		x.ID(name)
		x.heap = heap
	}
}

// firstString is the number of the first string.
const firstString = 0x400000

// tags are the tags of the roots by their kinds.
var tags = map[string]byte{
	heap.RootJNIGlobal: format.RootJNIGlobal, heap.RootJNILocal: format.RootJNILocal,
	heap.RootFrame:     format.RootJavaFrame,
	heap.RootStackWord: format.RootNativeStack, heap.RootRegister: format.RootNativeStack,
	heap.RootException: format.RootNativeStack, heap.RootEnter: format.RootNativeStack,
	heap.RootBootClass: format.RootStickyClass, heap.RootThread: format.RootThreadObject,
	heap.RootInterned: format.RootInternedString,
	heap.RootRuntime:  format.RootVMInternal, heap.RootImage: format.RootVMInternal,
	heap.RootBootTable: format.RootStickyClass, heap.RootJNIMonitor: format.RootJNIMonitor,
}

// writeRoots writes the roots that count. A root that has only a kind is written once for an object.
func (x *writer) writeRoots(g *graph.Graph) {
	type bare struct {
		tag byte
		at  core.Addr
	}
	seen := map[bare]bool{}
	for r := range format.Roots(g, tags) {
		x.room(x.heap, 0)
		key := bare{r.Tag, r.Target}
		if format.Bare(r.Tag) && seen[key] {
			continue
		}
		seen[key] = true
		x.Root(&r)
	}
}

// heapOf returns the heap that a space belongs to.
func heapOf(s *heap.Space) heapID {
	switch s.Kind {
	case heap.ZygoteSpace:
		return heapZygote
	case heap.ImageSpace:
		return heapImage
	}
	return heapApp
}

// space writes the objects of a space.
func (x *writer) space(ctx context.Context, h *heap.Heap, s *heap.Space) error {
	in := heapOf(s)
	name := x.StringID(in.name())
	_, err := h.Walk(ctx, func(o object.Object, size uint64) bool {
		if x.done++; x.done&0xffff == 0 {
			core.ReportProgress(ctx, "writing objects", x.done, x.total)
		}
		c := x.classes[o.Class.Addr]
		if c == nil {
			return true // its class is not whole
		}
		switch {
		case o.Class.Flags&object.FlagClass != 0:
			if k := x.classes[o.Addr]; k != nil {
				x.room(in, name)
				x.class(k)
			}
		case o.Class.IsArray():
			x.room(in, name)
			x.array(o, c, size)
		default:
			x.room(in, name)
			x.instance(o, c, size)
		}
		return x.Err() == nil
	}, s)
	if err == nil {
		err = x.Err()
	}
	if err != nil {
		return fmt.Errorf("hprof: %s: %w", s.Name, err)
	}
	return nil
}
