package pe

import (
	"cmp"
	"slices"

	"coredbg/core"
	"coredbg/core/debugframe"
)

// maxFunctions bounds the functions of an image; a browser has some 600,000.
const maxFunctions = 1 << 22

// maxChained bounds the chain of unwind information of one function.
const maxChained = 32

// A runtimeFunction is an entry of .pdata: code from begin to end, and its UNWIND_INFO.
type runtimeFunction struct{ begin, end, info uint32 }

// x64Slots are the slots of core.AMD64 for the registers of unwind codes.
var x64Slots = [16]int{0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15}

const (
	slotRSP = 7
	slotRIP = 16
)

// functions returns the entries of .pdata in order.
func (f *File) functions() []runtimeFunction {
	dir := f.dirs[dirException]
	if f.machine != machineAMD64 {
		return nil
	}
	b := f.bytes(dir[0], min(dir[1], 12*maxFunctions))
	out := make([]runtimeFunction, 0, len(b)/12)
	for ; len(b) >= 12; b = b[12:] {
		if r := (runtimeFunction{le.Uint32(b), le.Uint32(b[4:]), le.Uint32(b[8:])}); r.begin < r.end &&
			r.end <= f.size {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b runtimeFunction) int { return cmp.Compare(a.begin, b.begin) })
	return out
}

// debugFrame writes the unwind information as .debug_frame. Code outside all functions belongs to
// functions that do nothing to the stack (leaf functions).
func (f *File) debugFrame() []byte {
	funcs := f.functions()
	if len(funcs) == 0 {
		return nil
	}
	w := debugframe.New(core.AMD64, func(w *debugframe.Writer) {
		w.DefCFA(slotRSP, 8)
		w.Offset(slotRIP, -8)
		for _, n := range []int{4, 5} { // rsi and rdi are kept on Windows
			w.Register(n, n)
		}
	})
	at := uint32(0)
	for _, r := range funcs {
		f.leaves(w, at, r.begin)
		if at = max(at, r.end); r.info&1 != 0 {
			continue // another entry stands for it
		}
		if u, ok := f.unwind(r.info); ok {
			w.FDE(uint64(r.begin), uint64(r.end-r.begin), func() { u.write(w) })
		}
	}
	f.leaves(w, at, f.size)
	return w.Bytes()
}

// leaves writes entries for the code between two functions.
func (f *File) leaves(w *debugframe.Writer, from, to uint32) {
	for i := range f.sections {
		s := &f.sections[i]
		if s.flags&flagExec == 0 {
			continue
		}
		if lo, hi := max(from, s.rva), min(to, s.rva+s.size); lo < hi {
			w.FDE(uint64(lo), uint64(hi-lo), func() {})
		}
	}
}

// Unwind codes.
const (
	uwopPushNonvol    = 0
	uwopAllocLarge    = 1
	uwopAllocSmall    = 2
	uwopSetFPReg      = 3
	uwopSaveNonvol    = 4
	uwopSaveNonvolFar = 5
	uwopEpilog        = 6
	uwopSpare         = 7
	uwopSaveXMM       = 8
	uwopSaveXMMFar    = 9
	uwopPushMachFrame = 10
)

// An operation is an unwind code: what the prologue did up to an offset in it.
type operation struct {
	off  uint8
	op   uint8
	info uint8
	n    uint64 // bytes of an allocation, or of an offset
}

// An unwindInfo is an UNWIND_INFO and the ones that it is chained to: their operations, in the order of
// the prologues.
type unwindInfo struct {
	ops    []operation
	fp     uint8 // register; 0 if there is none
	fpOff  uint64
	before int // operations of the chained ones: they were done at its start
}

