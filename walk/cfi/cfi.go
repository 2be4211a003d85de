// Package cfi finds a function's call frame information and turns it into the
// caller's registers.
//
// The object chain: an image has the sections .eh_frame_hdr, .eh_frame and
// .debug_frame; the sorted table of the first leads from an address to a frame
// description entry (FDE) of the second without reading anything else; an FDE
// names its common information entry (CIE); the instructions of both, executed
// up to the address, give a Row; Row.Apply gives the caller's registers. Where
// .eh_frame_hdr is absent or lies, the section is scanned once for an index.
//
// Read: DWARF 5 section 6.4 (CIE versions 1, 3 and 4, in 32-bit and 64-bit
// DWARF), the .eh_frame of the Linux Standard Base 5.0 (augmentations z, L, P,
// R, S, and B and G of aarch64, "eh" of GCC 2), the instructions
// DW_CFA_GNU_args_size, DW_CFA_GNU_negative_offset_extended,
// DW_CFA_AARCH64_negate_ra_state and DW_CFA_MIPS_advance_loc8.
//
// Why the interpreter is our own: the one Go library for it
// (go-delve/delve/pkg/dwarf/frame v1.27.2) loses restored registers, knows
// neither set_loc's encodings nor scaled val_offset, pointer authentication,
// 64-bit DWARF, nor the CFA that an expression starts from, and panics on
// malformed input; it also parses whole sections. Each of these can be mended
// before it sees the bytes, but only by decoding every instruction first, and
// a decoder of all instructions is as long as an interpreter.
//
// LIMITATIONS. A complete .eh_frame_hdr is believed when it has no entry for an
// address: FDEs that its linker left out of it are not found. Indirect pointer
// encodings, DW_OP_addr, DW_OP_piece, location lists and calls in expressions
// are refused, as no frame description needs them. Registers that core.Arch has
// no slot for (floating point, vector) are not recovered, and a register kept
// in one of them is unknown in the caller.
package cfi

import (
	"errors"
	"fmt"

	"coredbg/core"
)

// ErrNoEntry is returned where no FDE covers an address.
var ErrNoEntry = errors.New("cfi: no frame description covers this address")

// ErrOutermost is returned by Row.Apply where the return address is undefined:
// by convention the mark of a thread's first function.
var ErrOutermost = errors.New("cfi: the return address is undefined")

// An UnknownError says that a rule needs a register that was not recovered.
type UnknownError struct {
	Slot int // of the register
}

// Error names the slot.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("cfi: needs the unknown register in slot %d", e.Slot)
}

// RuleKind says how a register of the caller is recovered.
type RuleKind uint8

// The rules of DWARF 5 section 6.4.1.
const (
	Unspecified   RuleKind = iota // as the ABI has it: kept if callee-saved, else unknown
	Undefined                     // not recoverable
	SameValue                     // not changed
	Offset                        // saved at CFA+Off
	ValOffset                     // is CFA+Off
	Register                      // in another register
	Expression                    // saved at the address that Expr computes
	ValExpression                 // is what Expr computes
)

// A Rule recovers one register.
type Rule struct {
	Kind RuleKind
	Reg  int8   // slot, of Register
	Off  int64  // bytes, of Offset and ValOffset
	Expr []byte // lent, of Expression and ValExpression
}

// A SlotRule is the rule of one register.
type SlotRule struct {
	Slot int8
	Rule
}

// A Row is what holds at one address of a function. It is immutable, and safe
// for concurrent use.
type Row struct {
	// CFAReg and CFAOff give the canonical frame address: the value of the
	// register in slot CFAReg plus CFAOff, unless CFAExpr is set.
	CFAReg  int8
	CFAOff  int64
	CFAExpr []byte // lent
	// Rules are the rules of registers that have one, in order of slots.
	Rules []SlotRule
	// RA is the slot that holds the return address after the rules have been
	// applied: the program counter's own, or a link register.
	RA int8
	// RASigned is set where the return address carries a pointer
	// authentication code (DW_CFA_AARCH64_negate_ra_state).
	RASigned bool
	// Signal is set for signal trampolines (augmentation S): the caller was
	// interrupted at the return address.
	Signal bool

	arch *core.Arch
}

// Rule returns the rule of the register in a slot.
func (r *Row) Rule(slot int) Rule {
	for i := range r.Rules {
		if int(r.Rules[i].Slot) == slot {
			return r.Rules[i].Rule
		}
	}
	return Rule{}
}
