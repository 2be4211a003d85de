package signal

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/kernel"
	"coredbg/walk/step"
)

// An Unwinder steps out of signal trampolines, to the frame that the signal
// interrupted.
type Unwinder struct {
	Walk *step.Walk // the walk that it makes steps of
}

// Step reads the registers that the kernel saved for the handler's return.
func (u Unwinder) Step(f *frame.Frame) (frame.Frame, error) {
	if !f.Trampoline || u.Walk.Here.Trampoline == nil {
		return frame.Frame{}, frame.ErrDecline
	}
	t := u.Walk.Here.Trampoline
	c, arch := &u.Walk.Stack, u.Walk.Text.Process.Arch
	at := t.Context(c, f.SP)
	regs, err := savedRegs(c, arch, at, t.Slots)
	if err != nil {
		return frame.Frame{}, err
	}
	if t.PC != 0 {
		if err := returned(c, arch, at+t.PC, &f.Regs, &regs); err != nil {
			return frame.Frame{}, err
		}
	}
	if pc, ok := regs.Get(arch.PC); ok {
		regs.Set(arch.PC, pc&^uint64(u.Walk.Text.Set.Mode))
	}
	return frame.FromRegs(arch, regs), nil
}

// returned completes registers when the kernel has saved only the ones that a handler may change, and
// the program counter at an address: the others have the handler's values.
func returned(c *core.Cursor, arch *core.Arch, at core.Addr, handler, regs *core.Regs) error {
	pc := c.Word(at)
	if err := c.Reset(); err != nil {
		return err
	}
	regs.Set(arch.PC, pc)
	for slot := range arch.RegNames {
		if _, saved := regs.Get(slot); saved || arch.CalleeSaved>>uint(slot)&1 == 0 {
			continue
		}
		if v, ok := handler.Get(slot); ok {
			regs.Set(slot, v)
		}
	}
	return nil
}

// savedRegs reads registers that were saved one after the other, in the order of
// slots; -1 skips one. One that cannot be read, as where a secret was left out,
// is unknown; without the program counter and the stack pointer there is no frame.
func savedRegs(c *core.Cursor, arch *core.Arch, at core.Addr, slots []int) (regs core.Regs, err error) {
	if err := c.Reset(); err != nil {
		return regs, err
	}
	for i, slot := range slots {
		if slot < 0 {
			continue
		}
		v := c.Register(at + core.Addr(i*arch.RegSize()))
		switch err := c.Reset(); {
		case err == nil:
			regs.Set(slot, v)
		case slot == arch.PC || slot == arch.SP:
			return regs, err
		}
	}
	return regs, nil
}

// MarkTrap makes an interrupted frame a trapped one if a signal has left the
// program counter after the instruction that raised it.
func MarkTrap(w *step.Walk, f *frame.Frame, signal int) {
	if kernel.Trapped(w.Text.Process, f.PC, signal) {
		f.Point = frame.Trapped
	}
}
