package machine

import (
	"fmt"
	"math/bits"

	"golang.org/x/arch/x86/x86asm"
)

// arithmetic carries out instructions with one or two operands that set flags,
// and the moves among them.
func (m *Machine) arithmetic(in *x86asm.Inst, next uint64) error {
	size := m.size(in, in.Args[0])
	a, err := m.read(in, in.Args[0], next)
	if err != nil {
		return err
	}
	b := known(1)
	if in.Args[1] != nil {
		if b, err = m.read(in, in.Args[1], next); err != nil {
			return err
		}
	}
	switch in.Op {
	case x86asm.MOV:
		return m.write(in, in.Args[0], next, b)
	case x86asm.MOVZX:
		return m.write(in, in.Args[0], next, b)
	case x86asm.MOVSX, x86asm.MOVSXD:
		return m.write(in, in.Args[0], next, Value{signed(b.N, m.size(in, in.Args[1])), b.Known})
	case x86asm.XCHG:
		if err := m.write(in, in.Args[0], next, b); err != nil {
			return err
		}
		return m.write(in, in.Args[1], next, a)
	case x86asm.NOT:
		return m.write(in, in.Args[0], next, Value{^a.N & mask(size), a.Known})
	case x86asm.TEST, x86asm.AND, x86asm.OR, x86asm.XOR:
		return m.logic(in, next, a, b, size)
	case x86asm.SHL, x86asm.SHR, x86asm.SAR:
		return m.shift(in, next, a, b, size)
	case x86asm.IMUL:
		return m.multiply(in, next, a, b, size)
	case x86asm.BT:
		m.flags = flags{c: a.N>>(b.N&uint64(8*size-1))&1 == 1, known: a.Known && b.Known && !isMemory(in.Args[0])}
		return nil
	case x86asm.BSR, x86asm.BSF, x86asm.TZCNT, x86asm.LZCNT:
		return m.countZeros(in, next, b, size)
	case x86asm.CMPXCHG:
		return m.compareExchange(in, next, a, b, size)
	case x86asm.DIV:
		return m.divide(a, size)
	}
	return m.addition(in, next, a, b, size)
}

// countZeros is BSF, BSR, LZCNT and TZCNT.
func (m *Machine) countZeros(in *x86asm.Inst, next uint64, b Value, size int) error {
	n := uint64(bits.TrailingZeros64(b.N))
	switch in.Op {
	case x86asm.BSR:
		n = uint64(63 - bits.LeadingZeros64(b.N))
	case x86asm.LZCNT:
		n = uint64(bits.LeadingZeros64(b.N) - 64 + 8*size)
	}
	m.flags = flags{z: b.N == 0, known: b.Known}
	return m.write(in, in.Args[0], next, Value{n, b.Known && b.N != 0})
}

// compareExchange is CMPXCHG.
func (m *Machine) compareExchange(in *x86asm.Inst, next uint64, a, b Value, size int) error {
	acc := Value{m.r[rax].N & mask(size), m.r[rax].Known}
	m.difference(acc, a, 0, size)
	if !m.flags.known {
		return errUnknown
	}
	if m.flags.z {
		return m.write(in, in.Args[0], next, b)
	}
	m.r[rax] = a
	return nil
}

// addition is what adds and subtracts, with a carry or without.
func (m *Machine) addition(in *x86asm.Inst, next uint64, a, b Value, size int) error {
	both := a.Known && b.Known
	set := func(n uint64) error { return m.write(in, in.Args[0], next, Value{n & mask(size), both}) }
	switch in.Op {
	case x86asm.ADD, x86asm.XADD:
		m.sum(a, b, 0, size)
		if in.Op == x86asm.XADD {
			if err := m.write(in, in.Args[1], next, a); err != nil {
				return err
			}
		}
		return set(a.N + b.N)
	case x86asm.ADC, x86asm.SBB:
		both = both && m.flags.known
		carry := uint64(0)
		if m.flags.c {
			carry = 1
		}
		if in.Op == x86asm.ADC {
			m.sum(a, b, carry, size)
			return set(a.N + b.N + carry)
		}
		m.difference(a, b, carry, size)
		if in.Args[0] == in.Args[1] {
			both = m.flags.known // the carry alone, all over
		}
		return set(a.N - b.N - carry)
	case x86asm.SUB:
		if in.Args[0] == in.Args[1] {
			both, a, b = true, known(0), known(0)
		}
		m.difference(a, b, 0, size)
		return set(a.N - b.N)
	case x86asm.CMP:
		m.difference(a, b, 0, size)
		return nil
	case x86asm.INC, x86asm.DEC:
		carry := m.flags.c
		n := a.N + 1
		if in.Op == x86asm.INC {
			m.sum(a, b, 0, size)
		} else {
			m.difference(a, b, 0, size)
			n = a.N - 1
		}
		m.flags.c = carry
		return set(n)
	case x86asm.NEG:
		m.difference(known(0), a, 0, size)
		both = a.Known
		return set(-a.N)
	}
	return fmt.Errorf("machine: instruction %s", in.Op)
}

