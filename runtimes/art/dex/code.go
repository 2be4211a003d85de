package dex

import (
	"fmt"

	"coredbg/core"
)

// Code is a code_item: what a method executes.
type Code struct {
	Addr      core.Addr // of the code item
	Registers int       // of the frame; the last Ins of them are arguments
	Ins, Outs int
	TryCount  int
	Insns     core.Addr // of the first instruction
	Units     uint32    // number of 16-bit code units
	// DebugInfo is the offset of the debug_info_item in the data; 0 is none.
	DebugInfo uint32
}

// DexPC returns the dex pc of an address within the instructions, in code
// units.
func (c *Code) DexPC(a core.Addr) (uint32, bool) {
	if off := uint64(a - c.Insns); off < uint64(c.Units)*2 {
		return uint32(off / 2), true
	}
	return 0, false
}

// CodeAt returns the code item at off in the data, as a class lists it. method is its index in method_ids,
// which compact dex uses to find the debug info.
func (f *File) CodeAt(off, method uint32) (*Code, error) {
	a, err := f.data("code_item", off)
	if err != nil {
		return nil, err
	}
	return f.Code(a, method)
}

// Code returns the code item at a, as the runtime's methods refer to it; see
// CodeAt.
func (f *File) Code(a core.Addr, method uint32) (*Code, error) {
	read := f.standardCode
	if f.Compact {
		read = f.compactCode
	}
	code, err := read(a, method)
	if err != nil {
		return nil, fmt.Errorf("dex: code item at %v: %w", a, err)
	}
	if code.Ins > code.Registers {
		return nil, fmt.Errorf("dex: code item at %v: %d arguments do not fit into %d registers", a, code.Ins,
			code.Registers)
	}
	if uint64(code.Units)*2 > uint64(f.DataLimit) {
		return nil, fmt.Errorf("dex: code item at %v: %d code units do not fit into the data", a, code.Units)
	}
	return code, nil
}

func (f *File) standardCode(a core.Addr, _ uint32) (*Code, error) {
	c := f.cursor()
	code := &Code{
		Addr: a, Registers: int(c.U16(a)), Ins: int(c.U16(a + 2)), Outs: int(c.U16(a + 4)), TryCount: int(c.U16(a + 6)),
		DebugInfo: c.U32(a + 8), Units: c.U32(a + 12), Insns: a + 16,
	}
	return code, c.Err()
}

// The flags of a compact code item: which of its sizes continue before it
// (CompactDexFile::CodeItem, kFlagPreHeader...).
const (
	preRegisters = 1 << iota
	preIns
	preOuts
	preTries
	preInsns
	compactFlagBits = 5
)

// compactCode reads a compact code item: two 16-bit words. The first has four sizes of four bits each, the
// second the number of code units above five flags. For each flag that is set, words before the item add to a
// size, the nearest first in the order insns (two), registers, ins, outs, tries.
func (f *File) compactCode(a core.Addr, method uint32) (*Code, error) {
	code, err := f.compactSizes(a)
	if err == nil {
		code.DebugInfo, err = f.compactDebugInfo(method)
	}
	return code, err
}

func (f *File) compactSizes(a core.Addr) (*Code, error) {
	c := f.cursor()
	fields, flags := c.U16(a), c.U16(a+2)
	before := a
	pre := func(flag uint16) uint32 {
		if flags&flag == 0 {
			return 0
		}
		before -= 2
		return uint32(c.U16(before))
	}
	code := &Code{Addr: a, Insns: a + 4, Units: uint32(flags >> compactFlagBits)}
	code.Units += pre(preInsns)
	code.Units += pre(preInsns) << 16
	registers := int(fields>>12&15) + int(pre(preRegisters))
	code.Ins = int(fields>>8&15) + int(pre(preIns))
	code.Outs = int(fields>>4&15) + int(pre(preOuts))
	code.TryCount = int(fields&15) + int(pre(preTries))
	code.Registers = registers + code.Ins
	return code, c.Err()
}

// compactDebugInfo looks a method up in the table of debug info offsets: a
// word for each sixteen methods leads to a block, which begins with a bit mask
// of the methods that have debug info (the high byte first) and goes on with
// the differences between their offsets.
func (f *File) compactDebugInfo(method uint32) (uint32, error) {
	if method >= f.MethodIDs.Size {
		return 0, fmt.Errorf("method_ids[%d]: the file has %d", method, f.MethodIDs.Size)
	}
	index, err := f.data("table of debug info offsets", f.DebugInfoOffsetsPos)
	if err != nil {
		return 0, err
	}
	c := f.cursor()
	block := c.U32(index + core.Addr(f.DebugInfoTableOff) + core.Addr(method/16*4))
	if err := c.Err(); err != nil {
		return 0, fmt.Errorf("table of debug info offsets: %w", err)
	}
	s := f.stream(index + core.Addr(block))
	mask := uint32(s.u8())<<8 | uint32(s.u8())
	bit := method % 16
	if mask>>bit&1 == 0 {
		return 0, s.wrap("table of debug info offsets")
	}
	off := f.DebugInfoBase
	for i := range bit + 1 {
		if mask>>i&1 != 0 {
			off += s.uleb()
		}
	}
	return off, s.wrap("table of debug info offsets")
}

// wrap returns the stream's error with its place.
func (s *stream) wrap(what string) error {
	if s.err == nil {
		return nil
	}
	return fmt.Errorf("%s at %v: %w", what, s.at, s.err)
}

// Instructions returns the code units of a code item. On an error it returns the readable ones.
func (f *File) Instructions(c *Code) ([]uint16, error) {
	b, err := core.ReadBytes(f.mem, c.Insns, uint64(c.Units)*2)
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	if err != nil {
		return units, fmt.Errorf("dex: instructions at %v: %w", c.Insns, err)
	}
	return units, nil
}
