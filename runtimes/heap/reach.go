package heap

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sort"

	"coredbg/core"
)

// reach numbers the objects that roots lead to, in depth-first order: first those
// that certain roots lead to, then, stage by stage, those that only weaker roots do.
func (b *builder) reach(ctx context.Context) error {
	n := b.Len()
	b.number, b.rooted = make([]int32, n), newBitset(n)
	b.order = append(make([]ID, 0, n+1), None)
	b.parent = append(make([]int32, 0, n+1), 0)
	d := dfs{builder: b, next: make([]uint32, 1, n+1)}
	stage, begin := Certain, 0
	flush := func() {
		for _, r := range b.roots[begin:] {
			if id, _ := b.index.id(r.Target); b.number[id] == 0 {
				b.rooted.add(id)
			}
		}
		for _, r := range b.roots[begin:] {
			if id, _ := b.index.id(r.Target); b.number[id] == 0 {
				d.from(ctx, id)
			}
		}
		begin, b.stage[stage] = len(b.roots), int32(len(b.order)-1)
		stage++
	}
	known := func(a core.Addr) bool {
		id, ok := b.index.id(a)
		return !ok || b.number[id] > 0 || b.rooted.has(id)
	}
	err := b.src.Roots(ctx, known, func(r Root) {
		id, ok := b.index.id(r.Target)
		if !ok || r.Strength >= strengths || len(b.roots) >= maxRoots {
			return
		}
		for stage < r.Strength {
			flush()
		}
		r.Strength = stage // one that comes late counts with those it comes with
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
	b.next = d.next
	b.sortRoots()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// sortRoots orders the roots by what they refer to, the strongest first.
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
type dfs struct {
	*builder
	next []uint32 // the edge to look at next, by number
}

// from numbers what the object id leads to, itself first.
func (d *dfs) from(ctx context.Context, id ID) {
	add := func(id ID, parent int32) int32 {
		n := int32(len(d.order))
		d.number[id] = n
		d.order = append(d.order, id)
		d.parent = append(d.parent, parent)
		d.next = append(d.next, d.off[id])
		return n
	}
	for at, steps := add(id, 0), 0; at != 0; steps++ {
		if steps&0xfffff == 0 {
			if ctx.Err() != nil {
				return
			}
			core.Tell(ctx, "following references", int64(len(d.order)), int64(d.Len()))
		}
		i, end := d.next[at], d.off[d.order[at]+1]
		for i < end && d.number[d.out.at(i)] != 0 {
			i++
		}
		if i == end {
			d.next[at] = i
			at = d.parent[at]
			continue
		}
		d.next[at] = i + 1
		at = add(d.out.at(i), at)
	}
}

// reverse turns the edges round, part by part, and lets go of the forward ones.
func (b *builder) reverse(ctx context.Context) error {
	n := b.Len()
	b.inOff = atLeast(b.next, int32(n)+1)
	clear(b.inOff)
	b.next = nil
	for i := range uint32(b.out.len) {
		b.inOff[b.out.at(i)]++
	}
	sum := uint32(0)
	for i, k := range b.inOff {
		b.inOff[i] = sum // where the row of i begins
		sum += k
	}
	for i := range b.in {
		if err := b.turn(ctx, i, sum); err != nil {
			return err
		}
	}
	// The rows are full: each ends where that of the next object begins.
	copy(b.inOff[1:], b.inOff[:n])
	b.inOff[0] = 0
	parent, off := b.parent, b.off
	b.parent, b.off = nil, nil
	b.Graph.tree = dominators(b.Graph, parent, nil, off)
	return ctx.Err()
}

// turn takes the references to the objects of part i out of the forward ones, and puts
// them in the rows of these.
func (b *builder) turn(ctx context.Context, i int, sum uint32) error {
	n := b.Len()
	p := &b.in[i]
	if i > 0 {
		p.end = b.in[i-1].end
		p.first = b.in[i-1].first + uint32(len(b.in[i-1].row))
	}
	// Rows before are full, which leaves the ends in order.
	end := sum
	if i == parts-1 {
		p.end = ID(n)
	} else {
		wanted := uint32(uint64(sum) * uint64(i+1) / parts)
		id := sort.Search(n, func(id int) bool { return b.inOff[id] >= wanted })
		p.end = max(p.end, ID(id)) // an object may have several parts' worth
		end = b.inOff[p.end]
	}
	p.row = make([]ID, end-p.first)
	left, begin := uint32(0), uint32(0)
	for id := range ID(n) {
		if id&0xfffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next := b.off[id+1]
		for k := begin; k < next; k++ {
			t := b.out.at(k)
			if t >= p.end {
				b.out.set(left, t)
				left++
				continue
			}
			p.row[b.inOff[t]-p.first] = id
			b.inOff[t]++
		}
		begin, b.off[id+1] = next, left
	}
	b.out.cut(int64(left))
	if len(p.row) >= collectFrom {
		runtime.GC()
	}
	return nil
}
