package arm64

import "coredbg/walk/isa"

// Set returns the instruction set of aarch64.
func Set() *isa.Set {
	return &isa.Set{Call: call, Prologue: prologue, Returns: returns, Control: control, Apply: apply, Decide: decide,
		SetsLink: setsLink, Begins: begins, Slot: stubSlot,
		Exits: [][]byte{{0xa8, 0x0b, 0x80, 0xd2, 0x01, 0, 0, 0xd4}}} // mov x8,#93; svc #0
}
