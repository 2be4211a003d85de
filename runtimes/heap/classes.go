package heap

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
)

// A Class is the sum of the objects of one class.
type Class struct {
	Type
	Objects  int
	Shallow  uint64 // bytes in the heap
	External uint64 // bytes outside, which they own
	// Retained is the number of bytes that would go with all of them together: their own, and the bytes
	// of objects that only they keep. It covers the objects in Tree.Total.
	Retained uint64
	First    core.Addr // the first of them
}

// Classes sums up the objects that keep wants, or all if it is nil, by class: the most
// classes that retain most, or all if most is 0, in that order.
func (g *Graph) Classes(ctx context.Context, most int, keep func(ID) bool) ([]Class, error) {
	of, rows := g.classTable()
	if err := g.count(ctx, of, rows, keep); err != nil {
		return nil, err
	}
	if err := g.retainClasses(ctx, of, rows, most); err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(c Class) bool { return c.Objects == 0 })
	byRetained(rows)
	if most > 0 {
		rows = rows[:min(most, len(rows))] // of the others only a bound is known
	}
	return rows, nil
}

// Counts sums up the objects that keep wants, or all if it is nil, by class, without
// what they retain: the most bytes first.
func (g *Graph) Counts(ctx context.Context, keep func(ID) bool) ([]Class, error) {
	of, rows := g.classTable()
	if err := g.count(ctx, of, rows, keep); err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(c Class) bool { return c.Objects == 0 })
	for i := range rows {
		rows[i].Retained = 0
	}
	byRetained(rows)
	return rows, nil
}

// count adds up objects. The bytes that they retain are an upper bound, until they are known.
func (g *Graph) count(ctx context.Context, of []int32, rows []Class, keep func(ID) bool) error {
	for id := range g.Len() {
		if id&0xfffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		id := ID(id)
		if keep != nil && !keep(id) {
			continue
		}
		c := &rows[of[g.typ.of(id)]]
		if c.Objects++; c.Objects == 1 {
			c.First = g.Addr(id)
		}
		c.Shallow += g.Size(id)
		c.External += g.External(id)
		c.Retained = min(c.Retained+g.tree.Retained(id), g.tree.Total())
	}
	return nil
}

func byRetained(rows []Class) {
	slices.SortFunc(rows, func(a, b Class) int {
		return cmp.Or(-cmp.Compare(a.Retained, b.Retained), -cmp.Compare(a.Shallow, b.Shallow),
			cmp.Compare(a.Class, b.Class), a.Place.Compare(b.Place))
	})
}

// classTable numbers classes, and returns the class of each type.
func (g *Graph) classTable() (of []int32, rows []Class) {
	type key struct {
		class, heap string
		place       Place
	}
	known := map[key]int32{}
	of = make([]int32, len(g.types))
	for t := range g.types {
		typ := &g.types[t]
		k := key{typ.Class, typ.Heap, typ.Place}
		n, ok := known[k]
		if !ok {
			n = int32(len(rows))
			known[k] = n
			rows = append(rows, Class{Type: *typ})
		}
		of[t] = n
	}
	return of, rows
}

// setBits is how many classes are computed at once.
const setBits = 64

// retainClasses computes exactly the bytes that classes retain as sets: classes that may retain most
// first, until the ones that retain most are known.
func (g *Graph) retainClasses(ctx context.Context, of []int32, rows []Class, most int) error {
	order := make([]int32, 0, len(rows))
	for i := range rows {
		if rows[i].Objects > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(-cmp.Compare(rows[a].Retained, rows[b].Retained), cmp.Compare(a, b))
	})
	var exact []uint64
	for len(order) > 0 {
		if most > 0 && len(exact) >= most {
			slices.SortFunc(exact, func(a, b uint64) int { return cmp.Compare(b, a) })
			if exact[most-1] >= rows[order[0]].Retained {
				return nil
			}
		}
		part := order[:min(setBits, len(order))]
		order = order[len(part):]
		if err := g.retainSets(ctx, of, rows, part); err != nil {
			return err
		}
		for _, c := range part {
			exact = append(exact, rows[c].Retained)
		}
	}
	return nil
}

// retainSets computes what each class of part retains.
func (g *Graph) retainSets(ctx context.Context, of []int32, rows []Class, part []int32) error {
	gen := make([]uint64, len(rows))
	for i, c := range part {
		gen[c] = 1 << i
	}
	keeps, err := g.keeps(ctx, func(id ID) uint64 { return gen[of[g.typ.of(id)]] })
	if err != nil {
		return err
	}
	sums := g.sumSets(keeps)
	for i, c := range part {
		rows[c].Retained = sums[i]
	}
	return nil
}
