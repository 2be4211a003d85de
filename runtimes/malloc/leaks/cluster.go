package leaks

import (
	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// A Cluster is a lost block with the lost blocks that only it leads to, or it before others.
type Cluster struct {
	Addr  core.Addr
	Size  uint64
	Held  int    // further blocks
	Bytes uint64 // of all
	// Ring is set if another block of the cluster leads back to this one.
	Ring bool
}

// clusters groups the lost blocks: those that no other one leads to come first, then what goes round in
// circles.
func (f *finder) clusters() []Cluster {
	led := make([]uint64, len(f.marks))
	f.lost(func(id int, p *block.Packed) {
		f.edge = func(to int) {
			if to != id {
				led[to>>6] |= 1 << (to & 63)
			}
		}
		f.Inside(p, f.mark)
	})
	var out []Cluster
	take := func(id int, p *block.Packed, ring bool) {
		if !f.marked(id) {
			out = append(out, f.cluster(id, p, ring))
		}
	}
	f.lost(func(id int, p *block.Packed) {
		if led[id>>6]>>(id&63)&1 == 0 {
			take(id, p, false)
		}
	})
	f.lost(func(id int, p *block.Packed) { take(id, p, true) })
	f.edge = nil
	return out
}

// lost calls visit for each block in use that is not marked.
func (f *finder) lost(visit func(int, *block.Packed)) {
	f.x.Each(func(id int, p *block.Packed) bool {
		if !f.marked(id) && !p.Own() {
			visit(id, p)
		}
		return f.ctx.Err() == nil
	})
}

// cluster marks all that a lost block leads to.
func (f *finder) cluster(id int, p *block.Packed, ring bool) Cluster {
	c := Cluster{Addr: p.At, Size: p.Size(), Bytes: p.Size(), Ring: ring}
	f.marks[id>>6] |= 1 << (id & 63)
	f.edge = func(to int) {
		if !f.marked(to) {
			f.marks[to>>6] |= 1 << (to & 63)
			f.work = append(f.work, int32(to))
			c.Held++
			c.Bytes += f.x.Chunk(to).Size()
		}
	}
	f.work = append(f.work[:0], int32(id))
	f.drain()
	return c
}
