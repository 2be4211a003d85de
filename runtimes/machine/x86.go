package machine

import (
	"fmt"
	"strings"

	"golang.org/x/arch/x86/x86asm"

	"coredbg/core"
)

// flags are the condition flags of the last result.
type flags struct{ c, z, s, o, p, known bool }

// maxDecoded bounds the instructions that are kept decoded.
const maxDecoded = 1 << 16

// fetch decodes the instruction at the pc.
func (m *Machine) fetch() (*x86asm.Inst, error) {
	if in, ok := m.decoded[m.pc]; ok {
		return in, nil
	}
	var code [15]byte
	n, err := m.Memory.ReadAt(code[:], core.Addr(m.pc))
	if n == 0 {
		return nil, err
	}
	in := x86asm.Inst{Op: x86asm.NOP, Len: 4} // ENDBR64, which the decoder lacks
	if !strings.HasPrefix(string(code[:n]), "\xf3\x0f\x1e\xfa") {
		if in, err = x86asm.Decode(code[:n], 64); err != nil {
			return nil, err
		}
	}
	if in.Len <= 0 {
		return nil, x86asm.ErrUnrecognized
	}
	if len(m.decoded) < maxDecoded {
		m.decoded[m.pc] = &in
	}
	return &in, nil
}

// step carries out one instruction.
func (m *Machine) step(depth int) error {
	in, err := m.fetch()
	if err != nil {
		return err
	}
	next := m.pc + uint64(in.Len)
	if done, err := m.control(in, next, depth); done || err != nil {
		return err
	}
	if err := m.compute(in, next); err != nil {
		return err
	}
	m.pc = next
	return nil
}

// control carries out jumps, calls and instructions that move the stack.
func (m *Machine) control(in *x86asm.Inst, next uint64, depth int) (bool, error) {
	switch in.Op {
	case x86asm.JMP:
		t, err := m.target(in, next)
		if err == nil && !t.Known {
			err = errUnknown
		}
		if err != nil {
			return true, err
		}
		return true, m.jump(t.N)
	case x86asm.CALL:
		t, err := m.target(in, next)
		if err != nil {
			return true, err
		}
		return true, m.call(t, next, depth)
	case x86asm.RET:
		return true, m.leave()
	}
	if c, ok := strings.CutPrefix(in.Op.String(), "J"); ok {
		taken, err := m.condition(c)
		if err != nil {
			return true, err
		}
		if m.pc = next; taken {
			t, err := m.target(in, next)
			m.pc = t.N
			return true, err
		}
		return true, nil
	}
	return false, nil
}

// leave returns from a function.
func (m *Machine) leave() error {
	x, err := m.pop()
	if err == nil && !x.Known {
		err = errUnknown
	}
	m.pc = x.N
	return err
}

// jump goes on at a place, which may be the start of another function: a call
// instead of a return.
func (m *Machine) jump(to uint64) error {
	how := Follow
	if m.How != nil && to-m.pc+nearJump > 2*nearJump {
		how = m.How(core.Addr(to))
	}
	switch how {
	case End:
		return errEnds
	case Skip:
		m.forget()
		return m.leave()
	}
	m.pc = to
	return nil
}

// nearJump is how far a jump leads, in bytes, that is taken for one within a
// function without asking.
const nearJump = 128

// target returns where a jump or a call goes.
func (m *Machine) target(in *x86asm.Inst, next uint64) (Value, error) {
	if rel, ok := in.Args[0].(x86asm.Rel); ok {
		return known(next + uint64(int64(rel))), nil
	}
	return m.read(in, in.Args[0], next)
}

