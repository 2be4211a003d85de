package ehabi

import (
	"errors"
	"fmt"
	"math/bits"

	"coredbg/core"
	"coredbg/walk/cfi"
)

// Registers by number, which is their slot.
const (
	regSP = 13
	regLR = 14
	regPC = 15
)

var (
	errRefuse = errors.New("it refuses to be unwound")
	errShort  = errors.New("its instructions end within one")
	errMoved  = errors.New("it takes the stack pointer from a register after a pop")
)

// A machine executes unwinding instructions: the virtual stack pointer is base,
// a register, plus off bytes.
type machine struct {
	code core.Buf
	base int
	off  int64
	// at is where registers were popped from, as distances from base.
	at     [16]int64
	popped uint16
}

// decode turns instructions into a row.
func decode(code []byte) (cfi.Row, error) {
	m := &machine{code: core.Buf{Data: code}, base: regSP}
	for m.code.More() {
		done, err := m.step()
		if err != nil {
			return cfi.Row{}, err
		}
		if done {
			break
		}
	}
	r := cfi.Row{CFAReg: int8(m.base), CFAOff: m.off, RA: regLR}
	if m.popped>>regPC&1 != 0 {
		r.RA = regPC
	}
	for reg := range m.at {
		if m.popped>>reg&1 != 0 && reg != regSP {
			r.Rules = append(r.Rules, cfi.SlotRule{Slot: int8(reg),
				Rule: cfi.Rule{Kind: cfi.Offset, Off: m.at[reg] - m.off}})
		}
	}
	return r, nil
}

// next takes a byte of code.
func (m *machine) next() (byte, error) {
	b := m.code.U8()
	if m.code.Bad {
		return 0, errShort
	}
	return b, nil
}

// pop pops the registers of a mask, the lowest first.
func (m *machine) pop(mask uint32) {
	for reg := range 16 {
		if mask>>reg&1 != 0 {
			m.at[reg], m.popped = m.off, m.popped|1<<reg
			m.off += wordSize
		}
	}
}

// step executes an instruction (section 10.3, table 4); done is set by the one
// that ends the list.
func (m *machine) step() (done bool, err error) {
	op, _ := m.next()
	switch {
	case op < 0x40: // 00xxxxxx
		m.off += int64(op&0x3f)<<2 + 4
	case op < 0x80: // 01xxxxxx
		m.off -= int64(op&0x3f)<<2 + 4
	case op < 0x90: // 1000iiii iiiiiiii
		low, err := m.next()
		mask := uint32(op&0xf)<<8 | uint32(low)
		if err == nil && mask == 0 {
			err = errRefuse
		}
		if err != nil {
			return false, err
		}
		m.pop(mask << 4)
		return false, m.stackPopped(mask << 4)
	case op < 0xa0: // 1001nnnn
		return false, m.move(int(op & 0xf))
	case op < 0xb0: // 1010Lnnn
		mask := uint32(1)<<(op&7+1) - 1
		m.pop(mask<<4 | uint32(op>>3&1)<<regLR)
	default:
		return m.stepHigh(op)
	}
	return false, nil
}

// move takes the virtual stack pointer from a register.
func (m *machine) move(reg int) error {
	switch {
	case reg == regSP || reg == regPC:
		return fmt.Errorf("instruction %#x is reserved", 0x90|reg)
	case m.popped != 0:
		return errMoved
	}
	m.base, m.off = reg, 0
	return nil
}

// stackPopped refuses a pop of the stack pointer itself.
func (m *machine) stackPopped(mask uint32) error {
	if mask>>regSP&1 != 0 {
		return errors.New("it pops the stack pointer")
	}
	return nil
}

// stepHigh executes instructions from 0xb0 on.
func (m *machine) stepHigh(op byte) (done bool, err error) {
	double := func(n byte) { m.off += (int64(n) + 1) * 8 }
	switch {
	case op == 0xb0:
		return true, nil
	case op == 0xb1: // 0000iiii: r0 to r3
		mask, err := m.next()
		if err == nil && (mask == 0 || mask > 0xf) {
			err = fmt.Errorf("instruction 0xb1 %#x is spare", mask)
		}
		if err != nil {
			return false, err
		}
		m.pop(uint32(mask))
	case op == 0xb2:
		n, err := m.uleb()
		if err != nil {
			return false, err
		}
		m.off += 0x204 + int64(n)<<2
	case op == 0xb3, op == 0xc6, op == 0xc8, op == 0xc9: // a range of doubles
		n, err := m.next()
		if err != nil {
			return false, err
		}
		double(n & 0xf)
		if op == 0xb3 {
			m.off += wordSize // FSTMFDX pads
		}
	case op == 0xb4: // the authentication code of the return address
		m.off += wordSize
	case op >= 0xb8 && op < 0xc0: // d8 to d8+n, by FSTMFDX
		double(op & 7)
		m.off += wordSize
	case op >= 0xc0 && op < 0xc6, op >= 0xd0 && op < 0xd8:
		double(op & 7)
	case op == 0xc7:
		mask, err := m.next()
		if err != nil {
			return false, err
		}
		m.off += wordSize * int64(bits.OnesCount8(mask&0xf))
	default:
		return false, fmt.Errorf("instruction %#x is spare", op)
	}
	return false, nil
}

// uleb reads an unsigned LEB128 number of at most 28 bits.
func (m *machine) uleb() (uint32, error) {
	const most = 4
	begin := m.code.Off
	v := m.code.ULEB()
	switch left := len(m.code.Data) - begin; {
	case m.code.Bad && left < most:
		return 0, errShort
	case m.code.Bad || m.code.Off-begin > most:
		return 0, errors.New("a number has more than 28 bits")
	}
	return uint32(v), nil
}
