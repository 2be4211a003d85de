package m68k

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/walk/isa"
)

// control is where control goes after an instruction.
func control(_ *core.Arch, code []byte) isa.Control {
	in, ok := decode(code)
	if !ok {
		return isa.Control{}
	}
	c := isa.Control{Kind: isa.Passes, Size: in.size}
	relative := func(kind isa.Kind, from int64) { c.Kind, c.Target = kind, from+in.from.disp }
	switch op := in.op; {
	case op>>8 == 0x60:
		relative(isa.Jumps, 2)
	case op>>8 == 0x61:
		relative(isa.Calls, 2)
	case op>>12 == 6, op&0xf0f8 == 0x50c8: // bcc, dbcc
		relative(isa.Branches, 2)
	case op&0xff80 == 0xf280 && op != 0xf280: // fbcc
		relative(isa.Branches, 2)
	case op&0xfff8 == 0xf248: // fdbcc
		relative(isa.Branches, 4)
	case op&0xffc0 == 0x4e80:
		c.Kind = isa.Calls
	case op == 0x4efa: // jmp %pc@(…)
		relative(isa.Jumps, 2)
	case op == 0x4ef8, op == 0x4ef9: // of an address
		c.Kind, c.Tail = isa.Indirect, true
	case op&0xffc0 == 0x4ec0:
		c.Kind, c.Tail = isa.Indirect, stub(code) != 0
	case op == 0x4e75:
		c.Kind, c.Pop = isa.Returns, 4
	case op == 0x4e74:
		c.Kind, c.Pop = isa.Returns, 4+max(in.from.disp, 0)
	case op == 0x4e73, op == 0x4e77, op == 0x4afc, op == 0x4e47: // rte, rtr, illegal; trap #7, which compilers emit
		c.Kind = isa.Stops
	}
	return c
}

// call knows bsr and jsr, by the length of their operands.
func call(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	for size := 2; size <= 8 && size <= n; size += 2 {
		in, valid := decode(code[n-size:])
		if !valid || in.size != size {
			continue
		}
		switch op := in.op; {
		case op>>8 == 0x61:
			return 2 + in.from.disp - int64(size), true, true
		case op == 0x4eba:
			return 2 + in.from.disp - int64(size), true, true
		case op == 0x4ebb && size == 8 && binary.BigEndian.Uint16(code[n-6:]) == 0x0170: // jsr %pc@(32 bits)
			return 2 + int64(int32(binary.BigEndian.Uint32(code[n-4:]))) - 8, true, true
		case op&0xffc0 == 0x4e80 && in.from.mode >= 2 && in.from.mode != 3 && in.from.mode != 4:
			return 0, false, true
		}
	}
	return 0, false, false
}

// callSlot returns what jsr of an address calls.
func callSlot(_ *core.Process, _ core.Addr, code []byte) core.Addr {
	if n := len(code); n >= 6 && code[n-6] == 0x4e && code[n-5] == 0xb9 {
		return core.Addr(binary.BigEndian.Uint32(code[n-4:]))
	}
	return 0
}

// stub returns the distance from it to the pointer that jmp uses, in linkage tables: jmp
// ([%pc,displacement]). It returns 0 if code is not such a stub.
func stub(code []byte) int64 {
	if len(code) < 8 || binary.BigEndian.Uint32(code) != 0x4efb0171 {
		return 0
	}
	return 2 + int64(int32(binary.BigEndian.Uint32(code[4:])))
}

// stubSlot returns where that pointer lies.
func stubSlot(_ *core.Process, a core.Addr, code []byte, at int) core.Addr {
	if at < 0 || at > len(code) {
		return 0
	}
	off := stub(code[at:])
	if off == 0 {
		return 0
	}
	return a.Add(int64(at)+off) & core.M68K.AddrMask()
}

// maxTable bounds the entries of a table of jumps.
const maxTable = 1 << 10

// tableTargets returns where the jump at an offset may go that GCC makes of a switch:
// jmp %pc@(2,%dN:w), with the table right after it. The table, of words relative to its
// start, ends at the first place that it leads to.
func tableTargets(code []byte, at int) (to []int) {
	if at+4 > len(code) || binary.BigEndian.Uint16(code[at:]) != 0x4efb ||
		binary.BigEndian.Uint16(code[at+2:])&0x8fff != 0x0002 {
		return nil
	}
	start := at + 4
	end := len(code)
	for e := start; e+2 <= end && len(to) < maxTable; e += 2 {
		target := start + int(int16(binary.BigEndian.Uint16(code[e:])))
		if target > start && target < end {
			end = target
		}
		to = append(to, target)
	}
	return to
}
