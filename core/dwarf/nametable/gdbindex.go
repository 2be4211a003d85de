// Package nametable reads the tables of names that linkers and debuggers put into images: .gdb_index (gdbindex.go) and
// .debug_names (debugnames.go). They say which units have a name.
//
// LIMITATIONS: versions 7 to 9 of .gdb_index and 5 of .debug_names; type units are left out.
package nametable

import (
	"bytes"
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/dwarf/format"
	"coredbg/core/dwarf/index"
)

// maxListed bounds the units of a table.
const maxListed = 1 << 21

// A Table says which units have a name. Linkers and gdb put it into images so that not all units
// need be read. A name that is missing there may exist all the same, as the table may spell names in
// another way.
type Table interface {
	// Units returns the offsets of units that may have a name, as it is or after scopes.
	Units(name string) []format.Offset
}

// Read returns the tables of names in the sections .gdb_index and .debug_names, whose strings are in
// .debug_str.
func Read(gdbIndex, names, str []byte, order binary.ByteOrder) (list []Table) {
	if x := readGDBIndex(gdbIndex); x != nil {
		list = append(list, x)
	}
	return append(list, readDebugNames(names, str, order)...)
}

// A gdbIndex is .gdb_index, which gdb, gold and lld make: a hash table of qualified names (GDB
// manual, "Index Section Format"). It is little-endian on all machines.
type gdbIndex struct {
	cus   []byte // offsets and sizes of units, 8 bytes each
	slots []byte // offsets of a name and of a vector in pool, 4 bytes each
	pool  []byte
}

// readGDBIndex reads the section. It returns nil if the version is unknown or the section malformed.
func readGDBIndex(data []byte) *gdbIndex {
	b := core.BufAt(data, 0, binary.LittleEndian)
	version := b.U32()
	if version < 7 || version > 9 {
		return nil
	}
	cus, types, addresses, symbols := b.U32(), b.U32(), b.U32(), b.U32()
	end := symbols
	if version >= 9 {
		end = b.U32() // a table of shortcuts
	}
	pool := b.U32()
	if version < 9 {
		end = pool
	}
	if b.Bad || cus > types || types > addresses || addresses > symbols || symbols > end || end > pool ||
		uint64(pool) > uint64(len(data)) {
		return nil
	}
	x := &gdbIndex{cus: data[cus:types], slots: data[symbols:end], pool: data[pool:]}
	if n := len(x.slots) / 8; n == 0 || n&(n-1) != 0 {
		return nil
	}
	return x
}

func (x *gdbIndex) word(b []byte, i uint32) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

// slot returns the name of a slot and where its units are; ok is false for an empty slot.
func (x *gdbIndex) slot(i uint32) (name []byte, vector uint32, ok bool) {
	text, vector := x.word(x.slots, 2*i), x.word(x.slots, 2*i+1)
	if text == 0 && vector == 0 {
		return nil, 0, false
	}
	b := core.BufAt(x.pool, uint64(text), binary.LittleEndian)
	return b.CString(), vector, true
}

// Units implements Table: by the hash of the name, and where that is not in the table, by all
// names that end in it.
func (x *gdbIndex) Units(name string) (out []format.Offset) {
	hash := uint32(0)
	for i := range len(name) {
		hash = hash*67 + uint32(lower(name[i])) - 113
	}
	n := uint32(len(x.slots) / 8)
	at, step := hash&(n-1), hash*17&(n-1)|1
	for range n {
		have, vector, ok := x.slot(at)
		if !ok {
			break
		}
		if string(have) == name {
			return x.vector(nil, vector)
		}
		at = (at + step) & (n - 1)
	}
	for i := uint32(0); i < n && len(out) < index.MaxSame; i++ {
		have, vector, ok := x.slot(i)
		if ok && bytes.HasSuffix(have, []byte(name)) && index.LastPart(string(have)) == name {
			out = x.vector(out, vector)
		}
	}
	return out
}

// vector adds the units of a vector. Those of type units, which have numbers after the others, are
// left out: their types are found by the units that use them.
func (x *gdbIndex) vector(out []format.Offset, off uint32) []format.Offset {
	b := core.BufAt(x.pool, uint64(off), binary.LittleEndian)
	for range min(b.U32(), maxListed) {
		i := uint64(b.U32() & (1<<24 - 1))
		if b.Bad {
			break
		}
		if i < uint64(len(x.cus)/16) {
			out = append(out, format.Offset(binary.LittleEndian.Uint64(x.cus[16*i:])))
		}
	}
	return out
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
