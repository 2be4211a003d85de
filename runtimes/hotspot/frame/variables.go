package frame

import (
	"coredbg/core"
	"coredbg/runtimes/hotspot/code"
	"coredbg/runtimes/hotspot/object"
	"coredbg/walk"
)

// A Variable is a variable of a frame with its value.
type Variable struct {
	object.Variable
	// Ref is the object of a reference. At is where a value of a primitive type is in memory; Bits the value
	// if At is 0.
	Ref, At core.Addr
	Bits    uint64
	Missing string // why the value is not known; ""
}

// Variables returns the variables of scope n of an activation.
func (d *Decoder) Variables(q *Activation, n int, f *walk.Frame) []Variable {
	if n >= len(q.Scopes) || q.Scopes[n].BCI < 0 {
		return nil
	}
	s := q.Scopes[n]
	var out []Variable
	for _, v := range s.Method.Variables(s.BCI) {
		out = append(out, Variable{Variable: v})
	}
	switch {
	case q.Tier == "interpreter":
		d.interpretedVariables(q, f, out)
	case q.Blob != nil && q.Blob.Compiled():
		d.compiledVariables(q, s, f, out)
	default:
		for i := range out {
			out[i].Missing = "its place is not known"
		}
	}
	return out
}

// interpretedVariables reads the slots of a frame of the interpreter: from the place downwards that the word
// above the bytecode pointer says, since JDK 20 in words from the frame pointer.
func (d *Decoder) interpretedVariables(q *Activation, f *walk.Frame, list []Variable) {
	c := d.Process.Cursor()
	locals := c.Pointer(f.FP.Add(8 * (d.BytecodeWord() + 1)))
	if n := int64(locals); q.Frozen || n > 0 && n < maxLocals/8 {
		locals = f.FP.Add(8 * n)
	}
	known := c.Err() == nil && locals > f.FP && uint64(locals-f.FP) <= maxLocals
	for i := range list {
		v := &list[i]
		slot := v.Slot
		if v.Wide() {
			slot++
		}
		if !known {
			v.Missing = "the frame does not say where it is"
			continue
		}
		d.inMemory(v, locals.Add(-8*int64(slot)), q.Frozen, false)
	}
}

// inMemory reads a variable from a place of a stack.
func (d *Decoder) inMemory(v *Variable, at core.Addr, frozen, narrow bool) {
	if v.Type[0] != 'L' && v.Type[0] != '[' {
		v.At = at
		return
	}
	c := d.Process.Cursor()
	if v.Ref = c.Pointer(at); c.Err() != nil {
		v.Missing = c.Err().Error()
		return
	}
	half := d.Narrow(uint32(v.Ref))
	if narrow {
		v.Ref = half
	}
	if v.Ref == 0 {
		return
	}
	if frozen && !narrow {
		v.Ref = d.Frozen(uint64(v.Ref))
	}
	if _, err := d.Object(v.Ref); err == nil {
		return
	}
	if _, err := d.Object(half); err == nil && frozen && d.RefSize() == 4 { // the collector has made it narrow
		v.Ref = half
		return
	}
	v.Ref, v.Missing = 0, "what is in its place is no object"
}

// compiledVariables reads variables where the compiler says that they are.
func (d *Decoder) compiledVariables(q *Activation, s code.Scope, f *walk.Frame, list []Variable) {
	values, whole := d.Locals(q.Blob, s)
	for i := range list {
		v := &list[i]
		slot := v.Slot
		if v.Wide() {
			slot++
		}
		switch {
		case f.Exact():
			v.Missing = "the compiler does not describe the place where the frame was interrupted"
		case slot < len(values):
			d.described(v, values[slot], q, f)
		case whole:
			v.Missing = "the code needs it no more"
		default:
			v.Missing = "how the compiler describes it is not known"
		}
	}
}

// described reads a variable by its description.
func (d *Decoder) described(v *Variable, at code.Value, q *Activation, f *walk.Frame) {
	reference := v.Type[0] == 'L' || v.Type[0] == '['
	switch {
	case at.Kind == code.OnStack && at.Oop == reference:
		d.inMemory(v, f.SP.Add(at.Offset), q.Frozen, at.Narrow)
	case at.Kind == code.Constant && reference && (at.Oop || at.Bits == 0):
		v.Ref = core.Addr(at.Bits)
	case at.Kind == code.Constant && !reference && !at.Oop:
		v.Bits = at.Bits
	case at.Kind == code.InRegister && at.Oop == reference:
		var ok bool
		if reference {
			v.Ref = d.Reference(at, q, f)
			ok = v.Ref != 0
		} else {
			v.Bits, ok = d.inRegister(at, q, f)
		}
		if !ok {
			v.Missing = "it was in a register, which a callee may have saved"
		}
	case at.Kind == code.Scalar:
		v.Missing = "the compiler has not made the object"
	case at.Kind == code.Dead:
		v.Missing = "the code needs it no more"
	default:
		v.Missing = "the compiler describes a value of another type"
	}
}

// inRegister returns the value of a register that the code of a frame keeps across a call; ok is false if it
// is not known. Callees save the frame pointer alone, and compiled code may keep any value there.
func (d *Decoder) inRegister(at code.Value, q *Activation, f *walk.Frame) (bits uint64, ok bool) {
	// The number that the instructions have for the frame pointer; a VMReg is a half of a register
	// (cpu/x86/vmreg_x86.hpp, cpu/aarch64/vmreg_aarch64.hpp).
	number := int64(5)
	if d.Process.Arch == core.ARM64 {
		number = 29
	}
	if at.Kind != code.InRegister || at.Offset/2 != number || q.Frozen || f.Exact() || f.FP == 0 {
		return 0, false
	}
	return uint64(f.FP), true
}

// Reference returns the object that a register refers to, as inRegister does; 0 if it is not known.
func (d *Decoder) Reference(at code.Value, q *Activation, f *walk.Frame) core.Addr {
	bits, ok := d.inRegister(at, q, f)
	if !ok {
		return 0
	}
	ref := core.Addr(bits)
	if at.Narrow {
		ref = d.Narrow(uint32(bits))
	}
	if _, err := d.Object(ref); ref == 0 || err != nil {
		return 0
	}
	return ref
}
