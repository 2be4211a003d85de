package nametable

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/dwarf/format"
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
	abbrevs map[uint64][]format.Spec // attributes of entries, DW_IDX_*
}

// Attributes of entries in an index of names (DWARF 5, table 6.1).
const idxCompileUnit format.AttrName = 1

// readDebugNames reads the tables of a section, up to one that is malformed.
func readDebugNames(names, str []byte, order binary.ByteOrder) (list []Table) {
	b := core.BufAt(names, 0, order)
	for b.More() && len(list) < maxListed {
		size, dwarf64 := uint64(b.U32()), false
		if size == 0xffffffff {
			size, dwarf64 = b.Uint(8), true
		}
		table := b
		if b.Bytes(size); b.Bad {
			break
		}
		table.Data = b.Data[:b.Off]
		t := &debugNames{order: order, dwarf64: dwarf64, str: str}
		if !t.read(&table) {
			break
		}
		list = append(list, t)
	}
	return list
}

func (t *debugNames) read(b *core.Buf) bool {
	if b.U16() != 5 {
		return false
	}
	b.U16() // padding
	cus, local, foreign, buckets, names := uint64(b.U32()), uint64(b.U32()), uint64(b.U32()), uint64(b.U32()),
		uint64(b.U32())
	abbrevs, augmentation := uint64(b.U32()), uint64(b.U32())
	b.Bytes((augmentation + 3) &^ 3)
	t.offsets = b.Bytes(cus * t.size())
	b.Bytes(local * t.size())
	b.Bytes(foreign * 8)
	t.buckets = b.Bytes(buckets * 4)
	if buckets > 0 {
		t.hashes = b.Bytes(names * 4)
	}
	t.strings, t.entries = b.Bytes(names*t.size()), b.Bytes(names*t.size())
	shapes := core.Buf{Data: b.Bytes(abbrevs), Order: t.order}
	if b.Bad || !t.readAbbrevs(&shapes) {
		return false
	}
	t.pool = b.Data[b.Off:]
	return true
}

// size returns the bytes of an offset.
func (t *debugNames) size() uint64 {
	if t.dwarf64 {
		return 8
	}
	return 4
}

func (t *debugNames) readAbbrevs(b *core.Buf) bool {
	t.abbrevs = map[uint64][]format.Spec{}
	for b.More() {
		code := b.ULEB()
		if code == 0 {
			return true
		}
		b.ULEB() // the tag
		var list []format.Spec
		for {
			s := format.Spec{Attr: format.AttrName(b.ULEB()), Form: format.Form(b.ULEB())}
			if s.Form == format.FormImplicitConst {
				s.Value = b.SLEB()
			}
			if b.Bad || len(list) > format.MaxSpecs {
				return false
			}
			if s.Attr == 0 && s.Form == 0 {
				break
			}
			list = append(list, s)
		}
		t.abbrevs[code] = list
	}
	return !b.Bad
}

// number returns the i-th of a list of numbers of some bytes; ok is false past its end.
func (t *debugNames) number(list []byte, i, size uint64) (v uint64, ok bool) {
	if n := uint64(len(list)) / size; i >= n {
		return 0, false
	}
	return core.Fixed(list[i*size:(i+1)*size], t.order), true
}

// Units implements Table, by the whole name, as gdb has it, and by its last part.
func (t *debugNames) Units(name string) []format.Offset {
	out := t.named(nil, name)
	if own := index.LastPart(name); own != name {
		out = t.named(out, own)
	}
	return out
}

// named adds the units of a name of the table.
func (t *debugNames) named(out []format.Offset, name string) []format.Offset {
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
		b := core.BufAt(t.str, text, t.order)
		if have == uint64(hash) && string(b.CString()) == name {
			out = t.list(out, i)
		}
	}
	return out
}

// list adds the units that the entries of a name are in.
func (t *debugNames) list(out []format.Offset, name uint64) []format.Offset {
	off, ok := t.number(t.entries, name, t.size())
	b := core.BufAt(t.pool, off, t.order)
	w := &format.Widths{Addr: 8, DWARF64: t.dwarf64}
	for ok && b.More() && len(out) < index.MaxSame {
		specs, known := t.abbrevs[b.ULEB()]
		if !known {
			break // 0 ends the list
		}
		unit := uint64(0) // of a table of one unit
		for _, s := range specs {
			var x format.Value
			x.Read(&b, s, w)
			if s.Attr == idxCompileUnit {
				unit = x.Num
			}
		}
		if at, ok := t.number(t.offsets, unit, t.size()); ok && !b.Bad {
			out = append(out, format.Offset(at))
		}
	}
	return out
}