// logic is AND, OR, XOR and TEST.
func (m *Machine) logic(in *x86asm.Inst, next uint64, a, b Value, size int) error {
	x := Value{0, a.Known && b.Known}
	switch in.Op {
	case x86asm.OR:
		x.N = a.N | b.N
	case x86asm.XOR:
		x.N = a.N ^ b.N
		if in.Args[0] == in.Args[1] {
			x = known(0)
		}
	default:
		x.N = a.N & b.N
		if a.Known && a.N == 0 || b.Known && b.N == 0 {
			x = known(0)
		}
	}
	m.result(x, size)
	if in.Op == x86asm.TEST {
		return nil
	}
	return m.write(in, in.Args[0], next, x)
}

func (m *Machine) shift(in *x86asm.Inst, next uint64, a, b Value, size int) error {
	count := b.N & 31
	if size == 8 {
		count = b.N & 63
	}
	x := Value{0, a.Known && b.Known}
	var out bool
	switch in.Op {
	case x86asm.SHL:
		x.N = a.N << count & mask(size)
		out = count > 0 && a.N>>(uint64(8*size)-count)&1 == 1
	case x86asm.SHR:
		x.N = a.N >> count
		out = count > 0 && a.N>>(count-1)&1 == 1
	case x86asm.SAR:
		x.N = uint64(int64(signed(a.N, size))>>count) & mask(size)
		out = count > 0 && int64(signed(a.N, size))>>(count-1)&1 == 1
	}
	if count > 0 || !b.Known {
		m.result(x, size)
		m.flags.c = out
	}
	return m.write(in, in.Args[0], next, x)
}

// multiply is IMUL with two or three operands; only the product counts.
func (m *Machine) multiply(in *x86asm.Inst, next uint64, a, b Value, size int) error {
	m.flags = flags{}
	if in.Args[1] == nil {
		return fmt.Errorf("machine: IMUL of one operand")
	}
	if in.Args[2] != nil {
		c, err := m.read(in, in.Args[2], next)
		if err != nil {
			return err
		}
		a, b = b, c
	}
	return m.write(in, in.Args[0], next, Value{a.N * b.N & mask(size), a.Known && b.Known})
}

// divide is DIV of rdx:rax.
func (m *Machine) divide(by Value, size int) error {
	hi, lo := m.r[rdx], m.r[rax]
	m.flags = flags{}
	if size < 4 || !by.Known || !hi.Known || !lo.Known || by.N == 0 || hi.N&mask(size) >= by.N {
		return errUnknown
	}
	q, r := bits.Div64(hi.N, lo.N, by.N)
	if size == 4 {
		n := hi.N<<32 | lo.N&mask(4)
		q, r = n/by.N, n%by.N
	}
	m.r[rax], m.r[rdx] = known(q), known(r)
	return nil
}

// sum sets the flags of a + b + carry, difference the flags of a - b - carry.
func (m *Machine) sum(a, b Value, carry uint64, size int) {
	n := (a.N + b.N + carry) & mask(size)
	_, over := bits.Add64(a.N, b.N, carry)
	x, y := int64(signed(a.N, size)), int64(signed(b.N, size))
	m.result(Value{n, a.Known && b.Known}, size)
	m.flags.c = over == 1 || size < 8 && (a.N+b.N+carry)>>(8*uint(size)) != 0
	m.flags.o = (x < 0) == (y < 0) && (int64(signed(n, size)) < 0) != (x < 0)
}

func (m *Machine) difference(a, b Value, carry uint64, size int) {
	n := (a.N - b.N - carry) & mask(size)
	_, under := bits.Sub64(a.N&mask(size), b.N&mask(size), carry)
	x, y := int64(signed(a.N, size)), int64(signed(b.N, size))
	m.result(Value{n, a.Known && b.Known}, size)
	m.flags.c = under == 1
	m.flags.o = (x < 0) != (y < 0) && (int64(signed(n, size)) < 0) != (x < 0)
}

func (m *Machine) result(x Value, size int) {
	m.flags = flags{known: x.Known, z: x.N&mask(size) == 0, s: int64(signed(x.N, size)) < 0,
		p: bits.OnesCount8(uint8(x.N))%2 == 0}
}

// signed extends the sign of a number of that many bytes.
func signed(n uint64, size int) uint64 {
	if size >= 8 || size <= 0 {
		return n
	}
	shift := uint(64 - 8*size)
	return uint64(int64(n<<shift) >> shift)
}
