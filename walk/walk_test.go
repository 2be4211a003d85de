package walk

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

func TestFramePointers(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.put(sp+0x20, sp+0x60, s.call(0x100))
	s.put(sp+0x60, sp+0xa0, s.call(0x200))
	s.put(sp+0xa0, 0, 0)
	regs := map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": sp + 0x20, "rbx": 7}
	frames, stop := s.walk(t, regs)
	expect(t, frames, stop, "root", "registers 0x400050", "fp 0x400100", "fp 0x400200")
	for i, want := range []core.Addr{core.Addr(sp), core.Addr(sp + 0x30), core.Addr(sp + 0x70)} {
		if frames[i].SP != want {
			t.Errorf("frame %d: sp %v, want %v", i, frames[i].SP, want)
		}
	}
	if !frames[0].Regs.Has(3) || frames[1].Regs.Has(3) {
		t.Errorf("rbx is known: %v, %v", frames[0].Regs.Has(3), frames[1].Regs.Has(3))
	}

	p := s.process(regs)
	frames, stop = gather(t, NewTarget(p, Options{}).WalkFP(context.Background(), core.Addr(sp+0x60)))
	expect(t, frames, stop, "root", "fp 0x400200")
}

func TestFramePointerDamage(t *testing.T) {
	sp := uint64(stackAt + 0x100)
	for _, c := range []struct {
		name   string
		second uint64 // the saved frame pointer of the innermost record
		reason string
	}{
		{"self-linked", sp + 0x20, "no-progress 0x400100"},
		{"backwards", sp + 0x8, "no-progress 0x400100"},
		{"two that link each other", sp + 0x10, "no-progress 0x400100"},
		{"unaligned", sp + 0x61, "no-progress 0x400100"},
		{"outside of the stack", altAt, "no-progress 0x400100"},
		{"not mapped", 0x10, "no-progress 0x400100"},
		{"above the end", top, "no-progress 0x400100"},
		{"on data", sp + 0xe0, "not-executable 0x4141414141414141"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.put(sp+0x10, sp+0x20, textAt+0x80)
			s.put(sp+0x20, c.second, s.call(0x100))
			s.put(sp+0xe0, 0x4141414141414141, 0x4141414141414141)
			frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": sp + 0x20})
			expect(t, frames, stop, c.reason, "registers 0x400050", "fp 0x400100")
		})
	}
}

// TestEdges: in the first and last instructions of a function the frame pointer
// is the caller's.
func TestEdges(t *testing.T) {
	sp := uint64(stackAt + 0x100)
	for _, c := range []struct {
		name   string
		code   []byte // at the function's start
		pc     int    // offset of the program counter
		pushed bool
	}{
		{"before push", []byte{0x55, 0x48, 0x89, 0xe5}, 0, false},
		{"before endbr", []byte{0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5}, 0, false},
		{"after push", []byte{0x55, 0x48, 0x89, 0xe5}, 1, true},
		{"at ret", []byte{0x5d, 0xc3}, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.code(0x50, c.code...)
			at := sp
			if c.pushed {
				s.put(at, sp+0x60)
				at += 8
			}
			s.put(at, s.call(0x100))
			s.put(sp+0x60, 0, s.call(0x200))
			frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50 + uint64(c.pc), "rsp": sp,
				"rbp": sp + 0x60})
			expect(t, frames, stop, "root", fmt.Sprintf("registers %#x", 0x400050+c.pc),
				"prologue 0x400100", "fp 0x400200")
		})
	}
}

func TestWildCalls(t *testing.T) {
	sp := uint64(stackAt + 0x100)
	for _, pc := range []uint64{0, 0xdeadbeef000, stackAt} {
		s := newScene(core.AMD64)
		s.put(sp, s.call(0x100))
		s.function(0x80, 0x100, 0x0e, 16, 0x83, 2) // CFA = rsp+16, rbx at c-16
		s.put(sp+8, 77, s.call(0x200))
		s.function(0x1f0, 0x20, 0x07, 16) // outermost
		frames, stop := s.walk(t, map[string]uint64{"rip": pc, "rsp": sp, "rbx": 5, "r12": 12})
		expect(t, frames, stop, "root", fmt.Sprintf("registers %#x", pc), "prologue 0x400100", "cfi 0x400200")
		if v, ok := frames[1].Regs.Get(3); !ok || v != 5 {
			t.Errorf("the caller's rbx is %d, %v", v, ok)
		}
		if v, ok := frames[2].Regs.Get(3); !ok || v != 77 {
			t.Errorf("its caller's rbx is %d, %v", v, ok)
		}
	}
	// The word on the stack is not a return address: the program has returned to an unmapped place.
	s := newScene(core.AMD64)
	s.put(sp, textAt+0x80)
	frames, stop := s.walk(t, map[string]uint64{"rip": 0x4141414141414141, "rsp": sp})
	expect(t, frames, stop, "not-executable 0x4141414141414141", "registers 0x4141414141414141")
}

