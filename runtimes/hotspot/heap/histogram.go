package heap

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/java"
)

// A tally counts the objects of a class.
type tally struct {
	class   *object.Class
	objects int
	bytes   uint64
}

// tallies are counts by class; near finds the counts of recent classes without the map.
type tallies struct {
	all  map[*object.Class]*tally
	near [1 << 8]*tally
}

func (t *tallies) of(k *object.Class) *tally {
	n := &t.near[k.Addr>>3%core.Addr(len(t.near))]
	if *n == nil || (*n).class != k {
		c := t.all[k]
		if c == nil {
			c = &tally{class: k}
			t.all[k] = c
		}
		*n = c
	}
	return *n
}

// Histogram counts the objects of the spaces whose names in reports true for; see java.Counter.
func (h *Heap) Histogram(ctx context.Context, in func(space string) bool) (*java.Histogram, error) {
	out := &java.Histogram{}
	t := &tallies{all: map[*object.Class]*tally{}}
	w := &walk{h: h}
	for i := range h.Spaces {
		s := &h.Spaces[i]
		if !in(s.Name) {
			continue
		}
		out.Spaces++
		w.objects(s.Begin, s.Top, func(_ core.Addr, size uint64, k *object.Class) {
			c := t.of(k)
			c.objects++
			c.bytes += size
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	out.Problems = w.problems()
	for _, c := range t.all {
		out.Rows = append(out.Rows, java.Count{Class: c.class.Name, Addr: c.class.Addr, Objects: c.objects,
			Bytes: c.bytes})
	}
	slices.SortFunc(out.Rows, func(x, y java.Count) int {
		return cmp.Or(-cmp.Compare(x.Bytes, y.Bytes), cmp.Compare(x.Class, y.Class), cmp.Compare(x.Addr, y.Addr))
	})
	return out, nil
}
