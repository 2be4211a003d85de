package golang

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/walk"
)

const (
	textAt  = 0x400000
	threadS = 0x7f0000 // the thread's stack, where asmcgocall has called C
	gAt     = 0x500000
	stackAt = 0x600000 // of the goroutine
	high    = stackAt + 0x100
)

// processOf returns a process to unwind in.
func processOf(p *core.Process) process {
	return process{t: runtimes.Target{Process: p, Symbols: sym.NewTable(p)}, abi: abis[p.Arch]}
}

// TestGoroutine follows what asmcgocall has left on the thread's stack to the goroutine's.
func TestGoroutine(t *testing.T) {
	for name, c := range map[string]struct {
		arch   *core.Arch
		thread []uint64 // on the thread's stack
		stack  []uint64 // 0x40 below the end of the goroutine's
		below  uint64   // the word before these
		want   walk.Frame
		no     bool
	}{
		"x86-64, frame pointer pushed": {core.AMD64, []uint64{0x40, gAt}, []uint64{0x1234, textAt + 0x10}, 0,
			walk.Frame{PC: textAt + 0x10, SP: high - 0x30, FP: 0x1234, OtherStack: true}, false},
		"x86-64": {core.AMD64, []uint64{0x40, gAt}, []uint64{textAt + 0x10, 0}, 0,
			walk.Frame{PC: textAt + 0x10, SP: high - 0x38, FP: 0x99, OtherStack: true}, false},
		"x86-64, before Go 1.21": {core.AMD64, []uint64{1, 2, 3, 4, 0, 0x40, gAt}, []uint64{textAt + 0x10, 0}, 0,
			walk.Frame{PC: textAt + 0x10, SP: high - 0x38, FP: 0x99, OtherStack: true}, false},
		"x86-64, no goroutine before Go 1.21": {core.AMD64, []uint64{threadS + 0x1000, 0, 0, 0, 0, threadS + 64, 0, 0,
			textAt + 0x20}, nil, 0,
			walk.Frame{PC: textAt + 0x20, SP: threadS + 72, FP: 0x99}, false},
		"x86-64, no goroutine": {core.AMD64, []uint64{threadS + 16, 0, textAt + 0x20}, nil, 0,
			walk.Frame{PC: textAt + 0x20, SP: threadS + 24, FP: 0x99}, false},
		"aarch64": {core.ARM64, []uint64{gAt, 0x40}, []uint64{textAt + 0x10, 0}, 0x1234,
			walk.Frame{PC: textAt + 0x10, SP: high - 0x30, FP: 0x1234, OtherStack: true}, false},
		"a depth beyond the stack": {core.AMD64, []uint64{0x4000, gAt}, nil, 0, walk.Frame{}, true},
		"no code":                  {core.AMD64, []uint64{0x40, gAt}, []uint64{1, 2}, 0, walk.Frame{}, true},
		"no g":                     {core.AMD64, []uint64{0x40, 0x123}, nil, 0, walk.Frame{}, true},
		"nothing":                  {core.AMD64, nil, nil, 0, walk.Frame{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			stack := make([]uint64, 32)
			copy(stack[(0x100-0x40)/8:], c.stack)
			stack[(0x100-0x40)/8-1] = c.below
			p := coretest.New(c.arch).MapProt(textAt, make([]byte, 0x100), core.Read|core.Exec).
				Words(threadS, c.thread...).Words(gAt, stackAt, high).Words(stackAt, stack...).Process()
			u := unwinder{&Runtime{process: processOf(p)}, nil}
			got, ok := u.goroutine(&walk.Frame{PC: textAt + 0x80, SP: threadS, FP: 0x99})
			if ok == c.no {
				t.Fatalf("%+v, %v", got, ok)
			}
			if got.PC != c.want.PC || got.SP != c.want.SP || got.FP != c.want.FP ||
				got.OtherStack != c.want.OtherStack {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	p := coretest.New(core.AMD64).Process()
	u := (&Runtime{process: processOf(p)}).Begin(nil)
	if _, _, err := u.Step(&walk.Frame{PC: textAt}); err != walk.ErrDecline {
		t.Errorf("a frame without a name: %v", err)
	}
}

// TestAmend: what a signal's handler has called as if the code there did begins with the frame pointer of that code.
func TestAmend(t *testing.T) {
	for _, c := range []struct {
		arch  *core.Arch
		name  string
		fp    core.Addr
		point walk.Point
	}{
		{core.AMD64, "runtime.sigpanic", 0x1234, walk.NoCall},
		{core.AMD64, "runtime.main", 0x99, walk.AfterCall},
		{core.I386, "runtime.sigpanic", 0x99, walk.NoCall},
	} {
		p := coretest.New(c.arch).MapProt(textAt, make([]byte, 0x100), core.Read|core.Exec).Words(stackAt,
			0x1234, 0x5678).
			Module("exe", textAt, textAt+0x100,
				core.ModuleFacts{Image: named{names: map[string]uint64{c.name: textAt + 0x10}},
					BiasKnown: true}).Process()
		caller := walk.Frame{PC: textAt + 0x80, SP: stackAt + 16, FP: 0x99, Trust: walk.CFI, Point: walk.AfterCall}
		unwinder{&Runtime{process: processOf(p)},
			nil}.Amend(&walk.Frame{PC: textAt + 0x18}, &caller)
		if fp, ok := caller.Regs.Get(c.arch.FP); caller.FP != c.fp || caller.Point != c.point ||
			c.fp == 0x1234 && (!ok || fp != 0x1234) {
			t.Errorf("%v, %s: %+v", c.arch, c.name, caller)
		}
	}
}
