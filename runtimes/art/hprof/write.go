package hprof

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"coredbg/core"
	"coredbg/runtimes/art/heap"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/heap/hprof/format"
)

// magic begins a file, with its NUL.
const magic = "JAVA PROFILE 1.0.3\x00"

// A writer writes one heap.
type writer struct {
	stream
	w       *heap.Walker
	strings map[string]uint32
	classes map[core.Addr]*class
	order   []*class
	arrays  core.Addr                          // the class of Object[]
	kept    func(loader core.Addr) []core.Addr // what class loaders keep
	swapped bool                               // the process is not little-endian

	done, total int64 // objects
}

// Write writes the heap of a process, with the roots of its graph. It is streamed: the memory that it
// takes depends on the number of classes and roots, not on that of objects. The error is that of
// ctx, of out, or that there is no heap.
func Write(ctx context.Context, out io.Writer, w *heap.Walker, g *graph.Graph) error {
	src, ok := g.Source().(*heap.Source)
	if !ok {
		return errSource
	}
	h, err := w.Heap()
	if err != nil {
		return err
	}
	x := &writer{stream: stream{w: out}, w: w, strings: map[string]uint32{}, classes: map[core.Addr]*class{},
		kept: src.KeptBy, swapped: w.Order != binary.LittleEndian}
	if err := x.findClasses(ctx, src.Classes()); err != nil {
		return err
	}
	x.header()
	x.writeRoots(g)
	x.total = int64(g.Len())
	for _, s := range h.Spaces {
		if err := x.space(ctx, h, s); err != nil {
			return err
		}
	}
	x.flush()
	x.record(format.TagHeapEnd, nil)
	return x.err
}

var errSource = errors.New("hprof: the graph is not that of a Java heap")

// stringID returns the number of a string.
func (x *writer) stringID(s string) uint32 {
	id, ok := x.strings[s]
	if !ok {
		id = firstString + uint32(len(x.strings))
		x.strings[s] = id
	}
	return id
}

// firstString is the number of the first string.
const firstString = 0x400000

// header writes what comes before the heap dump.
func (x *writer) header() {
	x.write(append([]byte(magic), 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0))
	names := make([]string, len(x.strings))
	for s, id := range x.strings {
		names[id-firstString] = s
	}
	for i, s := range names {
		x.record(format.TagString, append(binary.BigEndian.AppendUint32(nil, firstString+uint32(i)), s...))
	}
	for i, c := range x.order {
		b := binary.BigEndian.AppendUint32(nil, uint32(i+1))
		b = binary.BigEndian.AppendUint32(b, uint32(c.Addr))
		b = binary.BigEndian.AppendUint32(b, 0)
		x.record(format.TagLoadClass, binary.BigEndian.AppendUint32(b, x.stringID(c.Name)))
	}
	x.record(format.TagTrace, make([]byte, 12)) // an empty one, which everything names
}

// tags are those of the roots by their kinds.
var tags = map[string]byte{
	heap.RootJNIGlobal: format.RootJNIGlobal, heap.RootJNILocal: format.RootJNILocal, heap.RootFrame: format.RootJavaFrame,
	heap.RootStackWord: format.RootNativeStack, heap.RootRegister: format.RootNativeStack, heap.RootException: format.RootNativeStack, heap.RootEnter: format.RootNativeStack,
	heap.RootBootClass: format.RootStickyClass, heap.RootThread: format.RootThreadObject, heap.RootInterned: format.RootInternedString,
	heap.RootRuntime: format.RootVMInternal, heap.RootImage: format.RootVMInternal, heap.RootBootTable: format.RootStickyClass, heap.RootJNIMonitor: format.RootJNIMonitor,
}

// writeRoots writes the roots that count; those that say nothing but their kind once for
// an object.
func (x *writer) writeRoots(g *graph.Graph) {
	const noFrame = 0xffffffff
	type simple struct {
		tag byte
		at  core.Addr
	}
	seen := map[simple]bool{}
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
		x.room(x.heap, 0)
		switch tag {
		case format.RootJNIGlobal:
			x.u1(tag)
			x.u4(uint32(r.Target))
			x.u4(uint32(r.Place))
		case format.RootJNILocal, format.RootJavaFrame, format.RootJNIMonitor, format.RootThreadObject:
			x.u1(tag)
			x.u4(uint32(r.Target))
			x.u4(thread)
			x.u4(noFrame)
		case format.RootNativeStack:
			x.u1(tag)
			x.u4(uint32(r.Target))
			x.u4(thread)
		default:
			if key := (simple{tag, r.Target}); !seen[key] {
				seen[key] = true
				x.u1(tag)
				x.u4(uint32(r.Target))
			}
		}
	}
}

// heapOf returns the heap that a space is of.
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
	name := x.stringID(in.name())
	_, err := h.Walk(ctx, func(o object.Object, size uint64) bool {
		if x.done++; x.done&0xffff == 0 {
			core.Tell(ctx, "writing objects", x.done, x.total)
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
		return x.err == nil
	}, s)
	if err == nil {
		err = x.err
	}
	if err != nil {
		return fmt.Errorf("hprof: %s: %w", s.Name, err)
	}
	return nil
}
