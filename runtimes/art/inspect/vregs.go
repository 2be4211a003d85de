package inspect

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
)

// A VReg is a register of a method's dex code, or a variable that the debug
// info has in it.
type VReg struct {
	Register int
	// Name is the variable's, or "" without debug info. Type is its type as a descriptor. For a register
	// without a variable it is "", or "Ljava/lang/Object;" for a reference.
	Name, Type string
	// Argument is set for the registers that a call's arguments are put into: the last ones (dex format,
	// code_item's ins_size).
	Argument bool
	// Value is nil if it is not known; Missing then says why.
	Value   *java.Value
	Missing string
}

// VRegs returns the registers of frame n of the frames that Source gives for an activation: the variables that
// the debug info has at its dex pc, and the registers without one. regs are the machine's registers in the
// frame. For native methods it returns nil.
func (in *Inspector) VRegs(q *frame.Activation, n int, regs *core.Regs, o java.Options) []VReg {
	m, pc, known := q.Method, q.DexPC, q.HasDexPC
	if n < len(q.Inlined) {
		m, pc, known = q.Inlined[n].Method, q.Inlined[n].DexPC, true
	}
	if m.Code == nil {
		return nil
	}
	read := in.Registers(q, n, m, regs)
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
		v := VReg{Register: i, Argument: i >= m.Code.Registers-m.Code.Ins}
		if k := slices.IndexFunc(names, func(l dex.Local) bool { return int(l.Register) == i }); k >= 0 {
			v.Name, v.Type = names[k].Name, names[k].Type
		}
		low := read(i)
		wide := v.Type == "J" || v.Type == "D"
		if wide && i+1 < m.Code.Registers {
			low = low.With(read(i + 1))
			i++
		}
		in.vregValue(&v, low, o)
		out = append(out, v)
	}
	return out
}

// vregValue turns bits into a value: by the variable's type, else by whether
// the register holds a reference.
func (in *Inspector) vregValue(v *VReg, r frame.Register, o java.Options) {
	switch {
	case r.Missing != "":
		v.Missing = r.Missing
	case v.Type != "" && object.PrimitiveOf(v.Type) != object.NotPrimitive:
		p := object.PrimitiveOf(v.Type)
		raw := extend(r.Bits, p)
		v.Value = &java.Value{Kind: java.ValueNumber, Type: p.String(), Raw: raw, Text: p.Format(raw)}
	case r.Ref || v.Type != "":
		if v.Type == "" {
			v.Type = "Ljava/lang/Object;"
		}
		if r.Bits == 0 {
			v.Value = &java.Value{Kind: java.ValueNull, Type: dex.TypeName(v.Type)}
			return
		}
		v.Value = in.Inspect(core.Addr(r.Bits), o)
	default:
		raw := extend(r.Bits, object.Int)
		v.Value = &java.Value{Kind: java.ValueNumber, Type: object.Int.String(), Raw: raw, Text: object.Int.Format(raw)}
	}
}

// extend extends the bits of a register to a primitive type: registers hold the small types as ints.
func extend(bits uint64, p object.Primitive) uint64 {
	unused := 64 - 8*p.Size()
	switch p {
	case object.Byte, object.Short, object.Int, object.Long:
		return uint64(int64(bits<<unused) >> unused)
	}
	return bits << unused >> unused
}

// maxVRegs bounds the registers of one frame.
const maxVRegs = 1 << 16
