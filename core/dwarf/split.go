package dwarf

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// Files opens the files that have parts of an image's debugging information. Errors say why a file
// cannot be had.
type Files interface {
	// Split opens the file that has the rest of a unit: its name as the compiler had it, and the
	// folder that a relative one is in.
	Split(dir, name string) (core.Image, error)
	// Package opens the file that has the rest of all units (.dwp), nil if there is none.
	Package() (core.Image, error)
	// Supplement opens the file with the parts that images share, by the name in the image's link. It
	// has a build-id, or for DWARF 5's link, its own checksum in .debug_sup.
	Supplement(name string, id []byte) (core.Image, error)
}

// split is a unit's link to the file that has the rest of it.
type split struct {
	once sync.Once
	name string // "" for a unit that is whole
	id   uint64
	unit *Unit
	err  error // why there is none

	skeleton *Unit // for a unit of such a file: the unit that names it; nil for type units of packages
}

// whole returns the unit that has the entries of a skeleton (DWARF 5, section 3.1.2), and
// the unit itself if it has them. It fails for a unit that names what is in another file, which
// is not there.
func (u *Unit) whole() (*Unit, error) {
	u.load()
	s := &u.split
	if u.lost != nil {
		return nil, u.lost
	}
	if _, err := u.d.supplement(); err != nil {
		return nil, err
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

// openSplit finds the rest of the unit in the package, or opens the file that has it.
func (u *Unit) openSplit() (*Unit, error) {
	if u.d.root.files == nil {
		return nil, errors.New("it is not looked for")
	}
	p, perr := u.d.root.whole()
	if p != nil {
		if row, ok := p.Units.Find(u.split.id); ok {
			return p.unit(u, row)
		}
	}
	img, err := u.d.root.files.Split(u.compDir, u.split.name)
	if err != nil {
		return nil, errors.Join(err, perr)
	}
	d, err := open(img, u.d.order, ".dwo")
	if err != nil {
		return nil, err
	}
	return d.rest(u)
}

// rest makes d, which was read from a split file, the rest of a skeleton, and returns the unit that has
// it.
func (d *part) rest(skeleton *Unit) (*Unit, error) {
	d.split = true
	d.belong(skeleton.d.root)
	d.Addr = skeleton.d.Addr
	if skeleton.w.Version < 5 {
		d.Ranges = skeleton.d.Ranges
	}
	err := errors.New("it has no unit")
	for _, x := range d.units {
		x.split.skeleton = skeleton
		x.load()
		if x.kind == utSplitCompile || x.w.Version < 5 && x.kind == utCompile {
			if x.split.id == skeleton.split.id {
				return x, nil
			}
			err = errors.New("it is another version")
		}
	}
	return nil, err
}

// typeUnits calls yield for the type units of d's file.
func (d *part) typeUnits(yield func(*Unit)) {
	list := d.units
	if d.kin != nil {
		list = slices.Concat(list, d.kin.units)
	}
	for _, u := range list {
		if u.kind == utType || u.kind == utSplitType {
			yield(u)
		}
	}
}

// inherit takes what a unit of a split file has from its skeleton (DWARF 5, section 7.3.2.3): tables
// of the file itself begin right after their headers.
func (u *Unit) inherit() {
	if s := u.split.skeleton; s != nil {
		s.load()
		u.addrBase, u.low = s.addrBase, s.low
		if u.w.Version < 5 {
			u.rngBase = s.rngBase
		}
	}
	if u.w.Version < 5 {
		return
	}
	u.strBase, u.rngBase, u.locBase = 8, 12, 12
	if u.w.DWARF64 {
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
	b := core.BufAt(u.d.Loc, off, u.d.order)
	base := u.low
	for n := 0; b.More() && n < maxRanges; n++ {
		var low, high uint64
		switch b.U8() {
		case fissionBase:
			base, _ = u.indexedAddr(b.ULEB())
			continue
		case fissionStartEnd:
			low, _ = u.indexedAddr(b.ULEB())
			high, _ = u.indexedAddr(b.ULEB())
		case fissionStartLength:
			low, _ = u.indexedAddr(b.ULEB())
			high = low + uint64(b.U32())
		case fissionOffsetPair:
			low = base + uint64(b.U32())
			high = base + uint64(b.U32())
		default: // fissionEnd
			return
		}
		expr := b.Bytes(uint64(b.U16()))
		if b.Bad || !yield(low, high, expr) {
			return
		}
	}
}

// OpenParts opens the files with the rest of the first max units, and the files that the image shares
// with others. It skips missing files.
func (d *Data) OpenParts(max int) {
	for _, u := range d.own.units[:min(max, len(d.own.units))] {
		u.whole()
	}
}

// Source returns the unit's main source file and the compiler's working folder as debugging information has them,
// and the compiler's name; "" for a fact that is not recorded.
func (u *Unit) Source() (name, dir, producer string) {
	if full, err := u.whole(); err == nil {
		u = full
	}
	u.load()
	if e, err := u.firstEntry(); err == nil {
		producer = e.attr(format.AtProducer).Text()
	}
	return u.name, u.compDir, producer
}

// A pkg is the package of the image's units, and the type units that were read.
type pkg struct {
	*format.Package
	root *Data

	mu    sync.Mutex
	types map[int]*part // of the type units that were asked for, by row of TypeUnits
}

// openPackage opens the package of the image's units; nil if there is none.
func (d *Data) openPackage() (*pkg, error) {
	if d.files == nil {
		return nil, nil
	}
	img, err := d.files.Package()
	if img == nil || err != nil {
		return nil, err
	}
	p, err := format.ReadPackage(img, d.own.order)
	if err != nil {
		return nil, fmt.Errorf("the package %s: %w", img.Path(), err)
	}
	return &pkg{Package: p, root: d, types: map[int]*part{}}, nil
}

// part reads the units of sections of the package.
func (p *pkg) part(s format.Sections) (*part, error) {
	d, err := newPart(s, p.root.own.order)
	if err != nil {
		return nil, err
	}
	d.pkg, d.split = p, true
	d.belong(p.root)
	return d, nil
}

// unit returns the rest of a skeleton, which has a row of the index.
func (p *pkg) unit(skeleton *Unit, row int) (*Unit, error) {
	s, err := p.UnitSections(row)
	if err != nil {
		return nil, err
	}
	d, err := p.part(s)
	if err != nil {
		return nil, err
	}
	return d.rest(skeleton)
}

// typeData returns the type unit that a row has.
func (p *pkg) typeData(row int) (*part, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d := p.types[row]; d != nil {
		return d, nil
	}
	s, err := p.TypeUnitSections(row)
	if err != nil {
		return nil, err
	}
	d, err := p.part(s)
	if err != nil {
		return nil, err
	}
	p.types[row] = d
	return d, nil
}

// signature returns the entry of the type that a type unit has, by the number that others name
// it with.
func (d *part) signature(sig uint64) (ref, bool) {
	r, ok := d.sigs[sig]
	if ok || d.pkg == nil {
		return r, ok
	}
	row, ok := d.pkg.TypeUnits.Find(sig)
	if !ok {
		return r, false
	}
	unit, err := d.pkg.typeData(row)
	if err != nil {
		return r, false
	}
	r, ok = unit.sigs[sig]
	return r, ok
}
