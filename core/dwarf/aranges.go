package dwarf

import (
	"cmp"
	"iter"
	"slices"

	"coredbg/core"
	"coredbg/core/dwarf/format"
	"coredbg/core/dwarf/index"
)

// makeCode returns the index of the units' code: the kept one, or else one from .debug_aranges and, for
// units that are missing there, from the units' own entries.
func (d *Data) makeCode() *index.Code {
	if c := d.keptCode(); c != nil {
		return c
	}
	out, known := d.readAranges()
	for i, u := range d.own.units {
		if known[i] || u.isType() || u.kind == utPartial {
			continue
		}
		d.own.Passed(i)
		u.load()
		if e, err := u.firstEntry(); err == nil {
			for _, lh := range e.codeRanges() {
				if d.IsCode(lh[0], lh[1]) {
					out = append(out, index.Range{Low: lh[0], High: lh[1], Unit: i})
				}
			}
		}
	}
	c := index.NewCode(out)
	d.keepCode(c)
	return c
}

// readAranges reads .debug_aranges (DWARF 5, section 6.1.2). A unit is known if it has a set there.
func (d *Data) readAranges() (out []index.Range, known []bool) {
	known = make([]bool, len(d.own.units))
	b := core.BufAt(d.own.Aranges, 0, d.own.order)
	for b.More() {
		size, dwarf64 := uint64(b.U32()), false
		if size == 0xffffffff {
			size, dwarf64 = b.Uint(8), true
		}
		set := b
		start := b.Off
		if b.Bytes(size); b.Bad {
			break
		}
		set.Data = b.Data[:b.Off]
		version := set.U16()
		off := format.Offset(set.Offset(dwarf64))
		addr, segment := int(set.U8()), set.U8()
		i, ok := slices.BinarySearchFunc(d.own.units, off,
			func(u *Unit, off format.Offset) int { return cmp.Compare(u.Off, off) })
		if !ok || version != 2 || segment != 0 || addr != 4 && addr != 8 {
			continue
		}
		// Addresses begin at a multiple of the size of two, counted from the set's header.
		header := 4
		if dwarf64 {
			header = 12
		}
		done := set.Off - start + header
		set.Bytes(uint64((2*addr - done%(2*addr)) % (2 * addr)))
		known[i] = true
		for set.More() {
			low, n := set.Uint(addr), set.Uint(addr)
			if !set.Bad && d.IsCode(low, low+n) {
				out = append(out, index.Range{Low: low, High: low + n, Unit: i})
			}
		}
	}
	return out, known
}

// UnitAt returns the unit that has the code at the link-time address pc, or nil if there is no such
// unit. For a split unit it returns the skeleton.
func (d *Data) UnitAt(pc uint64) *Unit {
	if i, ok := d.code().Find(pc); ok {
		return d.own.units[i]
	}
	return nil
}

// keptCode returns the index of addresses that was kept, nil if there is none.
func (d *Data) keptCode() *index.Code {
	data := d.kept.get(keptCode)
	if data == nil {
		return nil
	}
	c, err := index.ReadCode(data, len(d.own.units))
	if err != nil {
		return nil
	}
	return c
}

func (d *Data) keepCode(c *index.Code) { d.kept.put(keptCode, c.Bytes()) }

// Units yields the units of code, of a split one its skeleton.
func (d *Data) Units() iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		for _, u := range d.own.units {
			if !u.isType() && !yield(u) {
				return
			}
		}
	}
}
