package m68k

import (
	"bytes"

	"coredbg/core"
	"coredbg/walk/isa"
)

// Set returns the instruction set of m68k.
func Set() *isa.Set {
	return &isa.Set{Call: call, CallSlot: callSlot, Prologue: prologue, Entered: entered, Returns: returns,
		Control: control, Apply: apply, Decide: decide, Begins: begins, Slot: stubSlot}
}

// decide knows no conditions.
func decide(*isa.Way, []byte) (taken, sure bool) { return false, false }

// begins knows padding, and link with the frame pointer.
func begins(code []byte) bool {
	for _, b := range [][]byte{{0x4e, 0x71}, {0, 0, 0, 0}, {0x4e, 0x56}, {0x48, 0x0e}} {
		if bytes.HasPrefix(code, b) {
			return true
		}
	}
	return false
}

// entered knows link, the first instruction of a function.
func entered(arch *core.Arch, _, after []byte) (s isa.Shape, ok bool) {
	if !bytes.HasPrefix(after, []byte{0x4e, 0x56}) && !bytes.HasPrefix(after, []byte{0x48, 0x0e}) {
		return s, false
	}
	s.CFAOff, s.Saved[arch.PC] = 4, 4
	return s, true
}

// returns knows rts and rtd.
func returns(arch *core.Arch, code []byte) (s isa.Shape, ok bool) {
	c := control(arch, code)
	if c.Kind != isa.Returns {
		return s, false
	}
	s.Sure, s.CFAOff, s.Saved[arch.PC] = true, c.Pop, int32(c.Pop)
	return s, true
}