// TestStrayCall: a call to memory that may be executed and holds zeros is taken back like one to nowhere. If no return
// address is where it would have put one, the frame pointer leads on.
func TestStrayCall(t *testing.T) {
	sp := uint64(stackAt + 0x100)
	for _, called := range []bool{true, false} {
		s := newScene(core.AMD64)
		s.jit = make([]byte, 64)
		if called {
			s.put(sp, s.call(0x100))
		}
		s.function(0x80, 0x100, 0x0e, 16, 0x83, 2) // CFA = rsp+16, rbx at c-16
		s.put(sp+8, 77, s.call(0x200))
		s.function(0x1f0, 0x20, 0x07, 16) // outermost
		frames, stop := s.walk(t, map[string]uint64{"rip": jitAt + 8, "rsp": sp, "rbp": sp + 8})
		if called {
			expect(t, frames, stop, "root", fmt.Sprintf("registers %#x", jitAt+8), "prologue 0x400100", "cfi 0x400200")
		} else {
			expect(t, frames, stop, "root", fmt.Sprintf("registers %#x", jitAt+8), "fp 0x400200")
		}
	}
}

func TestWildCallARM64(t *testing.T) {
	s := newScene(core.ARM64)
	sp := uint64(stackAt + 0x100)
	ra := s.call(0x100)
	s.function(0x80, 0x100, 0x0e, 32, 0x9d, 4, 0x9e, 3)
	s.put(sp, 0, s.call(0x200))
	s.function(0x180, 0x100, 0x07, 30)
	s.edit = func(p *core.Process) { p.CodeMask = 0x7f << 48 }
	frames, stop := s.walk(t, map[string]uint64{"pc": 0, "sp": sp, "x30": ra | 0x55<<48, "x29": sp})
	expect(t, frames, stop, "root", "registers 0x0", "prologue 0x400100", "cfi 0x400200")
}

// TestSmashed: a return address that was overwritten ends the walk at once.
func TestSmashed(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.function(0x40, 0x40, 0x0e, 16)
	s.put(sp, 0x4141414141414141, 0x4141414141414141, 0x4141414141414141, s.call(0x100))
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": 0x4141414141414141})
	expect(t, frames, stop, "not-executable 0x4141414141414141", "registers 0x400050")
}

func TestUnreadableStack(t *testing.T) {
	s := newScene(core.AMD64)
	s.function(0x40, 0x40, 0x0e, 16)
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": top})
	expect(t, frames, stop, "unreadable 0x7f1008", "registers 0x400050")
	if f := core.Fault(stop); f == nil || f.Gap != core.Unmapped {
		t.Errorf("the reason is %v", stop.Err)
	}
}

// TestNoreturn: a call may be its function's last instruction, and the row of
// the function after it is another.
func TestNoreturn(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.function(0x40, 0x40)
	s.put(sp, s.call(0x100))
	s.function(0xc0, 0x40, 0x0e, 32)
	s.function(0x100, 0x40, 0x0e, 64)
	s.put(sp+8+24, s.call(0x200))
	s.function(0x1f0, 0x20, 0x07, 16)
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp})
	expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400100", "cfi 0x400200")
}

// TestUnknownRegister: after a frame pointer step the registers that were not
// recovered are unknown, and a rule that needs one is not followed.
func TestUnknownRegister(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.put(sp+0x20, sp+0x60, s.call(0x100))
	s.function(0xc0, 0x80, 0x0c, 12, 16) // CFA = r12+16
	s.put(sp+0x60, 0, s.call(0x200))
	regs := map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": sp + 0x20, "r12": sp + 0x80}
	frames, stop := s.walk(t, regs)
	expect(t, frames, stop, "root", "registers 0x400050", "fp 0x400100", "fp 0x400200")
}

// TestTrap: a breakpoint is its function's last instruction.
func TestTrap(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.code(0x4f, 0xcc)
	s.function(0x40, 0x10)
	s.function(0x50, 0x10, 0x0e, 64)
	s.put(sp, s.call(0x100))
	s.function(0xf0, 0x20, 0x07, 16)
	s.edit = func(p *core.Process) { p.Threads[0].Signal = 5 }
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp})
	expect(t, frames, stop, "root", "registers 0x400050", "cfi 0x400100")
	if pc := frames[0].LookupPC(); pc != textAt+0x4f {
		t.Errorf("looked up at %v", pc)
	}
}

func TestScan(t *testing.T) {
	s := newScene(core.AMD64)
	sp := uint64(stackAt + 0x100)
	s.put(sp, 1, 0x1234, textAt+0x80, sp+0x100, stackAt) // an address in code that no call precedes
	s.put(sp+0x40, sp+0xa0, s.call(0x100))
	s.put(sp+0xa0, 0, s.call(0x200))
	frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": 1})
	expect(t, frames, stop, "root", "registers 0x400050", "scan 0x400100", "fp 0x400200")
}

