package heap

import (
	"fmt"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
)

// Bounds of hash tables.
const (
	maxHashSets    = 1 << 10
	maxHashBuckets = 1 << 26
)

// internedRoots visits the strings that are interned for good, such as constants of code. The table does not
// keep strings from String.intern alive.
func (s *Source) internedRoots(visit func(graph.Root)) {
	w := s.h.w
	table, ok := w.Pointer(w.Runtime.Add(int64(w.Layout.Runtime.InternTable)))
	if !ok || table == 0 {
		s.lack(fmt.Errorf("art: Runtime %v: intern_table_ cannot be read", w.Runtime))
		return
	}
	err := w.eachInSets(table.Add(int64(w.Layout.InternTable.Strong)), w.IsString, func(slot, at core.Addr) {
		visit(graph.Root{Kind: RootInterned, Place: slot, Rank: graph.Engine, Target: at})
	})
	s.lack(err)
}

// eachInSets calls visit for the elements of a std::vector of HashSets of references
// (libartbase/base/hash_set.h): {empty objects, number of elements, number of buckets, when to grow, whether it
// owns the data, the data, two doubles}, and in the intern table a flag as well. Versions and architectures
// differ in the size of a set. The right size is the one that gives each set its stated number of elements,
// with is true for all of them.
func (w *Walker) eachInSets(vector core.Addr, is func(core.Addr) bool, visit func(slot, at core.Addr)) error {
	begin, ok1 := w.Pointer(vector)
	end, ok2 := w.Pointer(vector + core.Addr(w.PtrSize))
	if !ok1 || !ok2 || end < begin {
		return fmt.Errorf("art: the list of hash tables at %v cannot be read", vector)
	}
	sizes := []core.Addr{72, 64}
	if w.PtrSize == 4 {
		sizes = []core.Addr{44, 48, 40}
	}
	for _, size := range sizes {
		if (end-begin)%size != 0 || (end-begin)/size > maxHashSets {
			continue
		}
		sound := true
		for at := begin; at < end && sound; at += size {
			sound = w.eachInSet(at, is, nil)
		}
		if !sound {
			continue
		}
		for at := begin; at < end && visit != nil; at += size {
			w.eachInSet(at, is, visit)
		}
		return nil
	}
	return fmt.Errorf("art: the hash tables at %v to %v are not what was expected", begin, end)
}

// eachInSet visits the elements of a HashSet; it reports whether that is one.
func (w *Walker) eachInSet(set core.Addr, is func(core.Addr) bool, visit func(slot, at core.Addr)) bool {
	word := core.Addr(w.PtrSize)
	r := w.Cursor()
	count, buckets, data := r.Word(set+word), r.Word(set+2*word), r.Pointer(set+5*word)
	if r.Err() != nil || count > buckets || buckets > maxHashBuckets || data%4 != 0 {
		return false
	}
	found := uint64(0)
	const chunk = 1024
	for i := uint64(0); i < buckets; i += chunk {
		b, err := w.Space.Slice(data+core.Addr(4*i), int(4*min(chunk, buckets-i)))
		if err != nil {
			return false
		}
		for slot := data + core.Addr(4*i); len(b) >= 4; b, slot = b[4:], slot+4 {
			at := core.Addr(w.Order.Uint32(b))
			if at == 0 {
				continue
			}
			found++
			switch {
			case visit != nil:
				visit(slot, at)
			case !is(at):
				return false
			}
		}
	}
	return found == count
}
