package golang

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/walk"
)

// A named is an image whose code has names, and perhaps the section that marks it as a Go program.
type named struct {
	names map[string]uint64 // of functions of 0x10 bytes
	built []byte
}

func (named) Path() string                  { return "" }
func (named) Segments() []core.ImageSegment { return nil }
func (n named) Section(name string) (core.Section, error) {
	if name == ".go.buildinfo" && n.built != nil {
		return core.Section{Data: n.built}, nil
	}
	return core.Section{}, core.ErrNoSection
}
func (n named) Symbols(_ bool, yield func(core.ImageSymbol) bool) error {
	for name, at := range n.names {
		if !yield(core.ImageSymbol{Name: []byte(name), Value: at, Size: 0x10, Kind: core.SymFunc,
			Defined: true, Section: 1}) {
			break
		}
	}
	return nil
}

// TestCallback follows a goroutine to the C code that has called it: what it was called with is on the
// thread's stack as well.
func TestCallback(t *testing.T) {
	const (
		crossing = textAt + 0x18 // in crosscall2
		export   = textAt + 0x40
		argsAt   = threadS + 0x80
		g0At     = 0x510000
		mAt      = 0x520000
	)
	thread := func(arch *core.Arch, at int, words ...uint64) []uint64 {
		out := make([]uint64, 64)
		copy(out[at:], words)
		return out
	}
	right := thread(core.AMD64, 4, 0x1234, crossing, export, argsAt, 24)
	for name, c := range map[string]struct {
		arch   *core.Arch
		thread []uint64
		args   uint64 // as the goroutine has them
		g0     uint64 // the thread's stack pointer as the runtime would use it
		sp     core.Addr
	}{
		"x86-64": {core.AMD64, right, argsAt, threadS, threadS + 0x30},
		"aarch64": {core.ARM64, thread(core.ARM64, 2, 0x1234, crossing, 0, 0, 0, 0, 0, 0, export, argsAt),
			argsAt, threadS, threadS + 0x48},
		"just not used":   {core.AMD64, right, argsAt, threadS + 0x30, threadS + 0x30},
		"overwritten":     {core.AMD64, right, argsAt, threadS + 0x38, 0},
		"of another call": {core.AMD64, right, argsAt + 8, threadS, 0},
		"another function": {core.AMD64, thread(core.AMD64, 4, 0x1234, crossing, export+1, argsAt),
			argsAt, threadS, 0},
		"not by crosscall2": {core.AMD64, thread(core.AMD64, 4, 0x1234, textAt+0x80, export, argsAt),
			argsAt, threadS, 0},
		"too far away":        {core.AMD64, right, argsAt + maxPassed, threadS, 0},
		"no arguments":        {core.AMD64, right, 0, threadS, 0},
		"not aligned":         {core.AMD64, right, argsAt + 1, threadS, 0},
		"nowhere in the core": {core.AMD64, right, 0x900000, threadS, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := coretest.New(c.arch).MapProt(textAt, make([]byte, 0x100),
				core.Read|core.Exec).Words(threadS, c.thread...).
				Words(g0At, 0, 0, 0, 0, 0, 0, mAt, c.g0).Words(mAt, g0At).Words(stackAt, make([]uint64, 8)...)
			passed := abis[c.arch].passed
			b.Words(stackAt+passed, export, c.args)
			p := b.Module("lib", textAt, textAt+0x100,
				core.ModuleFacts{Image: named{names: map[string]uint64{"crosscall2": textAt + 0x10}},
					BiasKnown: true}).Process()
			th := &core.Thread{TID: 7}
			r := &Runtime{process: processOf(p), allGoroutines: allGoroutines{
				list: []*Goroutine{{Thread: &core.Thread{}, M: 8}, {Thread: th, M: mAt}}}}
			r.once.Do(func() {})
			got, ok := unwinder{r, th}.calledBack(&walk.Frame{PC: textAt + 0x80, SP: stackAt})
			if ok != (c.sp != 0) || ok && (got.PC != crossing || got.SP != c.sp || got.FP != 0x1234 ||
				!got.OtherStack) {
				t.Errorf("%+v, %v", got, ok)
			}
			if c.args != argsAt || c.g0 != threadS {
				return
			}
			// The thread itself, whose goroutine waits: the frames below mcall do not belong to a
			// goroutine that C has called.
			below, ok := unwinder{r, th}.below(&walk.Frame{PC: textAt + 0x80, SP: threadS})
			if want := name != "not by crosscall2"; ok != want || name == "x86-64" && below.SP != got.SP {
				t.Errorf("below mcall: %+v, %v", below, ok)
			}
		})
	}
}