func TestLimits(t *testing.T) {
	s := newScene(core.AMD64)
	ra := s.call(0x100)
	s.function(0x40, 0x100)
	for a := uint64(stackAt); a < top; a += 8 {
		s.put(a, ra)
	}
	regs := map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt}
	s.opts.MaxFrames = 5
	frames, stop := s.walk(t, regs)
	if len(frames) != 5 || stop.Kind != StopLimit {
		t.Errorf("%d frames, %v", len(frames), stop)
	}
	s.opts.MaxFrames = 0
	p := s.process(regs)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	frames, stop = gather(t, NewTarget(p, s.opts).Walk(ctx, p.Threads[0]))
	if len(frames) > 256 || stop.Kind != StopLimit {
		t.Errorf("after cancelling: %d frames, %v", len(frames), stop)
	}
	frames, stop = s.walk(t, regs)
	if len(frames) != stackLen/8+1 || stop.Kind != StopUnreadable {
		t.Errorf("%d frames, %v", len(frames), stop)
	}
	frames, stop = s.walk(t, map[string]uint64{"rsp": stackAt})
	if len(frames) != 0 || stop.Kind != StopUnreadable {
		t.Errorf("without a program counter: %d frames, %v", len(frames), stop)
	}
}

// TestAllocations: a walk allocates what it needs once, not for each frame.
func TestAllocations(t *testing.T) {
	s := newScene(core.AMD64)
	ra := s.call(0x100)
	s.function(0x40, 0x100)
	for a := uint64(stackAt); a < top-8; a += 8 {
		s.put(a, ra)
	}
	p := s.process(map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt})
	target, frames := NewTarget(p, Options{}), 0
	n := testing.AllocsPerRun(10, func() {
		frames = 0
		for range target.Walk(context.Background(), p.Threads[0]) {
			frames++
		}
	})
	if frames < stackLen/8 || n > float64(frames)/10 {
		t.Errorf("%v allocations for %d frames", n, frames)
	}
}

// TestConcurrent walks one stack from many goroutines; the race detector looks
// on.
func TestConcurrent(t *testing.T) {
	s := newScene(core.AMD64)
	ra := s.call(0x100)
	s.function(0x40, 0x100)
	for a := uint64(stackAt); a < top-8; a += 8 {
		s.put(a, ra)
	}
	p := s.process(map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt})
	target := NewTarget(p, Options{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			n := 0
			for _, err := range target.Walk(context.Background(), p.Threads[0]) {
				if err == nil {
					n++
				}
			}
			if n != stackLen/8 {
				t.Errorf("%d frames", n)
			}
		})
	}
	wg.Wait()
}

// TestCoroutine: the outermost function of a made context returns to the start of a
// function, where no call has come from. Another address without a call before it
// is a mystery.
func TestCoroutine(t *testing.T) {
	for start, reason := range map[int]string{0x300: "root", 0x280: "no-progress"} {
		s := newScene(core.AMD64)
		s.function(0x40, 0x40)
		s.opts.FuncStart = func(a core.Addr) (core.Addr, bool) {
			return core.Addr(textAt + start),
				a >= core.Addr(textAt+start)
		}
		s.put(stackAt+0x100, textAt+0x300, 7)
		frames, stop := s.walk(t, map[string]uint64{"rip": textAt + 0x50, "rsp": stackAt + 0x100, "rbp": 1})
		expect(t, frames, stop, reason, "registers 0x400050", "cfi 0x400300")
	}
}

// TestUnseenLeaf interrupts a leaf function whose code was not dumped. The word on top of the stack is
// taken for its return address, marked as a guess, and the frame record for the return address of its
// caller.
func TestUnseenLeaf(t *testing.T) {
	sp := uint64(stackAt + 0x100)
	for _, c := range []struct {
		name   string
		top    uint64
		frames []string
	}{
		{"a code address on top", textAt + 0x300, []string{"registers 0x400050", "scan 0x400300", "fp 0x400100"}},
		{"data on top", 7, []string{"registers 0x400050", "fp 0x400100"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := coretest.New(core.AMD64).
				Gap(textAt, 0x1000, core.Read|core.Exec, core.NotDumped).
				Map(stackAt, make([]byte, 0x200)).
				Words(core.Addr(sp), c.top, sp+0x20, 0, 0, 0, textAt+0x100).
				Thread(1, map[string]uint64{"rip": textAt + 0x50, "rsp": sp, "rbp": sp + 0x20}).
				Process()
			frames, stop := gather(t, NewTarget(p, Options{}).Walk(context.Background(), p.Threads[0]))
			expect(t, frames, stop, "unreadable 0x4000ff: 0x4000ff: not dumped", c.frames...)
		})
	}
}
