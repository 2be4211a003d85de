package hprof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"coredbg/core"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/heap/hprof/format"
)

// A Dump is a heap dump.
type Dump struct {
	src     core.Source
	idSize  int
	end     int64 // of the file
	android bool  // it has Android's heaps

	text    map[uint64]span   // strings
	names   map[uint64]uint64 // of classes: a string
	serials map[uint32]uint64 // of classes: their identifiers
	frames  map[uint64]frame
	traces  map[uint32]trace // by serial number
	threads map[uint32]uint32

	classes map[uint64]*class
	meta    *class           // java.lang.Class
	kinds   []kind           // by number of a type
	number  map[uint64]int32 // of the kinds of instances and arrays of objects, by class
	objects objects          // in order of identifier
	folded  []folded         // of Android's, in order
	index   index
	held    map[uint64]int64 // by Android's class loader: where the array is that it keeps
	roots   []root
	sizes   sizes
	known   []uint64 // of HotSpot's instances: their sizes by kind
	damage  *heap.Damage
}

// A span is a string in the file.
type span struct {
	off int64
	n   uint32
}

// A frame is one of a stack trace.
type frame struct {
	method, file uint64 // strings
	class, line  uint32
}

// A trace is where the frames of a stack trace are in the file.
type trace struct {
	off    int64
	n      uint32
	thread uint32
}

// A root is one of a segment.
type root struct {
	tag           uint8
	thread, frame uint32
	id            uint64
}

// maxObjects bounds what can be numbered.
const maxObjects = math.MaxInt32 - 1

// Read finds the objects of a dump. The Dump reads from src. The error comes from ctx or the source, or
// is a core.FormatError. A file that ends early is not an error if it has a heap.
func Read(ctx context.Context, src core.Source) (*Dump, error) {
	d := &Dump{src: src, end: src.Size(), text: map[uint64]span{}, names: map[uint64]uint64{},
		serials: map[uint32]uint64{},
		frames:  map[uint64]frame{}, traces: map[uint32]trace{}, threads: map[uint32]uint32{},
		classes: map[uint64]*class{},
		number:  map[uint64]int32{}, held: map[uint64]int64{}}
	r := &reader{Dump: d, ctx: ctx}
	if err := r.read(); err != nil {
		return nil, fmt.Errorf("hprof: %w", err)
	}
	return d, nil
}

// A reader fills a Dump.
type reader struct {
	*Dump
	c   cursor
	ctx context.Context
	// lost is how many bytes the last record claims to have after the end of the file.
	lost    uint64
	ended   bool
	reports int
}

func (r *reader) read() error {
	if err := r.header(); err != nil {
		return err
	}
	r.addPrimitives()
	err := r.records()
	switch {
	case r.ctx.Err() != nil:
		return context.Cause(r.ctx)
	case errors.Is(err, io.ErrUnexpectedEOF) && r.c.err != nil || err == nil && !r.ended:
		// JDK 5 to 8 end a HEAP_DUMP without a record of its own; a file that ends between
		// records is whole as far as can be known if it had such a one.
		if r.objects.len() == 0 {
			return &core.FormatError{Off: r.end, Msg: "the file ends before the heap"}
		}
		r.damage = &heap.Damage{Missing: max(r.lost, 1), Total: uint64(r.end) + max(r.lost, 1),
			Cut: fmt.Sprintf("the file ends within the heap dump, at byte %d: %d objects before that were read", r.end,
				r.objects.len())}
	case err != nil:
		return err
	case r.objects.len() == 0:
		return &core.FormatError{Off: r.end, Msg: "there is no object"}
	}
	return r.finish()
}

// header reads the text, the size of identifiers and the time.
func (r *reader) header() error {
	b, err := core.SourceSlice(r.src, 0, int(min(r.end, 64)))
	if err != nil {
		return err
	}
	n := bytes.IndexByte(b, 0)
	if n < len(magic) || !bytes.HasPrefix(b, []byte(magic)) {
		return &core.FormatError{Msg: "it does not begin as a heap dump"}
	}
	r.c = newCursor(r.src, 4, int64(n)+1, r.end)
	size := r.c.u4()
	r.c.skip(8)
	if r.c.err != nil || size != 4 && size != 8 {
		return &core.FormatError{Off: int64(n) + 1, Msg: "identifiers are of 4 or 8 bytes, not of", Val: size}
	}
	r.idSize, r.c.idSize = int(size), int(size)
	return nil
}

// records reads all records.
func (r *reader) records() error {
	for r.c.left() > 0 {
		at, tag := r.c.at(), r.c.u1()
		r.c.skip(4)
		n := int64(r.c.u4())
		if r.c.err != nil {
			return r.c.err
		}
		start := r.c.at()
		end := start + n
		if tag == format.TagHeapDump && n == 0 {
			end = r.end // longer than can be written there
		}
		if end > r.end {
			r.lost = uint64(end - r.end)
		}
		if err := r.record(tag, at, min(end, r.end)); err != nil {
			return err
		}
		if r.lost > 0 {
			r.c.fail(io.ErrUnexpectedEOF)
			return r.c.err
		}
		r.c.seek(end)
		if err := r.tell(); err != nil {
			return err
		}
	}
	return nil
}

// record reads a record that ends at end.
func (r *reader) record(tag byte, at, end int64) error {
	c := r.c
	c.end = end
	switch tag {
	case format.TagString:
		id := c.id()
		r.text[id] = span{c.at(), uint32(max(end-c.at(), 0))}
	case format.TagLoadClass:
		serial, id := c.u4(), c.id()
		c.skip(4)
		name := c.id()
		if c.err == nil {
			r.serials[serial], r.names[id] = id, name
		}
	case format.TagFrame:
		id, method := c.id(), c.id()
		c.id() // signature
		f := frame{method: method, file: c.id(), class: c.u4(), line: c.u4()}
		if c.err == nil {
			r.frames[id] = f
		}
	case format.TagTrace:
		serial := c.u4()
		t := trace{thread: c.u4(), n: c.u4(), off: c.at()}
		if c.err == nil && int64(t.n)*int64(r.idSize) <= c.left() && t.thread != 0 {
			r.traces[serial] = t
		}
	case format.TagHeapDump, format.TagHeapSegment:
		r.ended = r.ended || tag == format.TagHeapDump
		r.c.end = end
		err := r.segment()
		r.c.end = r.end
		return err
	case format.TagHeapEnd:
		r.ended = true
	default:
		if tag > format.TagHeapEnd {
			return &core.FormatError{Off: at, Msg: "no record has tag", Val: tag}
		}
	}
	return nil
}

// tell reports how far it has come, now and then.
func (r *reader) tell() error {
	if r.reports++; r.reports&0xffff == 0 {
		if r.ctx.Err() != nil {
			return context.Cause(r.ctx)
		}
		core.ReportProgress(r.ctx, "reading the heap dump", r.c.at(), r.end)
	}
	return nil
}

// finish prepares the dump for queries.
func (r *reader) finish() error {
	r.linkClasses()
	r.objects.sort()
	if r.android {
		r.fold()
	}
	r.objects.pack()
	r.index.build(&r.objects)
	if !r.android {
		r.inferLayout()
		r.known = r.inferInstances()
	}
	return nil
}
