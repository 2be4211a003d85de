package dwarf

import (
	"encoding/binary"

	"coredbg/core/dwarf/index"
)

// A debugNames is one table of .debug_names (DWARF 5, section 6.1.1), which clang and gdb make: a
// hash table of names, clang's without their scopes. A linker that does not know it leaves many of them, one
// for each object file.
type debugNames struct {
	order   binary.ByteOrder
	dwarf64 bool
	str     []byte
	offsets []byte // offsets of units
	buckets []byte // 4 bytes each
	hashes  []byte // the same, one for each name
	strings []byte // offsets of the names
	entries []byte // offsets in pool of each name's first entry
	pool    []byte
	abbrevs map[uint64][]spec // attributes of entries, DW_IDX_*
}

// Attributes of entries in an index of names (DWARF 5, table 6.1).
const idxCompileUnit attr = 1

// readDebugNames reads the tables, up to one that is malformed.
func (d *part) readDebugNames() (list []nameTable) {
	b := at(d.names, 0, d.order)
	for b.more() && len(list) < maxUnits {
		size, dwarf64 := uint64(b.u32()), false
		if size == 0xffffffff {
			size, dwarf64 = b.uint(8), true
		}
		table := b
		if b.bytes(size); b.bad {
			break
		}
		table.data = b.data[:b.off]
		t := &debugNames{order: d.order, dwarf64: dwarf64, str: d.str}
		if !t.read(&table) {
			break
		}
		list = append(list, t)
	}
	return list
}

func (t *debugNames) read(b *buf) bool {
	if b.u16() != 5 {
		return false
	}
	b.u16() // padding
	cus, local, foreign, buckets, names := uint64(b.u32()), uint64(b.u32()), uint64(b.u32()), uint64(b.u32()),
		uint64(b.u32())
	abbrevs, augmentation := uint64(b.u32()), uint64(b.u32())
	b.bytes((augmentation + 3) &^ 3)
	t.offsets = b.bytes(cus * t.size())
	b.bytes(local * t.size())
	b.bytes(foreign * 8)
	t.buckets = b.bytes(buckets * 4)
	if buckets > 0 {
		t.hashes = b.bytes(names * 4)
	}
	t.strings, t.entries = b.bytes(names*t.size()), b.bytes(names*t.size())
	shapes := buf{data: b.bytes(abbrevs), order: t.order}
	if b.bad || !t.readAbbrevs(&shapes) {
		return false
	}
	t.pool = b.data[b.off:]
	return true
}

// size returns the bytes of an offset.
func (t *debugNames) size() uint64 {
	if t.dwarf64 {
		return 8
	}
	return 4
}

func (t *debugNames) readAbbrevs(b *buf) bool {
	t.abbrevs = map[uint64][]spec{}
	for b.more() {
		code := b.uleb()
		if code == 0 {
			return true
		}
		b.uleb() // the tag
		var list []spec
		for {
			s := spec{attr: attr(b.uleb()), form: form(b.uleb())}
			if s.form == formImplicitConst {
				s.value = b.sleb()
			}
			if b.bad || len(list) > maxSpecs {
				return false
			}
			if s.attr == 0 && s.form == 0 {
				break
			}
			list = append(list, s)
		}
		t.abbrevs[code] = list
	}
	return !b.bad
}

// number returns the i-th of a list of numbers of some bytes; ok is false past its end.
func (t *debugNames) number(list []byte, i, size uint64) (v uint64, ok bool) {
	if n := uint64(len(list)) / size; i >= n {
		return 0, false
	}
	return fixed(list[i*size:(i+1)*size], t.order), true
}

// units implements nameTable, by the whole name, as gdb has it, and by its last part.
func (t *debugNames) units(name string) []Offset {
	out := t.named(nil, name)
	if own := index.LastPart(name); own != name {
		out = t.named(out, own)
	}
	return out
}

// named adds the units of a name of the table.
func (t *debugNames) named(out []Offset, name string) []Offset {
	hash := uint32(5381)
	for i := range len(name) {
		hash = hash*33 + uint32(lower(name[i]))
	}
	n := uint64(len(t.buckets) / 4)
	if n == 0 {
		return out
	}
	first, _ := t.number(t.buckets, uint64(hash)%n, 4)
	for i := first - 1; first > 0; i++ {
		have, ok := t.number(t.hashes, i, 4)
		if !ok || have%n != uint64(hash)%n {
			break
		}
		text, _ := t.number(t.strings, i, t.size())
		b := at(t.str, text, t.order)
		if have == uint64(hash) && string(b.cstring()) == name {
			out = t.list(out, i)
		}
	}
	return out
}

// list adds the units that the entries of a name are in.
func (t *debugNames) list(out []Offset, name uint64) []Offset {
	off, ok := t.number(t.entries, name, t.size())
	b := at(t.pool, off, t.order)
	u := &Unit{addr: 8, dwarf64: t.dwarf64}
	for ok && b.more() && len(out) < index.MaxSame {
		specs, known := t.abbrevs[b.uleb()]
		if !known {
			break // 0 ends the list
		}
		unit := uint64(0) // of a table of one unit
		for _, s := range specs {
			a := b.read(u, s)
			if s.attr == idxCompileUnit {
				unit = a.v
			}
		}
		if at, ok := t.number(t.offsets, unit, t.size()); ok && !b.bad {
			out = append(out, Offset(at))
		}
	}
	return out
}
