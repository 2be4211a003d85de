package heap

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
)

// A BigArray is an array or a buffer among the largest.
type BigArray struct {
	Array
	ID     ID     // of the object that has the bytes: a store, or a buffer
	Bytes  uint64 // of it, those outside the heap included
	Holder ID     // what dominates the array, None if that is the roots together
	Via    ID     // the store of Holder that refers to the array, None if there is none
}

// Arrays returns the largest arrays and buffers that keep wants, by their own bytes, at most most of
// them; all if most is 0. It fails only with an error of ctx.
func (g *Graph) Arrays(ctx context.Context, most int, keep func(ID) bool) ([]BigArray, error) {
	r, ok := g.src.Reader().(ArrayReader)
	if !ok {
		return nil, nil
	}
	is := g.typesThat(func(r Reader, typ int32, t *Type) bool { return r.(ArrayReader).IsArray(typ, t) })
	var list []BigArray
	cut := func(n int) {
		slices.SortFunc(list, func(a, b BigArray) int {
			return cmp.Or(-cmp.Compare(a.Bytes, b.Bytes),
				cmp.Compare(a.ID, b.ID))
		})
		if most > 0 && len(list) > n {
			list = list[:n]
		}
	}
	for id := range ID(g.Len()) {
		if id&0xffff == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !is[g.typ.of(id)] || !keep(id) {
			continue
		}
		list = append(list, BigArray{ID: id, Bytes: g.own(id), Holder: None, Via: None})
		if most > 0 && len(list) >= 4*most+1024 {
			cut(most)
		}
	}
	cut(most)
	for i := range list {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		g.describeArray(r, is, &list[i])
	}
	return list, nil
}

// describeArray fills in the runtime's description of an array, and finds its holder.
func (g *Graph) describeArray(r ArrayReader, is []bool, x *BigArray) {
	x.Array, x.Holder = g.arrayOf(r, x.ID)
	if x.Owner != 0 {
		x.Holder = None
		if id, ok := g.ID(x.Owner); ok {
			x.Holder, _ = g.tree.Dominator(id)
		}
	}
	if x.Holder == None || !is[g.typ.of(x.Holder)] {
		return
	}
	// An array in a store is held by the owner of the store.
	store, _ := g.arrayOf(r, x.Holder)
	if id, ok := g.ID(store.Owner); ok && store.Owner != 0 {
		x.Holder, x.Via = id, x.Holder
	}
}

// arrayOf returns the runtime's description of an array, and the array's dominator.
func (g *Graph) arrayOf(r ArrayReader, id ID) (Array, ID) {
	var at core.Addr
	holder, ok := g.tree.Dominator(id)
	if !ok {
		holder = None
	}
	if holder != None {
		at = g.Addr(holder)
	}
	return r.Array(g.Addr(id), g.typ.of(id), at), holder
}
