package compact

import (
	"cmp"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/walk/cfi"
)

// Modes of x86-64 encodings.
const (
	x86RBPFrame      = 1
	x86StackImmd     = 2
	x86StackIndirect = 3
	x86DWARF         = 4
)

// x86Slots are the slots of the registers that encodings number from 1 on:
// rbx, r12, r13, r14, r15, rbp.
var x86Slots = [...]int{0, 3, 12, 13, 14, 15, 6}

func (t *Table) rowX86(e Entry) (cfi.Row, error) {
	enc := e.Encoding
	switch enc >> 24 & 0xf {
	case x86RBPFrame:
		return rowRBP(enc)
	case x86StackImmd:
		return rowStack(enc, int64(enc>>16&0xff)*8)
	case x86StackIndirect:
		at := e.Start + uint64(enc>>16&0xff) - t.text.Addr
		if e.Start < t.text.Addr || at > uint64(len(t.text.Data)) || uint64(len(t.text.Data))-at < 4 {
			return cfi.Row{}, fmt.Errorf("compact: the code at %#x that has the size of its stack frame cannot be read",
				e.Start)
		}
		return rowStack(enc, int64(t.arch.Order.Uint32(t.text.Data[at:]))+int64(enc>>13&7)*8)
	case x86DWARF:
		return cfi.Row{}, &DWARFError{Off: enc & 0xffffff}
	}
	return cfi.Row{}, fmt.Errorf("compact: unknown encoding %#x", enc)
}

// rowRBP is a frame with rbp as its base. Up to five registers are in ascending slots; the lowest slot
// is the given number of words below rbp.
func rowRBP(enc uint32) (cfi.Row, error) {
	r := cfi.Row{CFAReg: 6, CFAOff: 16, RA: int8(core.AMD64.PC), Rules: []cfi.SlotRule{saved(6, -16), saved(16, -8)}}
	low := int64(enc >> 16 & 0xff)
	for i := int64(0); i < 5; i++ {
		n := enc >> (3 * i) & 7
		if n == 0 {
			continue
		}
		if n > 5 {
			return cfi.Row{}, fmt.Errorf("compact: encoding %#x saves a register that is none", enc)
		}
		r.Rules = append(r.Rules, saved(x86Slots[n], -16-8*low+8*i))
	}
	sortRules(&r)
	return r, nil
}

// rowStack is a frame of size bytes, with the return address, without a base.
func rowStack(enc uint32, size int64) (cfi.Row, error) {
	n := int(enc >> 10 & 7)
	regs, ok := permutation(n, enc&0x3ff)
	if !ok || size < 8*int64(n+1) {
		return cfi.Row{}, fmt.Errorf("compact: encoding %#x saves registers that are none", enc)
	}
	r := cfi.Row{CFAReg: 7, CFAOff: size, RA: int8(core.AMD64.PC), Rules: []cfi.SlotRule{saved(16, -8)}}
	for i, reg := range regs {
		r.Rules = append(r.Rules, saved(x86Slots[reg], -8-8*int64(n)+8*int64(i)))
	}
	sortRules(&r)
	return r, nil
}

func sortRules(r *cfi.Row) {
	slices.SortFunc(r.Rules, func(a, b cfi.SlotRule) int { return cmp.Compare(a.Slot, b.Slot) })
}

// permutation decodes which n of the six registers were saved, and their order: a number whose digits,
// in the bases of a Lehmer code, each choose among the registers that are left.
func permutation(n int, p uint32) (regs []int, ok bool) {
	weights := [...][]uint32{{}, {1}, {5, 1}, {20, 4, 1}, {60, 12, 3, 1}, {120, 24, 6, 2, 1}, {120, 24, 6, 2, 1, 0}}
	if n >= len(weights) {
		return nil, false
	}
	left := []int{1, 2, 3, 4, 5, 6}
	for _, w := range weights[n] {
		d := uint32(0)
		if w > 0 {
			d, p = p/w, p%w
		}
		if d >= uint32(len(left)) {
			return nil, false
		}
		regs = append(regs, left[d])
		left = slices.Delete(left, int(d), int(d)+1)
	}
	return regs, true
}
