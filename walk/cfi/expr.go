package cfi

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// The limits of an expression. Frame descriptions have up to a dozen operations and a stack of three.
const (
	maxOps   = 4096
	maxStack = 64
)

var errExpression = errors.New("cfi: malformed expression")

// An evaluator computes rules for one frame.
type evaluator struct {
	regs *core.Regs
	mem  *core.Cursor
	arch *core.Arch
	cfa  uint64

	stack [maxStack]uint64
	n     int
}

// run evaluates an expression and returns the top of its stack, which begins
// with first unless that is nil: the CFA, for the rules of registers.
func (m *evaluator) run(expr []byte, first *uint64) (uint64, error) {
	m.n = 0
	if first != nil {
		m.push(*first)
	}
	r := reader{core.Buf{Data: expr, Order: m.arch.Order}}
	for ops := 0; r.More(); ops++ {
		if ops == maxOps {
			return 0, errors.New("cfi: expression does not end")
		}
		op := r.U8()
		if err := m.step(op, &r); err != nil {
			return 0, err
		}
		if r.Bad || m.n < 0 {
			return 0, errExpression
		}
	}
	if m.n < 1 {
		return 0, errExpression
	}
	return m.stack[m.n-1] & uint64(m.arch.AddrMask()), nil
}

// push and pop leave n negative once the stack was exceeded either way; step's
// caller looks.
func (m *evaluator) push(v uint64) {
	if m.n < 0 || m.n == maxStack {
		m.n = -maxOps
		return
	}
	m.stack[m.n] = v
	m.n++
}

func (m *evaluator) pop() uint64 {
	if m.n < 1 {
		m.n = -maxOps
		return 0
	}
	m.n--
	return m.stack[m.n]
}

func (m *evaluator) step(op uint8, r *reader) error {
	switch {
	case op >= format.OpLit0 && op < format.OpLit0+32:
		m.push(uint64(op - format.OpLit0))
		return nil
	case op >= format.OpBreg0 && op < format.OpBreg0+32:
		return m.breg(uint64(op-format.OpBreg0), r.SLEB())
	case op >= format.OpAbs && op <= format.OpXor && op != format.OpPlusUconst || op >= format.OpEq &&
		op <= format.OpNe:
		return m.arithmetic(op)
	case op >= format.OpConst1u && op <= format.OpConsts:
		m.push(format.Constant(op, &r.Buf))
		return nil
	}
	switch op {
	case format.OpNop:
	case format.OpBregx:
		return m.breg(r.ULEB(), r.SLEB())
	case format.OpDeref:
		return m.deref(m.arch.PtrSize)
	case format.OpDerefSize:
		return m.deref(int(r.U8()))
	case format.OpPlusUconst:
		m.push(m.pop() + r.ULEB())
	case format.OpPick:
		m.pick(int(r.U8()))
	case format.OpSkip:
		r.jump(int16(r.U16()))
	case format.OpBra:
		if to := int16(r.U16()); m.pop() != 0 {
			r.jump(to)
		}
	default:
		if !m.shuffle(op) {
			return fmt.Errorf("cfi: operation %#x in an expression", op)
		}
	}
	return nil
}

// shuffle runs an operation without operands that only moves what is on the stack. It reports whether op is one.
func (m *evaluator) shuffle(op uint8) bool {
	switch op {
	case format.OpDup:
		m.pick(0)
	case format.OpDrop:
		m.pop()
	case format.OpOver:
		m.pick(1)
	case format.OpSwap:
		a, b := m.pop(), m.pop()
		m.push(a)
		m.push(b)
	case format.OpRot:
		a, b, c := m.pop(), m.pop(), m.pop()
		m.push(a)
		m.push(c)
		m.push(b)
	default:
		return false
	}
	return true
}

// jump moves the reader by n bytes.
func (r *reader) jump(n int16) {
	to := r.Off + int(n)
	if to < 0 || to > len(r.Data) {
		r.Bad = true
		return
	}
	r.Off = to
}

func (m *evaluator) breg(reg uint64, off int64) error {
	v, err := m.reg(m.arch.Slot(reg))
	if err != nil {
		return err
	}
	m.push(v + uint64(off))
	return nil
}

// pick pushes the value that lies i below the top.
func (m *evaluator) pick(i int) {
	if i >= m.n {
		m.n = -maxOps
		return
	}
	m.push(m.stack[m.n-1-i])
}

// deref replaces an address by the unsigned value of size bytes at it.
func (m *evaluator) deref(size int) error {
	a := core.Addr(m.pop()) & m.arch.AddrMask()
	if m.n < 0 {
		return errExpression
	}
	var v uint64
	switch size {
	case 1:
		v = uint64(m.mem.U8(a))
	case 2:
		v = uint64(m.mem.U16(a))
	case 4:
		v = uint64(m.mem.U32(a))
	case 8:
		v = m.mem.U64(a)
	default:
		return errExpression
	}
	if err := m.mem.Reset(); err != nil {
		return err
	}
	m.push(v)
	return nil
}

// signed returns v as a signed number of the architecture's word size.
func (m *evaluator) signed(v uint64) int64 {
	if m.arch.PtrSize == 4 {
		return int64(int32(v))
	}
	return int64(v)
}

func (m *evaluator) arithmetic(op uint8) error {
	b := m.pop()
	switch op {
	case format.OpAbs:
		if m.signed(b) < 0 {
			b = -b
		}
		m.push(b)
		return nil
	case format.OpNeg:
		m.push(-b)
		return nil
	case format.OpNot:
		m.push(^b)
		return nil
	}
	a := m.pop()
	switch op {
	case format.OpAnd:
		a &= b
	case format.OpOr:
		a |= b
	case format.OpXor:
		a ^= b
	case format.OpPlus:
		a += b
	case format.OpMinus:
		a -= b
	case format.OpMul:
		a *= b
	case format.OpShl:
		a <<= b
	case format.OpShr:
		a = (a & uint64(m.arch.AddrMask())) >> b
	case format.OpShra:
		a = uint64(m.signed(a) >> b)
	case format.OpDiv, format.OpMod:
		return m.divide(op, a, b)
	default:
		m.compare(op, m.signed(a), m.signed(b))
		return nil
	}
	m.push(a)
	return nil
}

func (m *evaluator) divide(op uint8, a, b uint64) error {
	if m.signed(b) == 0 {
		return errors.New("cfi: expression divides by zero")
	}
	if op == format.OpMod {
		m.push(a % b)
		return nil
	}
	if m.signed(b) == -1 { // the least number has no positive counterpart
		m.push(-a)
		return nil
	}
	m.push(uint64(m.signed(a) / m.signed(b)))
	return nil
}

func (m *evaluator) compare(op uint8, a, b int64) {
	yes := false
	switch op {
	case format.OpEq:
		yes = a == b
	case format.OpNe:
		yes = a != b
	case format.OpGe:
		yes = a >= b
	case format.OpGt:
		yes = a > b
	case format.OpLe:
		yes = a <= b
	case format.OpLt:
		yes = a < b
	}
	if yes {
		m.push(1)
	} else {
		m.push(0)
	}
}
