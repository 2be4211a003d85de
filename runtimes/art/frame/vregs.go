package frame

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/codeinfo"
)

// A Register is what a register of dex code holds.
type Register struct {
	Bits    uint64
	Ref     bool   // it is known to be a reference to an object
	Missing string // why the bits are not known; "" if they are
}

// With joins the halves of a 64-bit value.
func (r Register) With(high Register) Register {
	if r.Missing == "" {
		r.Missing = high.Missing
	}
	r.Bits |= high.Bits << 32
	return r
}

// Registers returns a function that reads the registers of a frame. Interpreters keep two arrays, and the
// second holds the references again. Compiled code keeps its registers in the places given by its CodeInfo.
func (d *Decoder) Registers(q *Activation, n int, m *code.Method, regs *core.Regs) func(int) Register {
	arrays := func(values, refs core.Addr) func(int) Register {
		return func(i int) Register {
			w, ok1 := d.U32(values + 4*core.Addr(i))
			r, ok2 := d.U32(refs + 4*core.Addr(i))
			if !ok1 || !ok2 {
				return Register{Missing: "cannot be read"}
			}
			return Register{Bits: uint64(w), Ref: r != 0 && r == w}
		}
	}
	missing := func(why string) func(int) Register {
		return func(int) Register { return Register{Missing: why} }
	}
	switch {
	case q.Kind == Interpreted:
		count, ok := d.U32(q.At.Add(int64(d.Layout.ShadowFrame.NumVRegs)))
		if !ok || int(count) != m.Code.Registers {
			return missing(fmt.Sprintf("the ShadowFrame has %d registers, the method %d", count, m.Code.Registers))
		}
		values := q.At.Add(int64(d.Layout.ShadowFrame.VRegs))
		return arrays(values, values+4*core.Addr(count))
	case q.Kind == Nterp:
		if f, ok := d.nterpLayout(m); ok {
			return arrays(q.At+core.Addr(f.registers), q.At+core.Addr(f.references))
		}
	case q.compiled != nil && q.stackMap != nil && q.Note == "":
		return d.compiledVRegs(q, n, regs)
	}
	return missing("the code has no stack map here")
}

// compiledVRegs reads the registers of compiled code.
func (d *Decoder) compiledVRegs(q *Activation, n int, regs *core.Regs) func(int) Register {
	info, sm := q.compiled.Info, *q.stackMap
	var locations []codeinfo.Location
	var err error
	if n < len(q.Inlined) {
		list, _ := info.Inlined(sm)
		locations, err = info.InlinedRegisters(sm, list, len(list)-1-n)
	} else {
		locations, err = info.Registers(sm)
	}
	inRegisters, _ := info.RegisterRoots(sm)
	onStack, _ := info.StackRoots(sm)
	return func(i int) Register {
		if err != nil || i >= len(locations) {
			return Register{Missing: "the compiler kept no map of registers here"}
		}
		l := locations[i]
		switch l.Kind {
		case codeinfo.None:
			return Register{Missing: "not live"}
		case codeinfo.Constant:
			return Register{Bits: uint64(uint32(l.Value))}
		case codeinfo.InStack:
			w, ok := d.U32(q.At.Add(int64(l.Value)))
			if !ok {
				return Register{Missing: "cannot be read"}
			}
			slot := int(l.Value) / 4
			return Register{Bits: uint64(w), Ref: slot >= 0 && slot < len(onStack) && onStack[slot]}
		case codeinfo.InRegister, codeinfo.InRegisterHigh:
			w, ok := regs.Get(d.isa.slotOf(int(l.Value)))
			if !ok {
				return Register{Missing: "in a register that is not known any more"}
			}
			if l.Kind == codeinfo.InRegisterHigh && d.PtrSize == 8 {
				w >>= 32
			}
			return Register{Bits: w & 0xffffffff, Ref: l.Value < 32 && inRegisters>>uint(l.Value)&1 != 0}
		}
		return Register{Missing: "in a floating-point register, which stacks do not recover"}
	}
}
