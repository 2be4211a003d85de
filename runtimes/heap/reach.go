package heap

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
)

// reach numbers the objects that roots lead to, in depth-first order: first the objects that certain
// roots lead to, then, stage by stage, the ones that only weaker roots do.
func (b *builder) reach(ctx context.Context) error {
	n := b.Len()
	b.number, b.rooted = make([]int32, n), newBitset(n)
	b.order = append(make([]ID, 0, n+1), None)
	b.parent = append(make([]int32, 0, n+1), 0)
	d := dfs{b}
	objects := b.Locator()
	stage, begin := Certain, 0
	flush := func() {
		for _, r := range b.roots[begin:] {
			if id, _ := objects.ID(r.Target); b.number[id] == 0 {
				b.rooted.add(id)
			}
		}
		for _, r := range b.roots[begin:] {
			if id, _ := objects.ID(r.Target); b.number[id] == 0 {
				d.from(ctx, id)
			}
		}
		begin, b.stage[stage] = len(b.roots), int32(len(b.order)-1)
		stage++
	}
	known := func(a core.Addr) bool {
		id, ok := objects.ID(a)
		return !ok || b.number[id] > 0 || b.rooted.has(id)
	}
	err := b.src.Roots(ctx, known, func(r Root) {
		id, ok := objects.ID(r.Target)
		if !ok || r.Strength >= strengths || len(b.roots) >= maxRoots {
			return
		}
		for stage < r.Strength {
			flush()
		}
		r.Strength = stage // a root that comes late counts with the ones it comes with
		if r.Strength == Loose {
			if known(r.Target) {
				return // one is enough to say why it is shown at all
			}
			b.rooted.add(id)
		}
		b.roots = append(b.roots, r)
	})
	for stage < strengths {
		flush()
	}
	b.sortRoots()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// sortRoots orders the roots by their targets, the strongest first.
func (b *builder) sortRoots() {
	slices.SortStableFunc(b.roots, func(x, y Root) int {
		return cmp.Or(cmp.Compare(x.Target, y.Target), cmp.Compare(x.Strength, y.Strength))
	})
	b.first = map[ID][2]int32{}
	for i := 0; i < len(b.roots); {
		k := i + 1
		for k < len(b.roots) && b.roots[k].Target == b.roots[i].Target {
			k++
		}
		id, _ := b.index.id(b.roots[i].Target)
		b.first[id] = [2]int32{int32(i), int32(k)}
		i = k
	}
}

// A dfs goes depth first, without a stack: what it needs to go back is the tree.
type dfs struct{ *builder }

// from numbers what the object id leads to, itself first.
func (d dfs) from(ctx context.Context, id ID) {
	for at, steps := d.add(id, 0), 0; at != 0; steps++ {
		if steps&0xfffff == 0 {
			if ctx.Err() != nil {
				return
			}
			core.ReportProgress(ctx, "following references", int64(len(d.order)), int64(d.Len()))
		}
		if to := d.unvisited(d.order[at]); to != None {
			at = d.add(to, at)
		} else {
			at = d.parent[at]
		}
	}
}

// add gives an object the next number.
func (d dfs) add(id ID, parent int32) int32 {
	n := int32(len(d.order))
	d.number[id] = n
	d.order = append(d.order, id)
	d.parent = append(d.parent, parent)
	return n
}

// unvisited returns the next object that one refers to and that has no number yet; None if
// there is none.
func (d dfs) unvisited(id ID) ID {
	row, at := &d.out[id>>partBits], int64(d.at[id])
	for {
		v, next := row.at(at)
		if v == 0 {
			d.at[id] = uint32(at)
			return None
		}
		at = next
		if to := ID(int64(id) + apart(v)); d.number[to] == 0 {
			d.at[id] = uint32(at)
			return to
		}
	}
}
