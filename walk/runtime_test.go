package walk

import (
	"errors"
	"testing"

	"coredbg/core"
)

// A managed unwinder knows the frames of a range of code by their frame pointer, as a managed runtime's
// unwinder does, and the registers that an entry frame has saved.
type managed struct {
	lo, hi core.Addr
	word   func(core.Addr) uint64
	err    error
}

func (m *managed) Step(f *Frame) (Frame, any, error) {
	if f.PC < m.lo || f.PC >= m.hi {
		return Frame{}, nil, ErrDecline
	}
	if m.err != nil {
		return Frame{}, nil, m.err
	}
	fp := f.FP
	caller := Frame{PC: core.Addr(m.word(fp + 8)), SP: fp + 16, FP: core.Addr(m.word(fp)), Trust: Runtime}
	caller.Regs.Set(core.AMD64.PC, uint64(caller.PC))
	caller.Regs.Set(core.AMD64.SP, uint64(caller.SP))
	caller.Regs.Set(core.AMD64.FP, uint64(caller.FP))
	caller.Regs.Set(3, m.word(fp-8))
	return caller, nil, nil
}

func (m *managed) Next(core.Addr) (Frame, bool) { return Frame{}, false }

// TestRuntime: the runtime's frames are between frames with call frame information, and the frame that
// it hands back to has the registers that it recovered.
func TestRuntime(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.function(0x40, 0x40, 0x0e, 16, 0x86, 2) // CFA = rsp+16, rbp at c-16
	s.put(sp, sp+0x40, s.call(0x1100))
	s.put(sp+0x38, 33)
	s.put(sp+0x40, sp+0x80, s.call(0x100))
	s.function(0xf0, 0x20, 0x0c, 6, 16, 0x86, 2, 0x83, 0) // CFA = rbp+16
	s.put(sp+0x80, 0, s.call(0x200))
	s.function(0x1f0, 0x20, 0x07, 16)
	p := s.process(nil)
	rt := &managed{lo: textAt + 0x1000, hi: textAt + 0x2000,
		word: func(a core.Addr) uint64 { return p.Cursor().U64(a) }}
	regs := map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": 1}
	frames, stop := s.walk(t, regs, rt)
	expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x401100", "runtime 0x400100", "cfi 0x400200")
	if v, ok := frames[2].Regs.Get(3); !ok || v != 33 {
		t.Errorf("rbx after the runtime is %d, %v", v, ok)
	}

	// A runtime that knows a frame to be the outermost, and one that fails:
	// then the frame pointer still leads on.
	rt.err = ErrRoot
	frames, stop = s.walk(t, regs, rt)
	expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x401100")
	rt.err = errors.New("no such frame type")
	frames, stop = s.walk(t, regs, rt)
	expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x401100", "fp 0x400100", "cfi 0x400200")
}

// A bounding runtime knows one stack, and no frames.
type bounding struct{ low, high core.Addr }

func (bounding) Step(*Frame) (Frame, any, error) { return Frame{}, nil, ErrDecline }
func (bounding) Next(core.Addr) (Frame, bool)    { return Frame{}, false }
func (b bounding) Stack(sp core.Addr) (low, high core.Addr, ok bool) {
	return b.low, b.high, sp > b.low && sp <= b.high
}

// TestBounder: memory beyond the end of a stack belongs to another one, though it is in the same
// mapping: neither scans nor frame records lead there.
func TestBounder(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.put(sp+0x80, sp+0xc0, s.call(0x100))
	s.put(sp+0xc0, 0, s.call(0x200))
	for _, c := range []struct {
		fp   uint64
		high core.Addr
		want []string
	}{
		{1, stackAt + 0x1000, []string{"registers 0x400050", "scan 0x400100", "fp 0x400200"}},
		{1, core.Addr(sp + 0x80), []string{"registers 0x400050"}},
		{sp + 0x80, stackAt + 0x1000, []string{"registers 0x400050", "fp 0x400100", "fp 0x400200"}},
		{sp + 0x80, core.Addr(sp + 0xc0), []string{"registers 0x400050", "fp 0x400100"}},
		{sp + 0x80, core.Addr(sp), []string{"registers 0x400050"}},
	} {
		frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": c.fp},
			bounding{stackAt, c.high})
		expect(t, frames, stop, "", c.want...)
	}
}

// stuck is a runtime that does not move.
type stuck struct{ flip bool }

func (u *stuck) Next(core.Addr) (Frame, bool) { return Frame{}, false }

func (u *stuck) Step(f *Frame) (Frame, any, error) {
	caller := *f
	caller.Trust = Runtime
	if u.flip = !u.flip; u.flip {
		caller.PC++
	} else {
		caller.PC--
	}
	return caller, nil, nil
}

func TestRuntimeLoop(t *testing.T) {
	s := newScene(core.AMD64)
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt}, &stuck{})
	if stop.Kind != StopNoProgress || len(frames) > 2*maxLevel {
		t.Errorf("%d frames, %v", len(frames), stop)
	}
}
