package codeinfo

import (
	"fmt"

	"coredbg/core"
)

// The flags of a CodeInfo (CodeInfo::Flags). Before version 191 only the first
// is used.
const (
	HasInlineInfo = 1 << iota
	HasShouldDeoptimizeFlag
	IsBaseline
	IsDebuggable
)

// StackAlignment is the unit of frame sizes in bytes (kStackAlignment).
const stackAlignment = 16

// An Info is a CodeInfo. Only its head is kept; rows are read when they are
// asked for. It is not safe for concurrent use.
type Info struct {
	Addr    core.Addr
	Version Version

	Flags         uint32
	CodeSize      uint32 // in bytes; 0 before version 191
	FrameSize     uint32 // in bytes
	CoreSpillMask uint32 // core registers that the frame saves, by number
	FPSpillMask   uint32
	DexRegisters  uint32 // of the method itself, without those inlined

	// Tables are in upstream's order; a table without rows is empty.
	Tables [numTables]Table
	// Bits is the length of the CodeInfo.
	Bits int64

	packedFrameSize, tableFlags uint32
	r                           *bitReader
	methods                     core.Addr // method indices, before version 150
	methodCount                 uint32
}

// Decode reads the CodeInfo at a, of version 170 or later; see
// MethodHeader.Decode.
func Decode(mem core.Memory, a core.Addr, v Version) (*Info, error) {
	if v < oatAndroid10 {
		return nil, v.unknown()
	}
	i := &Info{Addr: a, Version: v, r: newBitReader(mem, a)}
	fields := v.header(i)
	values := make([]uint32, len(fields))
	i.r.varints(v.interleaved(), values)
	for n, f := range fields {
		*f = values[n]
	}
	i.FrameSize = i.packedFrameSize * stackAlignment
	err := i.r.c.Err()
	for t := range i.Tables {
		i.Tables[t].Name, i.Tables[t].Columns = tableNames[t].name, tableNames[t].columns
		if err == nil {
			err = i.table(t)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("codeinfo: at %v: %w", a, err)
	}
	i.Bits = i.r.pos
	return i, nil
}

// table reads the head of table n, if the CodeInfo has it: where it lies, or
// how many bits before this place another CodeInfo has the same.
func (i *Info) table(n int) error {
	t := &i.Tables[n]
	if n == tableMethodInfo && i.Version < oatMethodInfo {
		t.Columns = t.Columns[:1]
	}
	shared := false
	switch {
	case i.Version < oatFlags:
		shared = i.r.bits(1) != 0
	case i.tableFlags>>n&1 == 0:
		return nil
	default:
		shared = i.tableFlags>>(numTables+n)&1 != 0
	}
	if !shared {
		return t.read(i.r, n, i.Version)
	}
	at := i.r.pos
	back := *i.r
	back.pos = at - int64(i.r.varint())
	t.Shared = true
	if err := t.read(&back, n, i.Version); err != nil {
		return fmt.Errorf("%w (shared with %v)", err, i.Addr.Add(back.pos>>3))
	}
	return i.r.c.Err()
}

// Value returns a value of a table; NoValue if there is none. Masks of more
// than 32 bits are cut.
func (i *Info) Value(table, row, column int) (uint32, error) {
	t := &i.Tables[table]
	pos, n, ok := t.cell(row, column)
	if !ok {
		return NoValue, fmt.Errorf("codeinfo: at %v: %s[%d]: the table has %d rows", i.Addr, t.Name, row, t.Rows)
	}
	v := i.r.load(pos, uint(min(n, 32)))
	if !t.plain[column] {
		v--
	}
	if err := i.r.c.Reset(); err != nil {
		return NoValue, fmt.Errorf("codeinfo: at %v: %s[%d]: %w", i.Addr, t.Name, row, err)
	}
	return v, nil
}

// Row returns all values of a row of a table.
func (i *Info) Row(table, row int) ([]uint32, error) {
	values := make([]uint32, len(i.Tables[table].Columns))
	for c := range values {
		var err error
		if values[c], err = i.Value(table, row, c); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Mask returns the bits of a row of a table of masks, the first one first.
func (i *Info) Mask(table, row int) ([]bool, error) {
	t := &i.Tables[table]
	pos, n, ok := t.cell(row, 0)
	if !ok || !isMask(table) {
		return nil, fmt.Errorf("codeinfo: at %v: %s[%d]: the table has %d rows", i.Addr, t.Name, row, t.Rows)
	}
	mask := make([]bool, n)
	for b := range mask {
		mask[b] = i.r.load(pos+int64(b), 1) != 0
	}
	if err := i.r.c.Reset(); err != nil {
		return nil, fmt.Errorf("codeinfo: at %v: %s[%d]: %w", i.Addr, t.Name, row, err)
	}
	return mask, nil
}
