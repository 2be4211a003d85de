package native

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// A registerRecord is a register with its natural value, as gdb shows registers.
type registerRecord struct {
	_       out.Record `record:"register"`
	Name    string     `json:"name" col:",14" ink:"keyword"`
	Value   string     `json:"value,omitempty" col:",18" ink:"addr"` // absent if it is not known in the frame
	Natural string     `json:"natural" col:",%s"`
}

// machineFrame returns the frame of a thread that the user has chosen; nil without a choice.
func machineFrame(ctx context.Context, s *commands.Session, t *core.Thread) *walk.Frame {
	n, ok := s.FrameOf(t)
	if !ok {
		return nil
	}
	var found *walk.Frame
	s.Stacks.Thread(ctx, t, stack.Options{Limit: n + 2,
		Each: func(f *stack.Frame, machine *walk.Frame, _ *runtimes.SourceFrame) {
			if f.Index == n && found == nil {
				x := *machine
				found = &x
			}
		}})
	return found
}

// runNatural shows the registers of the chosen frame, one a line, or else all registers of the thread in the core.
func runNatural(ctx context.Context, c *commands.Call, t *core.Thread) error {
	p := c.Session.Process
	r := newRegs(c, t, func(g core.Register) bool { return isGeneral(g) || c.Flag('a') || len(c.Args) > 0 })
	frame := machineFrame(ctx, c.Session, t)
	named := map[string]bool{}
	for _, a := range c.Args {
		name := strings.TrimLeft(c.Text(a), "$%")
		if slot, is := map[string]int{"pc": p.Arch.PC, "sp": p.Arch.SP, "fp": p.Arch.FP}[name]; is && slot >= 0 &&
			p.Arch.SlotOf(name) < 0 {
			name = p.Arch.RegNames[slot]
		}
		if p, is := p.Arch.Part(name); is {
			if err := c.Emit(partRegister(c.Session, frame, r.list, name, p)); err != nil {
				return err
			}
			named[""] = true
			continue
		}
		if !slices.ContainsFunc(r.list, func(g core.Register) bool { return g.Name == name }) {
			return fmt.Errorf("%q is not a register of %s", name, archName(p))
		}
		named[name] = true
	}
	for _, g := range r.list {
		if len(named) > 0 && !named[g.Name] {
			continue
		}
		if err := c.Emit(natural(c.Session, frame, g)); err != nil {
			return err
		}
	}
	return nil
}

// partRegister returns the record of a part of a register, such as eax.
func partRegister(s *commands.Session, frame *walk.Frame, list []core.Register, name string,
	p core.RegPart) *registerRecord {
	whole := s.Process.Arch.RegNames[p.Slot]
	for _, g := range list {
		if g.Name != whole {
			continue
		}
		if r := natural(s, frame, g); r.Value == "" {
			return &registerRecord{Name: name, Natural: r.Natural}
		}
		if frame != nil && frame.Trust != walk.Registers {
			g.Value, _ = frame.Regs.Get(p.Slot)
		}
		v := g.Value >> p.Shift & (1<<p.Bits - 1)
		signed := int64(v<<(64-p.Bits)) >> (64 - p.Bits)
		return &registerRecord{Name: name, Value: "0x" + strconv.FormatUint(v, 16),
			Natural: strconv.FormatInt(signed, 10)}
	}
	return &registerRecord{Name: name, Natural: "<not saved>"}
}

// natural returns the record of a register in a frame, nil for the thread's own registers.
func natural(s *commands.Session, frame *walk.Frame, g core.Register) *registerRecord {
	arch := s.Process.Arch
	slot := arch.SlotOf(g.Name)
	if frame != nil && frame.Trust != walk.Registers && slot >= 0 {
		v, ok := frame.Regs.Get(slot)
		if !ok {
			return &registerRecord{Name: g.Name, Natural: "<not saved>"}
		}
		g.Value = v
	}
	r := &registerRecord{Name: g.Name, Value: registerValue(g)}
	if g.Bytes != nil {
		return r
	}
	r.Value = "0x" + strconv.FormatUint(g.Value, 16)
	size := max(g.Size, arch.PtrSize)
	switch {
	case slot >= 0 && slot == arch.PC:
		if r.Natural = symbolic(s, core.Addr(g.Value)); r.Natural == "" {
			r.Natural = r.Value
		}
	case slot >= 0 && (slot == arch.SP || slot == arch.FP):
		r.Natural = r.Value
	case g.Name == "eflags":
		r.Natural, _ = arch.Flags(g.Name, g.Value)
	case size < 8:
		r.Natural = strconv.FormatInt(int64(int32(g.Value)), 10)
	default:
		r.Natural = strconv.FormatInt(int64(g.Value), 10)
	}
	return r
}
