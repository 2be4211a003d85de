package format

import (
	"encoding/binary"
	"errors"

	"coredbg/core"
)

// A Package is a file that has the rest of many units (.dwp): the sections of their files one after
// another, and two indexes to find a unit's sections (DWARF 5, section 7.3.5; GCC's "DebugFissionDWP"
// before).
type Package struct {
	Sections
	Units, TypeUnits PackageIndex
}

// A PackageIndex leads from a unit's id or signature to its parts of the sections.
type PackageIndex struct {
	Rows int // units

	order   binary.ByteOrder
	version uint32
	columns []uint32 // the section of each
	slots   int
	hashes  []byte // slots ids of 8 bytes
	numbers []byte // slots numbers of rows, from 1; 0 is an empty slot
	offsets []byte // for each row, a number for each column
	sizes   []byte
}

// The columns that are read (DWARF 5, table 7.1), and the columns of the earlier version that differ.
const (
	columnInfo       = 1
	columnTypes      = 2 // before DWARF 5
	columnAbbrev     = 3
	columnLoc        = 5 // .debug_loclists.dwo in DWARF 5
	columnStrOffsets = 6
	columnRnglists   = 8 // in DWARF 5
)

// maxColumns bounds the sections of one package.
const maxColumns = 32

// ReadPackage reads the sections and the indexes of a package.
func ReadPackage(img core.Image, order binary.ByteOrder) (*Package, error) {
	s, err := ReadSections(img, ".dwo")
	if err != nil {
		return nil, err
	}
	p := &Package{Sections: s}
	if p.Units, err = readPackageIndex(img, ".debug_cu_index", order); err != nil {
		return nil, err
	}
	if p.TypeUnits, err = readPackageIndex(img, ".debug_tu_index", order); err != nil {
		return nil, err
	}
	column, units := p.units(&p.TypeUnits, true)
	if p.Units.total(columnInfo) > uint64(len(p.Info.Data)) || p.TypeUnits.total(column) > uint64(len(units)) {
		return nil, errors.New("the parts that its index has overlap")
	}
	return p, nil
}

// units returns where the units of an index are: of files before DWARF 5, type units are in a
// section of their own.
func (p *Package) units(x *PackageIndex, types bool) (column uint32, section []byte) {
	if types && x.version < 5 {
		return columnTypes, p.TypeInfo.Data
	}
	return columnInfo, p.Info.Data
}

// total returns the total size in bytes of a section's contributions.
func (x *PackageIndex) total(column uint32) (n uint64) {
	for i, c := range x.columns {
		for row := range x.Rows {
			if at := 4 * (row*len(x.columns) + i); c == column {
				n += core.Fixed(x.sizes[at:at+4], x.order)
			}
		}
	}
	return n
}

// readPackageIndex reads an index; one that is not there has no rows.
func readPackageIndex(img core.Image, name string, order binary.ByteOrder) (x PackageIndex, err error) {
	s, err := img.Section(name)
	if errors.Is(err, core.ErrNoSection) {
		return x, nil
	}
	if err != nil {
		return x, err
	}
	b := core.BufAt(s.Data, 0, order)
	x.order, x.version = order, b.U32()
	if BigEndian(order) && x.version == 5<<16 {
		x.version = 5 // a number of two bytes, and two of padding
	}
	columns, rows, slots := uint64(b.U32()), uint64(b.U32()), uint64(b.U32())
	if b.Bad || x.version != 2 && x.version != 5 || columns > maxColumns || rows > slots || slots&(slots-1) != 0 {
		return x, b.Fail(name, errors.New("its header is malformed"))
	}
	x.slots, x.Rows = int(slots), int(rows)
	x.hashes, x.numbers = b.Bytes(8*slots), b.Bytes(4*slots)
	for range columns {
		x.columns = append(x.columns, b.U32())
	}
	x.offsets, x.sizes = b.Bytes(4*columns*rows), b.Bytes(4*columns*rows)
	if b.Bad {
		return x, b.Fail(name, errors.New("it is cut off"))
	}
	return x, nil
}

// Find returns the row of a unit, from 0.
func (x *PackageIndex) Find(id uint64) (row int, ok bool) {
	if x.slots == 0 {
		return 0, false
	}
	mask := uint64(x.slots - 1)
	at, step := id&mask, id>>32&mask|1
	for range x.slots {
		n := int(core.Fixed(x.numbers[4*at:4*at+4], x.order))
		if n == 0 {
			return 0, false
		}
		if core.Fixed(x.hashes[8*at:8*at+8], x.order) == id {
			return n - 1, n <= x.Rows
		}
		at = (at + step) & mask
	}
	return 0, false
}

// part returns a row's contribution to a section; it is empty if the index has no such column.
func (x *PackageIndex) part(row int, column uint32, section []byte) ([]byte, error) {
	for i, c := range x.columns {
		if c != column {
			continue
		}
		at := 4 * (row*len(x.columns) + i)
		off, size := core.Fixed(x.offsets[at:at+4], x.order), core.Fixed(x.sizes[at:at+4], x.order)
		if off > uint64(len(section)) || size > uint64(len(section))-off {
			return nil, errors.New("its index leads past a section")
		}
		return section[off : off+size], nil
	}
	return nil, nil
}

// UnitSections returns the sections of the unit that a row of Units has.
func (p *Package) UnitSections(row int) (Sections, error) { return p.sections(&p.Units, row, false) }

// TypeUnitSections returns the sections of the type unit that a row of TypeUnits has.
func (p *Package) TypeUnitSections(row int) (Sections, error) {
	return p.sections(&p.TypeUnits, row, true)
}

// sections returns the contributions of a row of an index.
func (p *Package) sections(x *PackageIndex, row int, types bool) (Sections, error) {
	s := p.Sections
	s.Info, s.TypeInfo = core.Section{}, core.Section{}
	type contribution struct {
		column uint32
		from   []byte
		to     *[]byte
	}
	column, units := p.units(x, types)
	list := []contribution{{column, units, &s.Info.Data}, {columnAbbrev, p.Abbrev, &s.Abbrev},
		{columnStrOffsets, p.StrOffsets, &s.StrOffsets}}
	if column == columnTypes {
		list[0].to = &s.TypeInfo.Data
	}
	if x.version < 5 {
		list = append(list, contribution{columnLoc, p.Loc, &s.Loc})
	} else {
		list = append(list, contribution{columnLoc, p.Loclists, &s.Loclists},
			contribution{columnRnglists, p.Rnglists, &s.Rnglists})
	}
	for _, l := range list {
		var err error
		if *l.to, err = x.part(row, l.column, l.from); err != nil {
			return s, err
		}
	}
	return s, nil
}
