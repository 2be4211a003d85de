package art

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/codeinfo"
)

// A rawVReg is what a register holds.
type rawVReg struct {
	bits    uint64
	ref     bool
	missing string
}

// with joins the halves of a 64-bit value.
func (r rawVReg) with(high rawVReg) rawVReg {
	if r.missing == "" {
		r.missing = high.missing
	}
	r.bits |= high.bits << 32
	return r
}

// vregReader returns how to read the registers of a frame: interpreters keep
// two arrays, of which the second holds the references again; compiled code
// keeps what it needs where its CodeInfo says.
func (a *Decoder) vregReader(q *Activation, n int, m *code.Method, regs *core.Regs) func(int) rawVReg {
	arrays := func(values, refs core.Addr) func(int) rawVReg {
		return func(i int) rawVReg {
			w, ok1 := a.U32(values + 4*core.Addr(i))
			r, ok2 := a.U32(refs + 4*core.Addr(i))
			if !ok1 || !ok2 {
				return rawVReg{missing: "cannot be read"}
			}
			return rawVReg{bits: uint64(w), ref: r != 0 && r == w}
		}
	}
	missing := func(why string) func(int) rawVReg {
		return func(int) rawVReg { return rawVReg{missing: why} }
	}
	switch {
	case q.Kind == Interpreted:
		count, ok := a.U32(q.At.Add(int64(a.Layout.ShadowFrame.NumVRegs)))
		if !ok || int(count) != m.Code.Registers {
			return missing(fmt.Sprintf("the ShadowFrame has %d registers, the method %d", count, m.Code.Registers))
		}
		values := q.At.Add(int64(a.Layout.ShadowFrame.VRegs))
		return arrays(values, values+4*core.Addr(count))
	case q.Kind == Nterp:
		if f, ok := a.nterpLayout(m); ok {
			return arrays(q.At+core.Addr(f.registers), q.At+core.Addr(f.references))
		}
	case q.compiled != nil && q.stackMap != nil && q.Note == "":
		return a.compiledVRegs(q, n, regs)
	}
	return missing("the code has no stack map here")
}

// compiledVRegs reads the registers of compiled code.
func (a *Decoder) compiledVRegs(q *Activation, n int, regs *core.Regs) func(int) rawVReg {
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
	return func(i int) rawVReg {
		if err != nil || i >= len(locations) {
			return rawVReg{missing: "the compiler kept no map of registers here"}
		}
		l := locations[i]
		switch l.Kind {
		case codeinfo.None:
			return rawVReg{missing: "not live"}
		case codeinfo.Constant:
			return rawVReg{bits: uint64(uint32(l.Value))}
		case codeinfo.InStack:
			w, ok := a.U32(q.At.Add(int64(l.Value)))
			if !ok {
				return rawVReg{missing: "cannot be read"}
			}
			slot := int(l.Value) / 4
			return rawVReg{bits: uint64(w), ref: slot >= 0 && slot < len(onStack) && onStack[slot]}
		case codeinfo.InRegister, codeinfo.InRegisterHigh:
			w, ok := regs.Get(a.isa.slotOf(int(l.Value)))
			if !ok {
				return rawVReg{missing: "in a register that is not known any more"}
			}
			if l.Kind == codeinfo.InRegisterHigh && a.PtrSize == 8 {
				w >>= 32
			}
			return rawVReg{bits: w & 0xffffffff, ref: l.Value < 32 && inRegisters>>uint(l.Value)&1 != 0}
		}
		return rawVReg{missing: "in a floating-point register, which stacks do not recover"}
	}
}
