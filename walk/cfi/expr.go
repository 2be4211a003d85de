package cfi

import (
	"errors"
	"fmt"

	"coredbg/core"
)

// The limits of an expression: those of frame descriptions have a dozen
// operations and a stack of three.
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

// The operations of DWARF 5 section 7.7.1 that frame descriptions may use.
const (
	opDeref      = 0x06
	opConst1u    = 0x08
	opConst1s    = 0x09
	opConst2u    = 0x0a
	opConst2s    = 0x0b
	opConst4u    = 0x0c
	opConst4s    = 0x0d
	opConst8u    = 0x0e
	opConst8s    = 0x0f
	opConstu     = 0x10
	opConsts     = 0x11
	opDup        = 0x12
	opDrop       = 0x13
	opOver       = 0x14
	opPick       = 0x15
	opSwap       = 0x16
	opRot        = 0x17
	opAbs        = 0x19
	opAnd        = 0x1a
	opDiv        = 0x1b
	opMinus      = 0x1c
	opMod        = 0x1d
	opMul        = 0x1e
	opNeg        = 0x1f
	opNot        = 0x20
	opOr         = 0x21
	opPlus       = 0x22
	opPlusUconst = 0x23
	opShl        = 0x24
	opShr        = 0x25
	opShra       = 0x26
	opXor        = 0x27
	opBra        = 0x28
	opEq         = 0x29
	opGe         = 0x2a
	opGt         = 0x2b
	opLe         = 0x2c
	opLt         = 0x2d
	opNe         = 0x2e
	opSkip       = 0x2f
	opLit0       = 0x30
	opBreg0      = 0x70
	opBregx      = 0x92
	opDerefSize  = 0x94
	opNop        = 0x96
)

// run evaluates an expression and returns the top of its stack, which begins
// with first unless that is nil: the CFA, for the rules of registers.
func (m *evaluator) run(expr []byte, first *uint64) (uint64, error) {
	m.n = 0
	if first != nil {
		m.push(*first)
	}
	r := reader{data: expr, order: m.arch.Order}
	for ops := 0; r.more(); ops++ {
		if ops == maxOps {
			return 0, errors.New("cfi: expression does not end")
		}
		op := r.u8()
		if err := m.step(op, &r); err != nil {
			return 0, err
		}
		if r.bad || m.n < 0 {
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
	case op >= opLit0 && op < opLit0+32:
		m.push(uint64(op - opLit0))
		return nil
	case op >= opBreg0 && op < opBreg0+32:
		return m.breg(uint64(op-opBreg0), r.sleb())
	case op >= opAbs && op <= opXor && op != opPlusUconst || op >= opEq && op <= opNe:
		return m.arithmetic(op)
	case op >= opConst1u && op <= opConsts:
		m.push(constant(op, r))
		return nil
	}
	switch op {
	case opNop:
	case opBregx:
		return m.breg(r.uleb(), r.sleb())
	case opDeref:
		return m.deref(m.arch.PtrSize)
	case opDerefSize:
		return m.deref(int(r.u8()))
	case opPlusUconst:
		m.push(m.pop() + r.uleb())
	case opDup:
		m.pick(0)
	case opDrop:
		m.pop()
	case opOver:
		m.pick(1)
	case opPick:
		m.pick(int(r.u8()))
	case opSwap:
		a, b := m.pop(), m.pop()
		m.push(a)
		m.push(b)
	case opRot:
		a, b, c := m.pop(), m.pop(), m.pop()
		m.push(a)
		m.push(c)
		m.push(b)
	case opSkip:
		r.jump(int16(r.u16()))
	case opBra:
		if to := int16(r.u16()); m.pop() != 0 {
			r.jump(to)
		}
	default:
		return fmt.Errorf("cfi: operation %#x in an expression", op)
	}
	return nil
}

// jump moves the reader by n bytes.
func (r *reader) jump(n int16) {
	to := r.off + int(n)
	if to < 0 || to > len(r.data) {
		r.bad = true
		return
	}
	r.off = to
}

func constant(op uint8, r *reader) uint64 {
	switch op {
	case opConst1u:
		return uint64(r.u8())
	case opConst1s:
		return uint64(int64(int8(r.u8())))
	case opConst2u:
		return uint64(r.u16())
	case opConst2s:
		return uint64(int64(int16(r.u16())))
	case opConst4u:
		return uint64(r.u32())
	case opConst4s:
		return uint64(int64(int32(r.u32())))
	case opConst8u, opConst8s:
		return r.u64()
	case opConstu:
		return r.uleb()
	}
	return uint64(r.sleb())
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
	case opAbs:
		if m.signed(b) < 0 {
			b = -b
		}
		m.push(b)
		return nil
	case opNeg:
		m.push(-b)
		return nil
	case opNot:
		m.push(^b)
		return nil
	}
	a := m.pop()
	switch op {
	case opAnd:
		a &= b
	case opOr:
		a |= b
	case opXor:
		a ^= b
	case opPlus:
		a += b
	case opMinus:
		a -= b
	case opMul:
		a *= b
	case opShl:
		a <<= b
	case opShr:
		a = (a & uint64(m.arch.AddrMask())) >> b
	case opShra:
		a = uint64(m.signed(a) >> b)
	case opDiv, opMod:
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
	if op == opMod {
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
	case opEq:
		yes = a == b
	case opNe:
		yes = a != b
	case opGe:
		yes = a >= b
	case opGt:
		yes = a > b
	case opLe:
		yes = a <= b
	case opLt:
		yes = a < b
	}
	if yes {
		m.push(1)
	} else {
		m.push(0)
	}
}
