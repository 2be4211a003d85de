package machine

import (
	"fmt"

	"golang.org/x/arch/x86/x86asm"
)

func isMemory(a x86asm.Arg) bool {
	_, ok := a.(x86asm.Mem)
	return ok
}

// register returns the number of an integer register, its size in bytes and the bits that it is shifted
// by. It returns false for other registers.
func register(r x86asm.Reg) (n, size, shift int, ok bool) {
	switch {
	case r >= x86asm.AL && r <= x86asm.BL:
		return int(r - x86asm.AL), 1, 0, true
	case r >= x86asm.AH && r <= x86asm.BH:
		return int(r - x86asm.AH), 1, 8, true
	case r >= x86asm.SPB && r <= x86asm.R15B:
		return int(r-x86asm.SPB) + rsp, 1, 0, true
	case r >= x86asm.AX && r <= x86asm.R15W:
		return int(r - x86asm.AX), 2, 0, true
	case r >= x86asm.EAX && r <= x86asm.R15L:
		return int(r - x86asm.EAX), 4, 0, true
	case r >= x86asm.RAX && r <= x86asm.R15:
		return int(r - x86asm.RAX), 8, 0, true
	}
	return 0, 0, 0, false
}

// vector returns the number of an XMM register.
func vector(a x86asm.Arg) (int, bool) {
	r, ok := a.(x86asm.Reg)
	return int(r - x86asm.X0), ok && r >= x86asm.X0 && r <= x86asm.X15
}

// size returns the bytes of an operand.
func (m *Machine) size(in *x86asm.Inst, a x86asm.Arg) int {
	switch a := a.(type) {
	case x86asm.Reg:
		if _, size, _, ok := register(a); ok {
			return size
		}
	case x86asm.Mem:
		return in.MemBytes
	}
	return in.DataSize / 8
}

// address computes the address of an operand in memory.
func (m *Machine) address(a x86asm.Mem, next uint64) Value {
	x := known(uint64(a.Disp))
	if a.Disp>>32 == 0 { // the decoder leaves the sign of 32 bits to us; an absolute address may have 64
		x = known(uint64(int64(int32(a.Disp))))
	}
	add := func(r x86asm.Reg, scale uint64) {
		switch n, size, _, ok := register(r); {
		case r == 0:
		case r == x86asm.RIP:
			x.N += next
		case !ok || size != 8:
			x.Known = false
		default:
			x.N += m.r[n].N * scale
			x.Known = x.Known && m.r[n].Known
		}
	}
	add(a.Base, 1)
	add(a.Index, uint64(a.Scale))
	switch a.Segment {
	case x86asm.FS:
		x.N += uint64(m.TLS)
		x.Known = x.Known && m.TLS != 0
	case x86asm.GS:
		x.Known = false
	}
	return x
}

// read returns the value of an operand, an immediate one extended to 64 bits.
func (m *Machine) read(in *x86asm.Inst, a x86asm.Arg, next uint64) (Value, error) {
	switch a := a.(type) {
	case x86asm.Imm:
		return known(uint64(int64(a))), nil
	case x86asm.Reg:
		n, size, shift, ok := register(a)
		if !ok {
			return Value{}, fmt.Errorf("machine: register %s", a)
		}
		need := mask(size) << uint(shift)
		return Value{m.r[n].N & need >> uint(shift), m.r[n].Known || m.part[n]&need == need}, nil
	case x86asm.Mem:
		at := m.address(a, next)
		if !at.Known {
			return Value{}, nil
		}
		if in.MemBytes > 8 || in.MemBytes <= 0 {
			return Value{}, fmt.Errorf("machine: %s of %d bytes", in.Op, in.MemBytes)
		}
		return m.load(at.N, in.MemBytes), nil
	}
	return Value{}, fmt.Errorf("machine: operand %v of %s", a, in.Op)
}

// write sets an operand; registers of 32 bits clear the upper half.
func (m *Machine) write(in *x86asm.Inst, a x86asm.Arg, next uint64, x Value) error {
	switch a := a.(type) {
	case x86asm.Reg:
		n, size, shift, ok := register(a)
		if !ok {
			return fmt.Errorf("machine: register %s", a)
		}
		if size < 4 {
			m.writePart(n, mask(size)<<uint(shift), x.N<<uint(shift), x.Known)
			return nil
		}
		m.part[n] = 0
		m.r[n] = Value{x.N & mask(size), x.Known}
		return nil
	case x86asm.Mem:
		at := m.address(a, next)
		if !at.Known {
			return errUnknown
		}
		if in.MemBytes > 8 || in.MemBytes <= 0 {
			return fmt.Errorf("machine: %s of %d bytes", in.Op, in.MemBytes)
		}
		return m.store(at.N, in.MemBytes, x)
	}
	return fmt.Errorf("machine: operand %v of %s", a, in.Op)
}

// writePart sets some bits of a register and keeps the others.
func (m *Machine) writePart(n int, bits, x uint64, ok bool) {
	have := m.part[n]
	if m.r[n].Known {
		have = ^uint64(0)
	}
	if have &^= bits; ok {
		have |= bits
	}
	m.r[n] = Value{m.r[n].N&^bits | x&bits, have == ^uint64(0)}
	m.part[n] = have
}

// moveVector moves 16 bytes.
func (m *Machine) moveVector(in *x86asm.Inst, next uint64) error {
	var x [2]Value
	if r, ok := vector(in.Args[1]); ok {
		x = m.x[r]
	} else if a, ok := in.Args[1].(x86asm.Mem); ok {
		if at := m.address(a, next); at.Known {
			x = [2]Value{m.load(at.N, 8), m.load(at.N+8, 8)}
		}
	}
	if r, ok := vector(in.Args[0]); ok {
		m.x[r] = x
		return nil
	}
	a, ok := in.Args[0].(x86asm.Mem)
	if !ok {
		return fmt.Errorf("machine: operands of %s", in.Op)
	}
	at := m.address(a, next)
	if !at.Known {
		return errUnknown
	}
	if err := m.store(at.N, 8, x[0]); err != nil {
		return err
	}
	return m.store(at.N+8, 8, x[1])
}

// moveLow is MOVQ and MOVD between a vector's low part and elsewhere.
func (m *Machine) moveLow(in *x86asm.Inst, next uint64) error {
	size := 8
	if in.Op == x86asm.MOVD {
		size = 4
	}
	var x Value
	if r, ok := vector(in.Args[1]); ok {
		x = m.x[r][0]
	} else {
		var err error
		if x, err = m.read(in, in.Args[1], next); err != nil {
			return err
		}
	}
	x.N &= mask(size)
	if r, ok := vector(in.Args[0]); ok {
		m.x[r] = [2]Value{x, known(0)}
		return nil
	}
	return m.write(in, in.Args[0], next, x)
}

// moveHigh sets the high part of a vector to a low part, or to memory, or
// memory to a high part.
func (m *Machine) moveHigh(in *x86asm.Inst, next uint64) error {
	to, isVector := vector(in.Args[0])
	if !isVector {
		from, _ := vector(in.Args[1])
		return m.write(in, in.Args[0], next, m.x[from][1])
	}
	if from, ok := vector(in.Args[1]); ok {
		m.x[to][1] = m.x[from][0]
		return nil
	}
	if in.Op == x86asm.PUNPCKLQDQ {
		return fmt.Errorf("machine: %s of memory", in.Op)
	}
	x, err := m.read(in, in.Args[1], next)
	m.x[to][1] = x
	return err
}
