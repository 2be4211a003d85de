package art

import (
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/codeinfo"
	"coredbg/runtimes/art/dex"
)

// A VReg is a register of a method's dex code, or a variable that the debug
// info has in it.
type VReg struct {
	Register int
	// Name is the variable's; "" where debug info has none. Type is its type
	// as a descriptor; of a register without a variable "" or, of a
	// reference, "Ljava/lang/Object;".
	Name, Type string
	// Value is nil if it is not known; Missing then says why.
	Value   *Value
	Missing string
}

// maxVRegs bounds the registers of one frame.
const maxVRegs = 1 << 16

// VRegs returns the registers of frame n of those that Source gives for an
// activation: the variables that the debug info has at its dex pc, and the
// registers without one. Regs are the machine's registers in the frame. There
// are none of native methods.
func (a *ART) VRegs(q *Activation, n int, regs *core.Regs, o InspectOptions) []VReg {
	m, pc, known := q.Method, q.DexPC, q.HasDexPC
	if n < len(q.Inlined) {
		m, pc, known = q.Inlined[n].Method, q.Inlined[n].DexPC, true
	}
	if m.Code == nil {
		return nil
	}
	read := a.vregReader(q, n, m, regs)
	var names []dex.Local
	if known {
		all, _ := m.Dex.File.Locals(m.Code, m.Index, m.Static())
		for _, l := range all {
			if l.Start <= pc && pc < l.End {
				names = append(names, l)
			}
		}
	}
	var out []VReg
	for i := 0; i < min(m.Code.Registers, maxVRegs); i++ {
		v := VReg{Register: i}
		if k := slices.IndexFunc(names, func(l dex.Local) bool { return int(l.Register) == i }); k >= 0 {
			v.Name, v.Type = names[k].Name, names[k].Type
		}
		low := read(i)
		wide := v.Type == "J" || v.Type == "D"
		if wide && i+1 < m.Code.Registers {
			low = low.with(read(i + 1))
			i++
		}
		a.vregValue(&v, low, o)
		out = append(out, v)
	}
	return out
}

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

// vregValue turns bits into a value: by the variable's type, else by whether
// the register holds a reference.
func (a *ART) vregValue(v *VReg, r rawVReg, o InspectOptions) {
	switch {
	case r.missing != "":
		v.Missing = r.missing
	case v.Type != "" && descriptorPrimitive(v.Type) != NotPrimitive:
		p := descriptorPrimitive(v.Type)
		raw := extend(r.bits, p)
		v.Value = &Value{Kind: ValueNumber, Type: p.String(), Raw: raw, Text: formatPrimitive(raw, p)}
	case r.ref || v.Type != "":
		if v.Type == "" {
			v.Type = "Ljava/lang/Object;"
		}
		if r.bits == 0 {
			v.Value = &Value{Kind: ValueNull, Type: dex.TypeName(v.Type)}
			return
		}
		v.Value = a.Inspect(core.Addr(r.bits), o)
	default:
		raw := extend(r.bits, Int)
		v.Value = &Value{Kind: ValueNumber, Type: Int.String(), Raw: raw, Text: formatPrimitive(raw, Int)}
	}
}

// extend brings the bits of a register to those of a primitive type: registers
// hold the small types as ints.
func extend(bits uint64, p Primitive) uint64 {
	unused := 64 - 8*p.Size()
	switch p {
	case Byte, Short, Int, Long:
		return uint64(int64(bits<<unused) >> unused)
	}
	return bits << unused >> unused
}

// vregReader returns how to read the registers of a frame: interpreters keep
// two arrays, of which the second holds the references again; compiled code
// keeps what it needs where its CodeInfo says.
func (a *ART) vregReader(q *Activation, n int, m *Method, regs *core.Regs) func(int) rawVReg {
	arrays := func(values, refs core.Addr) func(int) rawVReg {
		return func(i int) rawVReg {
			w, ok1 := a.u32(values + 4*core.Addr(i))
			r, ok2 := a.u32(refs + 4*core.Addr(i))
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
		count, ok := a.u32(q.At.Add(int64(a.layout.ShadowFrame.NumVRegs)))
		if !ok || int(count) != m.Code.Registers {
			return missing(fmt.Sprintf("the ShadowFrame has %d registers, the method %d", count, m.Code.Registers))
		}
		values := q.At.Add(int64(a.layout.ShadowFrame.VRegs))
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
func (a *ART) compiledVRegs(q *Activation, n int, regs *core.Regs) func(int) rawVReg {
	info, sm := q.compiled.info, *q.stackMap
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
			w, ok := a.u32(q.At.Add(int64(l.Value)))
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
			if l.Kind == codeinfo.InRegisterHigh && a.ptr == 8 {
				w >>= 32
			}
			return rawVReg{bits: w & 0xffffffff, ref: l.Value < 32 && inRegisters>>uint(l.Value)&1 != 0}
		}
		return rawVReg{missing: "in a floating-point register, which stacks do not recover"}
	}
}
