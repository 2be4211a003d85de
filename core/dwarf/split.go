package dwarf

import (
	"errors"
	"fmt"
	"sync"

	"coredbg/core"
)

// A Splitter opens the file that has the rest of a unit's debugging information: its name as
// the compiler had it, and the folder that a relative one is in.
type Splitter func(dir, name string) (core.Image, error)

// split is what a unit knows of the file that has the rest of it.
type split struct {
	once sync.Once
	name string // "" for a unit that is whole
	id   uint64
	unit *Unit
	err  error // why there is none

	skeleton *Unit // of a unit of such a file: that which names it
}

// top returns the Data that has the skeleton of a split file, else d.
func (d *Data) top() *Data {
	if d.parent != nil {
		return d.parent
	}
	return d
}

// whole returns the unit that has the entries of a skeleton (DWARF 5, section 3.1.2), and
// the unit itself if it has them.
func (u *Unit) whole() (*Unit, error) {
	u.load()
	s := &u.split
	if u.lost != nil {
		return nil, u.lost
	}
	if s.name == "" {
		return u, nil
	}
	s.once.Do(func() {
		if s.unit, s.err = u.openSplit(); s.err != nil {
			s.err = fmt.Errorf("the rest of its debugging information, %s: %w", s.name, s.err)
		}
	})
	return s.unit, s.err
}

// openSplit opens the file that has the rest of the unit.
func (u *Unit) openSplit() (*Unit, error) {
	if u.d.splitter == nil {
		return nil, errors.New("it is not looked for")
	}
	img, err := u.d.splitter(u.compDir, u.split.name)
	if err != nil {
		return nil, err
	}
	d, err := open(img, u.d.order, ".dwo")
	if err != nil {
		return nil, err
	}
	d.parent = u.d
	d.addr = u.d.addr
	if u.version < 5 {
		d.ranges = u.d.ranges
	}
	for _, x := range d.units {
		x.split.skeleton = u
		x.load()
	}
	for _, x := range d.units {
		if x.kind == utSplitCompile || x.version < 5 && x.kind == utCompile {
			if x.split.id != u.split.id {
				return nil, errors.New("it is another version")
			}
			return x, nil
		}
	}
	return nil, errors.New("it has no unit")
}

// inherit takes what a unit of a split file has from its skeleton (DWARF 5, section 7.3.2.3): tables
// of the file itself begin right after their headers.
func (u *Unit) inherit() {
	s := u.split.skeleton
	s.load()
	u.addrBase, u.low = s.addrBase, s.low
	if u.version < 5 {
		u.rngBase = s.rngBase
		return
	}
	u.strBase, u.rngBase, u.locBase = 8, 12, 12
	if u.dwarf64 {
		u.strBase, u.rngBase, u.locBase = 16, 20, 20
	}
}

// The entries of lists of locations in split files before DWARF 5 (GCC's extension, "Fission").
const (
	fissionEnd         = 0
	fissionBase        = 1
	fissionStartEnd    = 2
	fissionStartLength = 3
	fissionOffsetPair  = 4
)

// fissionLocations reads a list of .debug_loc.dwo.
func (u *Unit) fissionLocations(off uint64, yield func(low, high uint64, expr []byte) bool) {
	b := at(u.d.loc, off, u.d.order)
	base := u.low
	for n := 0; b.more() && n < maxRanges; n++ {
		var low, high uint64
		switch b.u8() {
		case fissionBase:
			base, _ = u.indexedAddr(b.uleb())
			continue
		case fissionStartEnd:
			low, _ = u.indexedAddr(b.uleb())
			high, _ = u.indexedAddr(b.uleb())
		case fissionStartLength:
			low, _ = u.indexedAddr(b.uleb())
			high = low + uint64(b.u32())
		case fissionOffsetPair:
			low = base + uint64(b.u32())
			high = base + uint64(b.u32())
		default: // fissionEnd
			return
		}
		expr := b.bytes(uint64(b.u16()))
		if b.bad || !yield(low, high, expr) {
			return
		}
	}
}
