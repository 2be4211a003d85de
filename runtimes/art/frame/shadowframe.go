package frame

import (
	"coredbg/core"
	"coredbg/runtimes/art/layout"
)

// A ShadowFrame is the frame of a method that the switch interpreter or mterp executes. It is on the native
// stack.
type ShadowFrame struct {
	Addr, Link core.Addr // Link is the caller's; 0 if the caller is not a ShadowFrame
	Method     core.Addr
	DexPC      uint32
	// Insns is the address of the code unit at DexPC; 0 if it is not known.
	Insns core.Addr
	VRegs uint32 // number of registers
	// Lagging is set if the frame keeps no pointer to the instruction: while the interpreter runs, the dex pc
	// is from the last exit from it.
	Lagging bool
}

// ShadowFrame reads a ShadowFrame (runtime/interpreter/shadow_frame.h). While
// mterp executes it, the dex pc is a pointer into the instructions.
func (d *Decoder) ShadowFrame(at core.Addr) (ShadowFrame, error) {
	l := &d.Layout.ShadowFrame
	c := d.Cursor()
	off := func(n int) core.Addr { return at.Add(int64(n)) }
	f := ShadowFrame{Addr: at, Link: c.Pointer(off(l.Link)), Method: c.Pointer(off(l.Method)),
		VRegs: c.U32(off(l.NumVRegs)), DexPC: c.U32(off(l.DexPC))}
	if l.DexPCPtr == layout.Unknown {
		return f, c.Err()
	}
	pc, insns := c.Pointer(off(l.DexPCPtr)), c.Pointer(off(l.DexInstructions))
	if pc != 0 && pc >= insns {
		f.DexPC, f.Insns = uint32(uint64(pc-insns)/2), pc
	}
	return f, c.Err()
}
