package dwarf

import (
	"errors"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// ErrNoLocation is the reason of a variable that has no place at an address: the compiler keeps its
// value nowhere there.
var ErrNoLocation = errors.New("optimised out")

// location returns the expression that says where the value of an attribute of class
// exprloc or loclist is at the link-time address pc (DWARF 5, section 2.6). It fails with
// ErrNoLocation where there is none.
func (u *Unit) location(a Attr, pc uint64) ([]byte, error) {
	if expr, ok := a.Block(); ok {
		if len(expr) == 0 {
			return nil, ErrNoLocation
		}
		return expr, nil
	}
	if !a.Present() {
		return nil, ErrNoLocation
	}
	var found []byte
	err := u.locations(a, func(low, high uint64, expr []byte) bool {
		if low <= pc && pc < high && found == nil {
			found = expr
		}
		return found == nil
	})
	if err == nil && len(found) == 0 {
		err = ErrNoLocation
	}
	return found, err
}

// locations calls yield for the entries of the location list of an attribute until it returns false.
func (u *Unit) locations(a Attr, yield func(low, high uint64, expr []byte) bool) error {
	switch {
	case u.d.Lost != nil && len(u.d.Loclists)+len(u.d.Loc) == 0:
		return u.d.Lost
	case a.Form == format.FormLoclistx:
		off, ok := u.listOffset(u.d.Loclists, u.locBase, a.Num)
		if !ok {
			return errors.New("its location list is missing")
		}
		u.walkList(core.BufAt(u.d.Loclists, off, u.d.order), locationList, yield)
	case u.w.Version < 5 && u.d.split:
		u.fissionLocations(a.Num, yield)
	case u.w.Version >= 5:
		u.walkList(core.BufAt(u.d.Loclists, a.Num, u.d.order), locationList, yield)
	default:
		u.locationsBefore5(a.Num, yield)
	}
	return nil
}

// locationsBefore5 reads a list of .debug_loc (DWARF 4, section 2.6.2).
func (u *Unit) locationsBefore5(off uint64, yield func(low, high uint64, expr []byte) bool) {
	b := core.BufAt(u.d.Loc, off, u.d.order)
	base, none := u.low, ^uint64(0)>>(64-8*u.w.Addr)
	for n := 0; n < maxRanges; n++ {
		low, high := b.Uint(u.w.Addr), b.Uint(u.w.Addr)
		switch {
		case b.Bad || low == 0 && high == 0:
			return
		case low == none:
			base = high
			continue
		}
		expr := b.Bytes(uint64(b.U16()))
		if b.Bad || low < high && !yield(base+low, base+high, expr) {
			return
		}
	}
}