// condition reports whether a condition, named as in mnemonics, holds.
func (m *Machine) condition(c string) (bool, error) {
	f := m.flags
	if !f.known {
		return false, errUnknown
	}
	switch c {
	case "A":
		return !f.c && !f.z, nil
	case "AE":
		return !f.c, nil
	case "B":
		return f.c, nil
	case "BE":
		return f.c || f.z, nil
	case "E":
		return f.z, nil
	case "NE":
		return !f.z, nil
	case "G":
		return !f.z && f.s == f.o, nil
	case "GE":
		return f.s == f.o, nil
	case "L":
		return f.s != f.o, nil
	case "LE":
		return f.z || f.s != f.o, nil
	case "S":
		return f.s, nil
	case "NS":
		return !f.s, nil
	case "O":
		return f.o, nil
	case "NO":
		return !f.o, nil
	case "P":
		return f.p, nil
	case "NP":
		return !f.p, nil
	}
	return false, fmt.Errorf("machine: condition %s", c)
}

// extend extends the sign of the accumulator.
func (m *Machine) extend(op x86asm.Op) {
	a := &m.r[rax]
	switch op {
	case x86asm.CDQE:
		a.N = signed(a.N, 4)
	case x86asm.CWDE:
		a.N = signed(a.N, 2) & mask(4)
	case x86asm.CQO:
		m.r[rdx] = Value{uint64(int64(a.N) >> 63), a.Known}
	case x86asm.CDQ:
		m.r[rdx] = Value{uint64(int64(signed(a.N, 4))>>63) & mask(4), a.Known}
	}
}

// compute carries out what works on registers and memory alone.
func (m *Machine) compute(in *x86asm.Inst, next uint64) error {
	op := in.Op.String()
	switch in.Op {
	case x86asm.NOP, x86asm.PAUSE, x86asm.PREFETCHT0, x86asm.PREFETCHT1, x86asm.PREFETCHT2, x86asm.PREFETCHNTA,
		x86asm.MFENCE, x86asm.LFENCE, x86asm.SFENCE:
		return nil
	case x86asm.PUSH:
		x, err := m.read(in, in.Args[0], next)
		if err != nil {
			return err
		}
		return m.push(Value{signed(x.N, m.size(in, in.Args[0])), x.Known})
	case x86asm.POP:
		x, err := m.pop()
		if err != nil {
			return err
		}
		return m.write(in, in.Args[0], next, x)
	case x86asm.LEAVE:
		m.r[rsp] = m.r[rbp]
		x, err := m.pop()
		m.r[rbp] = x
		return err
	case x86asm.LEA:
		a := m.address(in.Args[1].(x86asm.Mem), next)
		return m.write(in, in.Args[0], next, a)
	case x86asm.CDQE, x86asm.CWDE, x86asm.CQO, x86asm.CDQ:
		m.extend(in.Op)
		return nil
	case x86asm.MOVUPS, x86asm.MOVAPS, x86asm.MOVDQA, x86asm.MOVDQU, x86asm.MOVUPD, x86asm.MOVAPD:
		return m.moveVector(in, next)
	case x86asm.PXOR, x86asm.XORPS, x86asm.XORPD:
		if in.Args[0] == in.Args[1] {
			if x, ok := vector(in.Args[0]); ok {
				m.x[x] = [2]Value{known(0), known(0)}
				return nil
			}
		}
	case x86asm.MOVQ, x86asm.MOVD:
		return m.moveLow(in, next)
	case x86asm.PUNPCKLQDQ, x86asm.MOVHPS, x86asm.MOVHPD:
		return m.moveHigh(in, next)
	}
	if c, ok := strings.CutPrefix(op, "CMOV"); ok {
		return m.moveIf(in, c, next)
	}
	if c, ok := strings.CutPrefix(op, "SET"); ok {
		yes, err := m.condition(c)
		x := Value{0, err == nil}
		if yes {
			x.N = 1
		}
		return m.write(in, in.Args[0], next, x)
	}
	return m.arithmetic(in, next)
}

// moveIf is CMOVcc; on an unknown condition the result is unknown.
func (m *Machine) moveIf(in *x86asm.Inst, c string, next uint64) error {
	x, err := m.read(in, in.Args[1], next)
	if err != nil {
		return err
	}
	yes, err := m.condition(c)
	switch {
	case err != nil:
		x = Value{}
	case !yes:
		if x, err = m.read(in, in.Args[0], next); err != nil {
			return err
		}
	}
	return m.write(in, in.Args[0], next, x)
}
