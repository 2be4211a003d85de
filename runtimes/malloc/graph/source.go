package graph

import (
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/class"
	"coredbg/runtimes/malloc/leaks"
	"coredbg/runtimes/malloc/managed"
	"coredbg/runtimes/malloc/typed"
)

// spanBlocks is how many blocks a span has at most: what one reader reads at once.
const spanBlocks = 1 << 14

// A source is the blocks in use, as a heap.Source.
type source struct {
	h       *Heap
	b       *typed.Blocks
	spans   []heap.Span
	parts   []part
	typ     []int32 // types, by block
	types   []heap.Type
	damage  *heap.Damage
	managed *managed.Pointers // nil if they are not looked for, or not known
	// unknown says why the managed objects that have blocks are not known; "" if they are.
	unknown string
	owned   []owned
	tls     map[*core.Thread]core.Addr // where the thread-local blocks of each thread begin
}

// A part is a run of the chunks of a region, which is a span.
type part struct {
	chunks []block.Packed
	first  int // number of the first
}

func newSource(ctx context.Context, h *Heap, b *typed.Blocks) (*source, error) {
	s := &source{h: h, b: b, typ: make([]int32, b.Index.Len())}
	if h.Managed != nil {
		var err error
		if s.managed, err = h.Managed(ctx); err != nil {
			s.unknown = fmt.Sprintf("managed objects that have blocks are not known: %v", err)
		}
	}
	type kind struct {
		class.Class
		heap  string
		bytes bool
	}
	known := map[kind]int32{}
	heaps, bytes := heapsOf(ctx, h, b.Index), s.bytes()
	n := 0
	b.Index.Each(func(id int, p *block.Packed) bool {
		for len(heaps) > 1 && id >= heaps[1].first {
			heaps = heaps[1:]
		}
		k := kind{Class: b.Of(id, p)}
		if len(heaps) > 0 {
			k.heap = heaps[0].name
		}
		if len(bytes) > 0 {
			_, k.bytes = slices.BinarySearch(bytes, id)
		}
		t, ok := known[k]
		if !ok {
			t = int32(len(s.types))
			known[k] = t
			s.types = append(s.types, heap.Type{Class: className(k.Class), Heap: k.heap, Late: k.bytes})
		}
		s.typ[id] = t
		n++
		return n&4095 != 0 || ctx.Err() == nil
	})
	b.Index.Regions(s.split)
	s.damage = s.damaged(ctx)
	s.owned = ownedBy(ctx, h.Owners)
	return s, ctx.Err()
}

// bytes returns the numbers of the blocks that are plain bytes of managed objects, such as an ArrayBuffer's,
// in order. A word there that looks like a pointer rarely is one: ways through other blocks explain more.
func (s *source) bytes() (list []int) {
	if s.managed == nil {
		return nil
	}
	s.managed.All(func(m *managed.Pointer) {
		if id, _ := s.find(m.At); id >= 0 && m.Size > 0 {
			list = append(list, id)
		}
	})
	slices.Sort(list)
	return list
}

// An owned is memory of the heap of a runtime.
type owned struct {
	block.Span
	runtime string
}

// ownedBy returns the memory of the heaps of runtimes, in order of address. It leaves out heaps that cannot be read.
func ownedBy(ctx context.Context, all []runtimes.MemoryOwner) (out []owned) {
	for _, r := range all {
		mem, err := r.OwnMemory(ctx)
		if err != nil {
			continue
		}
		for _, g := range mem.Spans {
			out = append(out, owned{block.Span{Start: g.Start, End: g.End}, r.Name()})
		}
	}
	return block.Separate(out, func(o owned) block.Span { return o.Span })
}

// className returns the name of a class in a graph.
// A stretch is a run of blocks of one allocator.
type stretch struct {
	first int // number of the first
	name  string
}

// heapsOf returns the allocators of all blocks, in order of their numbers. It returns nil if only one
// allocator has blocks.
func heapsOf(ctx context.Context, h *Heap, x *block.Index) []stretch {
	names := map[*block.Region]string{}
	for _, a := range h.Allocators {
		regions := a.Heap(ctx).Regions
		for i := range regions {
			names[&regions[i]] = a.Name()
		}
	}
	var out []stretch
	several := map[string]bool{}
	x.Regions(func(r *block.Region, first int) {
		name := names[r]
		several[name] = true
		if n := len(out); n == 0 || out[n-1].name != name {
			out = append(out, stretch{first, name})
		}
	})
	if len(several) < 2 {
		return nil
	}
	return out
}

func className(k class.Class) string {
	if k.Name == "" {
		return "(not known)"
	}
	if k.Kind == class.Constant {
		return "block " + k.Name
	}
	return k.Name
}

// split adds the spans of a region.
func (s *source) split(r *block.Region, first int) {
	for k := 0; k < len(r.Chunks); k += spanBlocks {
		chunks := r.Chunks[k:min(k+spanBlocks, len(r.Chunks))]
		end := chunks[len(chunks)-1].At + heap.Alignment
		s.spans = append(s.spans, heap.Span{Start: chunks[0].At &^ (heap.Alignment - 1),
			End: end &^ (heap.Alignment - 1)})
		s.parts = append(s.parts, part{chunks, first + k})
	}
}

// damaged says which bytes are not known.
func (s *source) damaged(ctx context.Context) *heap.Damage {
	d := &heap.Damage{}
	for _, h := range block.Heaps(ctx, s.h.Allocators) {
		known, all := h.Read()
		d.Total += all
		d.Skipped += all - known
	}
	if d.Skipped == 0 {
		return nil
	}
	return d
}

// Spans implements heap.Source.
func (s *source) Spans() []heap.Span { return s.spans }

// Damage implements heap.Source.
func (s *source) Damage() *heap.Damage {
	if s.unknown == "" {
		return s.damage
	}
	d := heap.Damage{}
	if s.damage != nil {
		d = *s.damage
	}
	d.Notes = append(d.Notes, s.unknown)
	return &d
}

// Manual implements heap.Manual.
func (s *source) Manual() {}

// Type implements heap.Source.
func (s *source) Type(t int32, _ core.Addr) heap.Type { return s.types[t] }

// Reader implements heap.Source.
func (s *source) Reader() heap.Reader { return &reader{source: s, scan: s.b.Scanner.Clone()} }

// A reader reads blocks.
type reader struct {
	*source
	scan *leaks.Scanner
	last int
}

// Objects implements heap.Reader.
func (r *reader) Objects(span int, visit func(core.Addr, uint64, int32)) {
	p := r.parts[span]
	for i := range p.chunks {
		if c := &p.chunks[i]; c.State() == block.Used && !c.Own() {
			visit(c.At, c.Size(), r.typ[p.first+i])
		}
	}
}

// Edges implements heap.Reader.
func (r *reader) Edges(at core.Addr, _ uint64, _ int32, visit func(from, to core.Addr)) {
	id := r.b.Index.Find(at, &r.last)
	if id < 0 {
		return
	}
	r.scan.Inside(r.b.Index.Chunk(id), func(to int, _ core.Addr) {
		if to != id {
			visit(at, r.b.Index.Chunk(to).At)
		}
	})
}

// External implements heap.Reader: blocks own nothing elsewhere.
func (r *reader) External(core.Addr, int32) uint64 { return 0 }
