package hprof

import (
	"math/bits"
	"sort"
)

// An index finds objects by their identifiers, which are sorted: the ones from first[k] on have k in
// their upper bits.
type index struct {
	base  uint64
	shift int
	first []int32
}

// perSlot is how many objects there are for each slot of an index, about.
const perSlot = 16

func (x *index) build(o *objects) {
	n := o.len()
	x.base = o.id(0)
	spread := o.id(n-1) - x.base
	x.shift = max(bits.Len64(spread)-bits.Len(uint(n/perSlot)), 0)
	x.first = make([]int32, spread>>x.shift+2)
	k := uint64(0)
	for i := range n {
		for ; k <= (o.id(i)-x.base)>>x.shift; k++ {
			x.first[k] = int32(i)
		}
	}
	for ; k < uint64(len(x.first)); k++ {
		x.first[k] = int32(n)
	}
}

// find returns the number of an object.
func (d *Dump) find(id uint64) (int32, bool) {
	x := &d.index
	k := (id - x.base) >> x.shift
	if id < x.base || k >= uint64(len(x.first)-1) {
		return 0, false
	}
	lo, hi := int(x.first[k]), int(x.first[k+1])
	i := lo + sort.Search(hi-lo, func(i int) bool { return d.objects.id(lo+i) >= id })
	return int32(i), i < hi && d.objects.id(i) == id
}