// unwind reads the UNWIND_INFO at an RVA.
func (f *File) unwind(rva uint32) (u unwindInfo, ok bool) {
	for range maxChained {
		h := f.bytes(rva, 4)
		if len(h) < 4 || h[0]&7 != 1 && h[0]&7 != 2 {
			return u, false
		}
		count := uint32(h[2])
		codes := f.bytes(rva+4, 2*count)
		if len(codes) < int(2*count) {
			return u, false
		}
		ops, ok := parseCodes(codes)
		if !ok {
			return u, false
		}
		if h[3]&0xf != 0 {
			u.fp, u.fpOff = h[3]&0xf, 16*uint64(h[3]>>4)
		}
		if u.ops != nil || u.before > 0 {
			u.before += len(ops)
		}
		u.ops = append(ops, u.ops...)
		const chained = 4 << 3
		if h[0]&chained == 0 {
			return u, true
		}
		if u.ops == nil {
			u.ops = []operation{}
		}
		next := f.bytes(rva+4+2*((count+1)&^1), 12)
		if len(next) < 12 {
			return u, false
		}
		rva = le.Uint32(next[8:])
	}
	return u, false
}

// parseCodes turns unwind codes round: they are listed from the end of the prologue on.
func parseCodes(b []byte) (ops []operation, ok bool) {
	for len(b) >= 2 {
		o := operation{off: b[0], op: b[1] & 0xf, info: b[1] >> 4}
		slots := 1
		switch o.op {
		case uwopAllocLarge:
			if slots = 2; o.info == 1 {
				slots = 3
			}
		case uwopSaveNonvol, uwopSaveXMM, uwopEpilog:
			slots = 2
		case uwopSaveNonvolFar, uwopSaveXMMFar, uwopSpare:
			slots = 3
		case uwopPushNonvol, uwopAllocSmall, uwopSetFPReg, uwopPushMachFrame:
		default:
			return nil, false
		}
		if len(b) < 2*slots {
			return nil, false
		}
		switch {
		case slots == 2:
			o.n = uint64(le.Uint16(b[2:])) * 8
		case slots == 3:
			o.n = uint64(le.Uint32(b[2:]))
		case o.op == uwopAllocSmall:
			o.n = uint64(o.info)*8 + 8
		}
		if o.op != uwopEpilog && o.op != uwopSpare {
			ops = append(ops, o)
		}
		b = b[2*slots:]
	}
	slices.Reverse(ops)
	return ops, true
}

// write writes the rows of a function: after each operation the CFA is further from the
// stack pointer, or the frame pointer has it.
func (u *unwindInfo) write(w *debugframe.Writer) {
	pushed := uint64(0) // bytes between the return address and the stack pointer
	reg, off := slotRSP, uint64(8)
	base := u.fixed()
	at := uint8(0)
	for i, o := range u.ops {
		if i >= u.before && o.off > at {
			w.Advance(uint64(o.off - at))
			at = o.off
		}
		switch o.op {
		case uwopPushNonvol:
			pushed += 8
			w.Offset(x64Slots[o.info], -int64(pushed+8))
		case uwopAllocLarge, uwopAllocSmall:
			pushed += o.n
		case uwopSetFPReg:
			reg, off = x64Slots[u.fp], pushed+8-u.fpOff
			if pushed+8 < u.fpOff {
				return
			}
			w.DefCFA(reg, off)
			continue
		case uwopSaveNonvol, uwopSaveNonvolFar:
			w.Offset(x64Slots[o.info], int64(o.n)-int64(base+8))
			continue
		case uwopPushMachFrame:
			// The processor has pushed ss, rsp, flags, cs, rip, and maybe an error code.
			at := uint64(0)
			if o.info == 1 {
				at = 8
			}
			w.DefCFA(slotRSP, pushed+at+40)
			w.Offset(slotRIP, -40)
			w.Offset(slotRSP, -16)
			return
		default:
			continue
		}
		if reg == slotRSP {
			w.DefCFA(reg, pushed+off)
		}
	}
}

// fixed returns the distance in bytes from the return address down to the stack pointer of the body, or
// to the stack pointer at the time when the frame pointer was set. Offsets of saved registers count
// from there.
func (u *unwindInfo) fixed() (n uint64) {
	for _, o := range u.ops {
		switch o.op {
		case uwopPushNonvol:
			n += 8
		case uwopAllocLarge, uwopAllocSmall:
			n += o.n
		case uwopSetFPReg:
			return n
		}
	}
	return n
}
