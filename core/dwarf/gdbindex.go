package dwarf

import (
	"bytes"
	"encoding/binary"

	"coredbg/core/dwarf/index"
)

// maxUnits bounds the units of a file, and of a table.
const maxUnits = 1 << 21

// A nameTable says which units have a name. Linkers and gdb put it into images so that not all units
// need be read. A name that is missing there may exist all the same, as the table may spell names in
// another way.
type nameTable interface {
	// units returns the offsets of units that may have a name, as it is or after scopes.
	units(name string) []Offset
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
	b := at(data, 0, binary.LittleEndian)
	version := b.u32()
	if version < 7 || version > 9 {
		return nil
	}
	cus, types, addresses, symbols := b.u32(), b.u32(), b.u32(), b.u32()
	end := symbols
	if version >= 9 {
		end = b.u32() // a table of shortcuts
	}
	pool := b.u32()
	if version < 9 {
		end = pool
	}
	if b.bad || cus > types || types > addresses || addresses > symbols || symbols > end || end > pool ||
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
	b := at(x.pool, uint64(text), binary.LittleEndian)
	return b.cstring(), vector, true
}

// units implements nameTable: by the hash of the name, and where that is not in the table, by all
// names that end in it.
func (x *gdbIndex) units(name string) (out []Offset) {
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
func (x *gdbIndex) vector(out []Offset, off uint32) []Offset {
	b := at(x.pool, uint64(off), binary.LittleEndian)
	for range min(b.u32(), maxUnits) {
		i := uint64(b.u32() & (1<<24 - 1))
		if b.bad {
			break
		}
		if i < uint64(len(x.cus)/16) {
			out = append(out, Offset(binary.LittleEndian.Uint64(x.cus[16*i:])))
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
