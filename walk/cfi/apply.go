package cfi

import (
	"errors"

	"coredbg/core"
)

// Apply computes the caller's registers from a frame's. In the result the program counter is the return
// address as it was stored, signature and all, and the stack pointer is the canonical frame address
// unless a rule says otherwise. Registers that cannot be recovered are unknown, also if the place they
// were saved at cannot be read. The frame address and the return address are needed. If they cannot be
// computed, the error is ErrOutermost, *UnknownError, *core.FaultError, or an error in an expression.
func (r *Row) Apply(in *core.Regs, mem *core.Cursor) (out core.Regs, cfa core.Addr, err error) {
	arch := r.arch
	m := evaluator{regs: in, mem: mem, arch: arch}
	base, err := r.cfa(&m)
	if err != nil {
		return core.Regs{}, 0, err
	}
	cfa = core.Addr(base) & arch.AddrMask()
	m.cfa = uint64(cfa)

	out.Val = in.Val
	out.Known = in.Known & arch.CalleeSaved
	out.Set(arch.SP, m.cfa-arch.CFAOff)
	ra := Rule{Kind: Unspecified}
	for i := range r.Rules {
		rule := &r.Rules[i]
		if rule.Slot == r.RA {
			ra = rule.Rule
			continue
		}
		slot := int(rule.Slot)
		switch v, err := m.rule(&rule.Rule, slot); {
		case err == nil:
			out.Set(slot, v)
		default:
			out.Forget(slot)
		}
	}
	pc, err := r.returnAddress(&m, ra)
	if err != nil {
		return core.Regs{}, cfa, err
	}
	// A call has overwritten the link register; only an interrupted frame
	// still has its own.
	if int(r.RA) != arch.PC {
		out.Forget(int(r.RA))
		if r.Signal {
			out.Set(int(r.RA), pc)
		}
	}
	out.Set(arch.PC, pc)
	return out, cfa, nil
}

func (r *Row) cfa(m *evaluator) (uint64, error) {
	if r.CFAExpr != nil {
		return m.run(r.CFAExpr, nil)
	}
	v, ok := m.regs.Get(int(r.CFAReg))
	if !ok {
		return 0, &UnknownError{Slot: int(r.CFAReg)}
	}
	return v + uint64(r.CFAOff), nil
}

func (r *Row) returnAddress(m *evaluator, rule Rule) (uint64, error) {
	if rule.Kind == Undefined {
		return 0, ErrOutermost
	}
	if rule.Kind == Unspecified {
		if int(r.RA) == m.arch.PC {
			return 0, errors.New("cfi: no rule for the return address")
		}
		rule.Kind = SameValue
	}
	return m.rule(&rule, int(r.RA))
}

// rule returns the value that a rule gives to the register in slot.
func (m *evaluator) rule(r *Rule, slot int) (uint64, error) {
	switch r.Kind {
	case SameValue:
		return m.reg(slot)
	case Register:
		return m.reg(int(r.Reg))
	case Offset:
		return m.load(m.cfa + uint64(r.Off))
	case ValOffset:
		return (m.cfa + uint64(r.Off)) & uint64(m.arch.AddrMask()), nil
	case Expression:
		at, err := m.run(r.Expr, &m.cfa)
		if err != nil {
			return 0, err
		}
		return m.load(at)
	case ValExpression:
		return m.run(r.Expr, &m.cfa)
	}
	return 0, &UnknownError{Slot: slot}
}

func (m *evaluator) reg(slot int) (uint64, error) {
	v, ok := m.regs.Get(slot)
	if !ok {
		return 0, &UnknownError{Slot: slot}
	}
	return v, nil
}

// load reads a register that was saved.
func (m *evaluator) load(a uint64) (uint64, error) {
	v := m.mem.Register(core.Addr(a) & m.arch.AddrMask())
	return v, m.mem.Reset()
}
