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

// Limits of a Graph, next to maxObjects.
const (
	maxEdges = math.MaxUint32 - 1
	maxRoots = 1 << 24
)

// ErrTooLarge is returned for a heap with more objects or references than are counted.
var ErrTooLarge = errors.New("heap: more objects or references than can be numbered")

// A builder makes a Graph: forward edges are needed only until it is numbered.
type builder struct {
	*Graph
	pool   pool
	out    []stream // what objects refer to, by part: the distance of each, then 0
	at     []uint32 // where in its part the row of each object begins, or goes on
	extras []edge   // of ephemerons, from their tables
	parent []int32  // of the depth-first tree, by number
	mu     sync.Mutex
}

type edge struct{ from, to ID }

// Build reads all objects and references of a heap, on all processors, and numbers the reachable ones.
// The error comes from ctx or the Source, or is ErrTooLarge.
func Build(ctx context.Context, src Source) (*Graph, error) {
	b := &builder{Graph: &Graph{src: src, Objects: Objects{other: map[ID]otherSize{}}}}
	for _, step := range []func(context.Context) error{b.objects, b.edges, b.reach, b.reverse, b.dominators} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return b.Graph, nil
}

// objects notes where objects begin, with their types and sizes.
func (b *builder) objects(ctx context.Context) error {
	spans := b.src.Spans()
	if !slices.IsSortedFunc(spans, func(x, y Span) int { return cmp.Compare(x.Start, y.Start) }) {
		return fmt.Errorf("heap: spans are not in order of address")
	}
	b.index = newIndex(spans)
	found := make([]foundObjects, len(spans))
	var total atomic.Int64
	err := parallel(ctx, "reading objects", len(spans), b.src.Reader, func(r Reader, i int) error {
		f, s := &found[i], &b.index.spans[i]
		next := s.Start
		r.Objects(i, func(at core.Addr, size uint64, typ int32) {
			if at < next || at >= s.End || at%s.alignment() != 0 {
				return // never twice, never elsewhere
			}
			next = at + 1
			f.add(&b.pool, size, typ, r.External(at, typ))
			s.add(at)
		})
		if f.least < 0 || f.most >= maxTypes {
			return fmt.Errorf("heap: type numbers from %d to %d", f.least, f.most)
		}
		if total.Add(f.count) > maxObjects {
			return ErrTooLarge
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.fill(found)
	b.readTypes()
	return nil
}

// maxTypes bounds the numbers of types.
const maxTypes = 1 << 28

// foundObjects are the objects of a span: the type of each and whether it owns bytes outside the heap,
// its size and those bytes.
type foundObjects struct {
	stream
	count       int64
	least, most int32 // of the types
}

func (f *foundObjects) add(p *pool, size uint64, typ int32, ext uint64) {
	f.least, f.most = min(f.least, typ), max(f.most, typ)
	f.count++
	has := uint64(0)
	if ext > 0 {
		has = 1
	}
	f.stream.add(p, uint64(uint32(typ))<<1|has)
	f.stream.add(p, size)
	if ext > 0 {
		f.stream.add(p, ext)
	}
}

// fill puts the objects of all spans in arrays, where they have their numbers.
func (b *builder) fill(found []foundObjects) {
	n, most := b.index.number(), int32(0)
	for i := range found {
		most = max(most, found[i].most)
	}
	b.size, b.typ, b.types = make([]uint16, 0, n), newTypeNumbers(n, most), make([]Type, most+1)
	for i := range found {
		for d := (drain{stream: &found[i].stream, pool: &b.pool}); !d.done(); {
			typ, size, outside := d.next(), d.next(), uint64(0)
			if typ&1 != 0 {
				outside = d.next()
			}
			if size >= elsewhere || outside > 0 {
				b.other[ID(len(b.size))] = otherSize{size, outside}
				size = elsewhere
			}
			b.size = append(b.size, uint16(size))
			b.typ.add(int32(typ >> 1))
		}
	}
}

// readTypes asks for the types that there are.
func (b *builder) readTypes() {
	known := newBitset(len(b.types))
	for id := range ID(b.Len()) {
		if t := b.typ.of(id); !known.has(t) {
			known.add(t)
			b.types[t] = b.src.Type(t, b.Addr(id))
		}
	}
}

// parallel calls do for each of a number of parts, on all processors, each with its own reader.
func parallel(ctx context.Context, what string, parts int, begin func() Reader,
	do func(r Reader, part int) error) error {
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
			core.ReportProgress(ctx, what, done.Add(1), int64(parts))
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
