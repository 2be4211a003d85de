package heap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"coredbg/core"
)

// Limits of a Graph.
const (
	maxObjects = math.MaxInt32 - 1
	maxEdges   = math.MaxUint32 - 1
	maxRoots   = 1 << 24
)

// ErrTooLarge is returned for a heap with more objects or references than are counted.
var ErrTooLarge = errors.New("heap: more objects or references than can be numbered")

// A builder makes a Graph: forward edges are needed only until it is numbered.
type builder struct {
	*Graph
	off    []uint32 // of the edges of each object in out
	out    blocks
	extras []edge   // those of ephemerons, which their tables have
	parent []int32  // of the depth-first tree, by number
	next   []uint32 // of no more use once that is numbered
	mu     sync.Mutex
}

type edge struct{ from, to ID }

// Build reads all objects and references of a heap, on all processors, and numbers
// those that are reachable. The error is that of ctx, of the Source, or ErrTooLarge.
func Build(ctx context.Context, src Source) (*Graph, error) {
	b := &builder{Graph: &Graph{src: src, large: map[ID]uint64{}, ext: map[ID]uint64{}}}
	for _, step := range []func(context.Context) error{b.objects, b.edges, b.reach, b.reverse} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return b.Graph, nil
}

// found are the objects of a span.
type found struct {
	size  []uint32
	typ   []int32
	large map[int]uint64
	ext   map[int]uint64
}

// objects notes where objects begin, with their types and sizes.
func (b *builder) objects(ctx context.Context) error {
	spans := b.src.Spans()
	if !slices.IsSortedFunc(spans, func(x, y Span) int { return cmp.Compare(x.Start, y.Start) }) {
		return fmt.Errorf("heap: spans are not in order of address")
	}
	b.index = newIndex(spans)
	all := make([]found, len(spans))
	var total atomic.Int64
	err := parallel(ctx, "reading objects", len(spans), b.src.Reader, func(r Reader, i int) error {
		f, s := &all[i], &b.index.spans[i]
		next := s.Start
		r.Objects(i, func(at core.Addr, size uint64, typ int32) {
			if at < next || at >= s.End || at%Alignment != 0 {
				return // never twice, never elsewhere
			}
			next = at + 1
			k := len(f.size)
			f.add(k, size, typ, r.External(at, typ))
			s.add(at)
		})
		if total.Add(int64(len(f.size))) > maxObjects {
			return ErrTooLarge
		}
		return nil
	})
	if err != nil {
		return err
	}
	n := b.index.number()
	b.size, b.typ = make([]uint32, 0, n), make([]int32, 0, n)
	for i := range all {
		f := &all[i]
		for k, x := range f.large {
			b.large[b.index.spans[i].first+int32(k)] = x
		}
		for k, x := range f.ext {
			b.ext[b.index.spans[i].first+int32(k)] = x
		}
		b.size, b.typ = append(b.size, f.size...), append(b.typ, f.typ...)
		*f = found{}
	}
	return b.readTypes()
}

func (f *found) add(k int, size uint64, typ int32, ext uint64) {
	if size >= math.MaxUint32 {
		if f.large == nil {
			f.large = map[int]uint64{}
		}
		f.large[k], size = size, math.MaxUint32
	}
	if ext > 0 {
		if f.ext == nil {
			f.ext = map[int]uint64{}
		}
		f.ext[k] = ext
	}
	f.size, f.typ = append(f.size, uint32(size)), append(f.typ, typ)
}

// readTypes asks for the types that there are.
func (b *builder) readTypes() error {
	most := int32(-1)
	for _, t := range b.typ {
		if t < 0 || t >= maxTypes {
			return fmt.Errorf("heap: type number %d", t)
		}
		most = max(most, t)
	}
	b.types = make([]Type, most+1)
	known := newBitset(int(most) + 1)
	for id, t := range b.typ {
		if !known.has(t) {
			known.add(t)
			b.types[t] = b.src.Type(t, b.Addr(ID(id)))
		}
	}
	return nil
}

// maxTypes bounds the numbers of types.
const maxTypes = 1 << 28

// edges reads what objects refer to.
func (b *builder) edges(ctx context.Context) error {
	n := b.Len()
	rows := make([][]ID, len(b.index.spans))
	b.off = make([]uint32, n+1) // first the number of edges of the object before
	var total atomic.Int64
	buffers := sync.Pool{New: func() any { return new([]ID) }}
	err := parallel(ctx, "reading references", len(rows), b.src.Reader, func(r Reader, i int) error {
		buffer := buffers.Get().(*[]ID)
		row := (*buffer)[:0]
		x := b.index
		x.each(i, func(id ID, at core.Addr) {
			begin := len(row)
			last := None
			r.Edges(at, b.Size(id), b.typ[id], func(from, to core.Addr) {
				t, ok := x.id(to)
				if !ok || t == id && from == at {
					return // nothing is kept by itself
				}
				if from != at {
					b.extra(from, t)
				} else if t != last {
					row, last = append(row, t), t
				}
			})
			b.off[id+1] = uint32(len(row) - begin)
		})
		rows[i] = append(make([]ID, 0, len(row)), row...)
		*buffer = row
		buffers.Put(buffer)
		if total.Add(int64(len(row))) > maxEdges {
			return ErrTooLarge
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.Edges = total.Load() + int64(len(b.extras))
	if b.Edges > maxEdges {
		return ErrTooLarge
	}
	b.join(rows)
	return nil
}

// extra notes an edge of another object than the one that is read.
func (b *builder) extra(from core.Addr, to ID) {
	id, ok := b.index.id(from)
	if !ok || id == to {
		return
	}
	b.mu.Lock()
	b.extras = append(b.extras, edge{id, to})
	b.mu.Unlock()
}

// join puts the edges of all spans in one row, and lets go of what it has put there.
func (b *builder) join(rows [][]ID) {
	slices.SortFunc(b.extras, func(x, y edge) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	b.out = blocks{rest: b.Edges}
	collected := b.out.rest
	for i := range rows {
		if collected-b.out.rest >= max(b.Edges/parts, collectFrom) {
			collected = b.out.rest
			runtime.GC()
		}
		row := rows[i]
		s := &b.index.spans[i]
		for id := s.first; id < s.first+s.count; id++ {
			n := int(b.off[id+1])
			b.out.add(row[:n]...)
			row = row[n:]
			for len(b.extras) > 0 && b.extras[0].from == id {
				b.out.add(b.extras[0].to)
				b.extras = b.extras[1:]
			}
			b.off[id+1] = uint32(b.out.len)
		}
		rows[i] = nil
	}
	b.extras = nil
}

// parallel calls do for so many parts, on all processors, each with a reader of its
// own.
func parallel(ctx context.Context, what string, parts int, begin func() Reader, do func(r Reader, part int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, done atomic.Int64
	var wg sync.WaitGroup
	work := func() {
		r := begin()
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= parts {
				return
			}
			if err := do(r, i); err != nil {
				cancel(err)
				return
			}
			core.Tell(ctx, what, done.Add(1), int64(parts))
		}
	}
	for range min(runtime.GOMAXPROCS(0), max(parts, 1)) {
		wg.Go(func() {
			if err := core.Guard(work); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
