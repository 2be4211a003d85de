package view

import (
	"errors"
	"strconv"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// A goTable visits the elements of a map of Go.
type goTable struct {
	w         *Viewer
	c         *container
	key, elem *dwarf.Type
	seen      int64 // elements that were met
	looked    int   // at groups or buckets
}

// errEnough ends a visit once all elements that are shown were met.
var errEnough = errors.New("no more elements are shown")

var errTooMany = errors.New("it has more parts than are looked at")

// goUnused is the bit of a control byte of a slot that has no element (internal/runtime/maps/group.go).
const goUnused = 0x80

// groupSlots is how many slots a group has, and a bucket.
const groupSlots = 8

// swiss visits a map of Go 1.24 and later: one group of slots, or a directory of tables with groups. A table
// may be in the directory more than once (internal/runtime/maps/map.go).
func (m *goTable) swiss() (used uint64, err error) {
	used, err1 := numberAt(m.c.v, []string{"used"})
	length, err2 := numberAt(m.c.v, []string{"dirLen"})
	dir, _ := follow(m.c.v, []string{"dirPtr"})
	at, err3 := dir.Pointer()
	if err := errors.Join(err1, err2, err3); err != nil {
		return 0, err
	}
	tables := dir.Type.Strip().Elem().Strip() // pointers to tables
	if tables == nil || tables.Kind != dwarf.Pointer {
		return 0, errNoPart
	}
	ptr, _ := tables.Size()
	group, ok := follow(m.c.at(tables.Elem(), 0), []string{"groups.data"})
	if !ok || group.Type.Strip().Kind != dwarf.Pointer {
		return 0, errNoPart
	}
	groups := group.Type.Strip().Elem()
	if length == 0 {
		if at == 0 {
			return used, nil
		}
		return used, m.group(groups, at)
	}
	if length > maxBuckets {
		return 0, errTooMany
	}
	done := map[core.Addr]bool{}
	for i := range length {
		a, err := m.c.at(tables, at+core.Addr(i*uint64(ptr))).Pointer()
		if err != nil {
			return used, err
		}
		if done[a] {
			continue
		}
		done[a] = true
		if err := m.table(m.c.at(tables.Elem(), a), groups); err != nil {
			return used, err
		}
	}
	return used, nil
}

// table visits the groups of a table.
func (m *goTable) table(t dwarf.Value, groups *dwarf.Type) error {
	mask, err1 := numberAt(t, []string{"groups.lengthMask"})
	at, err2 := numberAt(t, []string{"groups.data"})
	size, ok := groups.Size()
	switch {
	case err1 != nil || err2 != nil:
		return errors.Join(err1, err2)
	case !ok || mask&(mask+1) != 0:
		return errors.New("its groups are not as many as they can be")
	case mask >= maxBuckets:
		return errTooMany
	}
	for i := range mask + 1 {
		if err := m.group(groups, core.Addr(at+i*uint64(size))); err != nil {
			return err
		}
	}
	return nil
}

// group visits the slots of a group.
func (m *goTable) group(t *dwarf.Type, at core.Addr) error {
	if m.looked++; m.looked > maxBuckets {
		return errTooMany
	}
	if m.full() {
		return errEnough
	}
	v := m.c.at(t, at)
	ctrl, ok := follow(v, []string{"ctrl"})
	slots, ok2 := follow(v, []string{"slots"})
	if !ok || !ok2 {
		return errNoPart
	}
	word, err := ctrl.Uint()
	if err != nil {
		return err
	}
	for i := range int64(groupSlots) {
		if word>>(8*i)&goUnused != 0 {
			continue
		}
		slot, err := slots.Index(i)
		if err != nil {
			return err
		}
		key, ok := follow(slot, []string{"key"})
		elem, ok2 := follow(slot, []string{"elem"})
		if !ok || !ok2 {
			return errNoPart
		}
		m.add(key, elem)
	}
	return nil
}

// For a bucket before Go 1.24 (runtime/map.go): hashes with a special meaning, and the bit of a map's flags for
// growing without more buckets.
const (
	goMovedFirst = 2 // the elements are in the new buckets
	goFull       = 5 // and more: there is an element
	goSameSize   = 8
)

// hash visits a map of Go before 1.24: buckets with their overflow buckets, and while the map grows old buckets
// that were not moved yet.
func (m *goTable) hash() (count uint64, err error) {
	count, err1 := numberAt(m.c.v, []string{"count"})
	bits, err2 := numberAt(m.c.v, []string{"B"})
	flags, err3 := numberAt(m.c.v, []string{"flags"})
	if err := errors.Join(err1, err2, err3); err != nil {
		return 0, err
	}
	if bits > 30 {
		return 0, errTooMany
	}
	if err := m.buckets("buckets", 1<<bits, false); err != nil {
		return count, err
	}
	if flags&goSameSize == 0 && bits > 0 {
		bits--
	}
	return count, m.buckets("oldbuckets", 1<<bits, true)
}

func (m *goTable) buckets(name string, n uint64, old bool) error {
	list, ok := follow(m.c.v, []string{name})
	if !ok || list.Type.Strip().Kind != dwarf.Pointer {
		return errNoPart
	}
	at, err := list.Pointer()
	if err != nil || at == 0 {
		return err
	}
	if n > maxBuckets {
		return errTooMany
	}
	t := list.Type.Strip().Elem()
	size, ok := t.Size()
	if !ok {
		return errNoPart
	}
	for i := range n {
		if err := m.bucket(t, at+core.Addr(i*uint64(size)), old); err != nil {
			return err
		}
	}
	return nil
}

// bucket visits a bucket and its overflow buckets, unless they were moved.
func (m *goTable) bucket(t *dwarf.Type, at core.Addr, old bool) error {
	for first := true; at != 0; first = false {
		if m.looked++; m.looked > maxBuckets {
			return errTooMany
		}
		if m.full() {
			return errEnough
		}
		v := m.c.at(t, at)
		hashes, ok := follow(v, []string{"tophash"})
		keys, ok2 := follow(v, []string{"keys"})
		elems, ok3 := follow(v, []string{"values"})
		if !ok || !ok2 || !ok3 {
			return errNoPart
		}
		for i := range int64(groupSlots) {
			h, err := indexUint(hashes, i)
			if err != nil {
				return err
			}
			if old && first && i == 0 && h >= goMovedFirst && h < goFull {
				return nil
			}
			if h < goFull {
				continue
			}
			key, err1 := keys.Index(i)
			elem, err2 := elems.Index(i)
			if err := errors.Join(err1, err2); err != nil {
				return err
			}
			m.add(key, elem)
		}
		next, err := numberAt(v, []string{"overflow"})
		if err != nil {
			return err
		}
		at = core.Addr(next)
	}
	return nil
}

func indexUint(v dwarf.Value, i int64) (uint64, error) {
	x, err := v.Index(i)
	if err != nil {
		return 0, err
	}
	return x.Uint()
}

// add adds a key with its value. Large ones are elsewhere, with a pointer in their place.
func (m *goTable) add(key, elem dwarf.Value) {
	m.seen++
	if m.full() {
		return
	}
	key, elem = direct(key, m.key), direct(elem, m.elem)
	m.c.n.List = append(m.c.n.List, &Node{Kind: Pair, List: []*Node{m.w.View("", key, m.c.depth+1),
		m.w.View("", elem, m.c.depth+1)}, value: &elem})
}

// direct returns a key or a value of a map as what it is declared as.
func direct(v dwarf.Value, declared *dwarf.Type) dwarf.Value {
	have, ok1 := v.Type.Size()
	want, ok2 := declared.Size()
	if t := v.Type.Strip(); t != nil && t.Kind == dwarf.Pointer && ok1 && ok2 && want > have {
		if to, err := v.Deref(); err == nil {
			return to.As(declared)
		}
		return v
	}
	return v.As(declared)
}

// full reports whether no more elements are shown.
func (m *goTable) full() bool {
	return int64(len(m.c.n.List)) >= m.w.Limit || m.c.depth >= m.w.Depth
}

// count records how many of a map's elements are not shown. If all were visited, their number must be the map's
// own count.
func (m *goTable) count(want uint64, all bool) error {
	shown := int64(len(m.c.n.List))
	switch {
	case all && uint64(m.seen) != want:
		return errors.New("it was being changed: it counts " + strconv.FormatUint(want, 10) + " elements")
	case want > maxLength:
		return errors.New("its length cannot be right")
	}
	m.c.n.More = max(int64(want)-shown, 0)
	return nil
}
