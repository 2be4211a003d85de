package machine

import (
	"fmt"

	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/isa"
	"coredbg/walk/isa/sets"
)

// A Runner runs functions of a dead process.
type Runner interface {
	// Call runs a function with integer arguments and returns the first word of its result, as
	// far as that could be followed; Second is the second word.
	Call(fn core.Addr, args ...uint64) (Value, error)
	Second() Value
	// Into runs a function that stores its result where the caller says.
	Into(fn, result core.Addr, args ...uint64) error
	// Load reads size bytes, at most 8, as the last function has left them.
	Load(a core.Addr, size int) Value
}

// For returns a Runner for functions of a process that take at most steps steps; nil if code of its
// processor cannot be run. Calls allows them to call others.
func For(p *core.Process, steps int, calls bool) Runner {
	if p.Arch == core.AMD64 {
		m := New(p.Space, 0)
		m.MaxSteps = steps
		if !calls {
			m.How = func(core.Addr) Treatment { return End }
		}
		return m
	}
	if c, ok := conventions[p.Arch]; ok {
		return &short{process: p, convention: c, set: sets.For(p.Arch), steps: steps, calls: calls}
	}
	return nil
}

// Into implements Runner: System V ABI, x86-64, 3.2.3.
func (m *Machine) Into(fn, result core.Addr, args ...uint64) error {
	got, err := m.Call(fn, append([]uint64{uint64(result)}, args...)...)
	if err == nil && (!got.Known || got.N != uint64(result)) {
		err = fmt.Errorf("machine: %s returns no result at the place that it was given", fn)
	}
	return err
}

// A convention says where functions have arguments and results: slots of registers.
type convention struct {
	args, results []int
	result        int // the address of a result that is stored
}

// conventions has the processors whose instructions package isa follows with the numbers in registers,
// except for Machine's.
var conventions = map[*core.Arch]convention{
	core.ARM64: {args: []int{0, 1, 2, 3, 4, 5, 6, 7}, results: []int{0, 1}, result: 8}, // AAPCS64 6.8.2, 6.9
}

// A short runs short functions, by package isa's description of their instructions.
type short struct {
	process *core.Process
	convention
	set   *isa.Set
	steps int
	calls bool
	way   isa.Way
}

func (s *short) Call(fn core.Addr, args ...uint64) (Value, error) {
	err := s.run(fn, core.Regs{}, args)
	return s.value(s.results[0]), err
}

func (s *short) Second() Value { return s.value(s.results[1]) }

func (s *short) Into(fn, result core.Addr, args ...uint64) error {
	var regs core.Regs
	regs.Set(s.result, uint64(result))
	return s.run(fn, regs, args)
}

func (s *short) Load(a core.Addr, size int) Value {
	if s.way.Values == nil {
		return Value{}
	}
	n := s.way.Values.Get(isa.Numbered(uint64(a)), size)
	return Value(n)
}

func (s *short) value(slot int) Value {
	if s.way.Values == nil {
		return Value{}
	}
	return Value(s.way.Number(slot))
}

// run follows a function to its return.
func (s *short) run(fn core.Addr, regs core.Regs, args []uint64) error {
	for i, n := range args[:min(len(args), len(s.args))] {
		regs.Set(s.args[i], n)
	}
	const sp = stackTop - 0x100
	regs.Set(s.process.Arch.LR, returnTo)
	way, ok := isa.NewWayAt(s.process, &frame.Frame{SP: sp, FP: sp, Regs: regs})
	if s.way = way; !ok {
		return errUnknown
	}
	pc := fn
	for range s.steps {
		next, err := s.step(pc)
		if err != nil {
			return fmt.Errorf("at %s: %w", pc, err)
		}
		if next == returnTo {
			return nil
		}
		pc = next
	}
	return errSteps
}

// step carries out the instruction at pc and returns where control goes.
func (s *short) step(pc core.Addr) (core.Addr, error) {
	code, err := s.process.Space.Slice(pc, isa.LongestInsn)
	if len(code) == 0 {
		return 0, err
	}
	s.way.Values.PC = pc
	c, _ := s.set.Step(&s.way, code)
	next, lr := pc.Add(int64(c.Size)), s.process.Arch.LR
	switch c.Kind {
	case isa.Passes:
		return next, nil
	case isa.Jumps:
		return pc.Add(c.Target), nil
	case isa.Branches:
		switch taken, sure := s.set.Decide(&s.way, code); {
		case !sure:
			return 0, errUnknown
		case taken:
			return pc.Add(c.Target), nil
		}
		return next, nil
	case isa.Calls:
		to, direct, ok := s.set.Call(code[:min(c.Size, len(code))])
		if !s.calls || !ok || !direct {
			return 0, errEnds
		}
		s.way.Values.Regs.Set(lr, uint64(next))
		return next.Add(to), nil
	case isa.Returns:
		to := s.way.Number(lr)
		if !to.Known {
			return 0, errUnknown
		}
		return core.Addr(to.N), nil
	}
	return 0, errNotKnown
}
