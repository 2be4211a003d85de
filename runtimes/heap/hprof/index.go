package hprof

import (
	"cmp"
	"math/bits"
	"slices"
)

// An index finds objects by their identifiers, which are sorted: those from first[k] on have
// k in their upper bits.
type index struct {
	base  uint64
	shift int
	first []int32
}

// sort puts objects in order of identifier; of those with the same one the first stays.
func (r *reader) sort() {
	byID := func(a, b object) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.off, b.off)) }
	if !slices.IsSortedFunc(r.objects, byID) {
		slices.SortFunc(r.objects, byID)
	}
	r.objects = slices.CompactFunc(r.objects, func(a, b object) bool { return a.id == b.id })
}

func (x *index) build(objects []object) {
	n := len(objects)
	x.base = objects[0].id
	spread := objects[n-1].id - x.base
	x.shift = max(bits.Len64(spread)-bits.Len(uint(n)), 0)
	x.first = make([]int32, spread>>x.shift+2)
	k := uint64(0)
	for i, o := range objects {
		for ; k <= (o.id-x.base)>>x.shift; k++ {
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
	lo, hi := x.first[k], x.first[k+1]
	i, ok := slices.BinarySearchFunc(d.objects[lo:hi], id, func(o object, id uint64) int { return cmp.Compare(o.id, id) })
	return lo + int32(i), ok
}
