package codeinfo

import (
	"encoding/binary"
	"fmt"

	"coredbg/core"
)

// A bitReader reads bits of memory, the least significant of a byte first. Its positions count from an address
// and may be negative: shared tables come before the CodeInfo that uses them.
type bitReader struct {
	c    *core.Cursor
	base core.Addr
	pos  int64
}

func newBitReader(mem core.Memory, base core.Addr) *bitReader {
	return &bitReader{c: core.NewCursor(mem, binary.LittleEndian, 8), base: base}
}

// load returns n <= 32 bits at a position.
func (r *bitReader) load(pos int64, n uint) uint32 {
	var v uint64
	a := r.base.Add(pos >> 3)
	shift := uint(pos & 7)
	for i := uint(0); i*8 < shift+n; i++ {
		v |= uint64(r.c.U8(a+core.Addr(i))) << (8 * i)
	}
	return uint32(v >> shift & (1<<n - 1))
}

// bits reads the next n <= 32 bits.
func (r *bitReader) bits(n uint) uint32 {
	v := r.load(r.pos, n)
	r.pos += int64(n)
	return v
}

// Varints are numbers of four bits; those above varintMax say how many bytes
// hold the number, which follow at once, or after all of a group of
// interleaved ones.
const (
	varintBits = 4
	varintMax  = 11
)

func (r *bitReader) varint() uint32 {
	v := r.bits(varintBits)
	if v > varintMax {
		v = r.bits(uint(v-varintMax) * 8)
	}
	return v
}

// varints reads one number for each element of out.
func (r *bitReader) varints(interleaved bool, out []uint32) {
	if !interleaved {
		for i := range out {
			out[i] = r.varint()
		}
		return
	}
	for i := range out {
		out[i] = r.bits(varintBits)
	}
	for i, v := range out {
		if v > varintMax {
			out[i] = r.bits(uint(v-varintMax) * 8)
		}
	}
}

// NoValue is what a table holds where it has no value.
const NoValue = 0xffffffff

// maxColumns is the number of columns of the widest table.
const maxColumns = 8

// Bounds on a table; real ones have some thousands of rows at most.
const (
	maxRows     = 1 << 20
	maxMaskBits = 1 << 16
)

// A Table is a bit table: rows of columns, each of a fixed number of bits.
// Values are stored plus one, so that NoValue takes no bits.
type Table struct {
	Name    string
	Columns []string
	Rows    int
	Bits    []int // per column; nil if the table has no rows
	Shared  bool  // it is in another CodeInfo

	start   int64 // position of the first row
	offsets [maxColumns + 1]int
	plain   [maxColumns]bool // stored as they are, without the one that is added to others
}

// tableNames lists the tables in order (CodeInfo::ForEachBitTableField) with
// their columns (BIT_TABLE_COLUMN in stack_map.h).
var tableNames = [...]struct {
	name    string
	columns []string
}{
	tableStackMap: {"StackMap", []string{"Kind", "PackedNativePc", "DexPc", "RegisterMaskIndex", "StackMaskIndex",
		"InlineInfoIndex", "DexRegisterMaskIndex", "DexRegisterMapIndex"}},
	tableRegisterMask: {"RegisterMask", []string{"Value", "Shift"}},
	tableStackMask:    {"StackMask", []string{"Mask"}},
	tableInlineInfo: {"InlineInfo", []string{"IsLast", "DexPc", "MethodInfoIndex", "ArtMethodHi", "ArtMethodLo",
		"NumberOfDexRegisters"}},
	tableMethodInfo:      {"MethodInfo", []string{"MethodIndex", "DexFileIndexKind", "DexFileIndex"}},
	tableDexRegisterMask: {"DexRegisterMask", []string{"Mask"}},
	tableDexRegisterMap:  {"DexRegisterMapInfo", []string{"CatalogueIndex"}},
	tableDexRegisterInfo: {"DexRegisterInfo", []string{"Kind", "PackedValue"}},
}

const (
	tableStackMap = iota
	tableRegisterMask
	tableStackMask
	tableInlineInfo
	tableMethodInfo
	tableDexRegisterMask
	tableDexRegisterMap
	tableDexRegisterInfo
	numTables
)

// isMask reports whether a table's only column holds masks, which may have
// more than 32 bits and are stored as they are.
func isMask(table int) bool { return table == tableStackMask || table == tableDexRegisterMask }

// read reads a table's header at the reader's position and passes its rows.
func (t *Table) read(r *bitReader, table int, v Version) error {
	var header [1 + maxColumns]uint32
	h := header[:1+len(t.Columns)]
	if v.interleaved() {
		r.varints(true, h)
	} else if r.varints(false, h[:1]); h[0] != 0 {
		r.varints(false, h[1:])
	}
	if err := r.c.Err(); err != nil {
		return fmt.Errorf("header of %s: %w", t.Name, err)
	}
	total := 0
	for i, n := range h[1:] {
		if n > 32 && !isMask(table) || n > maxMaskBits {
			return fmt.Errorf("%s.%s has %d bits", t.Name, t.Columns[i], n)
		}
		t.Bits = append(t.Bits, int(n))
		total += int(n)
		t.offsets[i+1] = total
	}
	if h[0] > maxRows {
		return fmt.Errorf("%s has %d rows", t.Name, h[0])
	}
	t.Rows = int(h[0])
	t.start = r.pos
	t.plain[0] = isMask(table)
	r.pos += int64(t.Rows) * int64(total)
	return nil
}

// cell returns the position and the number of bits of a value.
func (t *Table) cell(row, column int) (pos int64, bits int, ok bool) {
	if row < 0 || row >= t.Rows || column < 0 || column >= len(t.Columns) {
		return 0, 0, false
	}
	n := t.offsets[len(t.Columns)]
	return t.start + int64(row)*int64(n) + int64(t.offsets[column]), t.Bits[column], true
}
