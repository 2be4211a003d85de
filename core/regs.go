package core

// MaxRegs is the number of slots in a register file.
const MaxRegs = 34

// Regs is a register file indexed by slot. For every register up to 31 the
// slot is the register's DWARF number; Arch.Slot translates the rest. Only
// what unwinding can need is in it: integer registers, program counter, link
// register. The value is meaningful only if the register is known.
type Regs struct {
	Val   [MaxRegs]uint64
	Known uint64 // bit i: Val[i] is recovered
}

// Has reports whether the register in slot i is known.
func (r *Regs) Has(i int) bool { return i >= 0 && i < MaxRegs && r.Known>>uint(i)&1 != 0 }

// Get returns the value of slot i and whether it is known.
func (r *Regs) Get(i int) (uint64, bool) {
	if !r.Has(i) {
		return 0, false
	}
	return r.Val[i], true
}

// Set makes slot i known with value v. A slot out of range is ignored.
func (r *Regs) Set(i int, v uint64) {
	if i >= 0 && i < MaxRegs {
		r.Val[i] = v
		r.Known |= 1 << uint(i)
	}
}

// Forget makes slot i unknown.
func (r *Regs) Forget(i int) {
	if i >= 0 && i < MaxRegs {
		r.Val[i] = 0
		r.Known &^= 1 << uint(i)
	}
}

// A Register is one named value of a thread's full register set, as the core
// records it; see Thread.Registers.
type Register struct {
	Name string
	// Value is the value of a register of up to 8 bytes.
	Value uint64
	// Bytes holds a wider register (vector, x87) in memory order; it is nil for the others.
	Bytes []byte
	// Size is the register's width in bytes.
	Size int
	// Set groups registers as the notes do: "general", "fp", "vector",
	// "matrix", "system".
	Set string
}
