package heap

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"coredbg/core"
)

// edges reads what objects refer to.
func (b *builder) edges(ctx context.Context) error {
	n := b.Len()
	b.out, b.at = make([]stream, parts(n)), make([]uint32, n+1)
	var total atomic.Int64
	err := parallel(ctx, "reading references", len(b.out), b.src.Reader, func(r Reader, c int) error {
		found := b.read(r, c)
		if total.Add(found) > maxEdges || b.out[c].len > math.MaxUint32 {
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
	return b.addExtras()
}

// read makes the rows of a part, and returns how many references there are.
func (b *builder) read(r Reader, c int) int64 {
	out := &b.out[c]
	edges, id, last := int64(0), ID(0), None
	var at core.Addr
	objects := b.Locator()
	visit := func(from, to core.Addr) {
		t, ok := objects.ID(to)
		if !ok || t == id && from == at {
			return // nothing is kept by itself
		}
		if from != at {
			b.extra(from, t)
		} else if t != last {
			out.add(&b.pool, zigzag(int64(t)-int64(id)))
			last = t
			edges++
		}
	}
	first, end := part(c, b.Len())
	b.index.each(first, end, func(n ID, a core.Addr) bool {
		id, at, last = n, a, None
		b.at[id] = uint32(out.len)
		r.Edges(at, b.Size(id), b.typ.of(id), visit)
		out.add(&b.pool, 0)
		return true
	})
	return edges
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

// addExtras puts the edges that were read from other objects at the ends of their rows.
func (b *builder) addExtras() error {
	extras := b.extras
	b.extras = nil
	slices.SortFunc(extras, func(x, y edge) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	for len(extras) > 0 {
		c := int(extras[0].from >> partBits)
		old, out := b.out[c], &b.out[c]
		*out = stream{}
		d := drain{stream: &old, pool: &b.pool}
		for id, end := part(c, b.Len()); id < end; id++ {
			b.at[id] = uint32(out.len)
			for v := d.next(); v != 0; v = d.next() {
				out.add(&b.pool, v)
			}
			for ; len(extras) > 0 && extras[0].from == id; extras = extras[1:] {
				out.add(&b.pool, zigzag(int64(extras[0].to)-int64(id)))
			}
			out.add(&b.pool, 0)
		}
		if out.len > math.MaxUint32 {
			return ErrTooLarge
		}
	}
	return nil
}
