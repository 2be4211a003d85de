package golang

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/walk"
)

// TestServed: morestack leads to the goroutine whose place m's g has kept, if there is just one.
func TestServed(t *testing.T) {
	const mAt, g0At, otherAt, threadEnd = 0x510000, 0x520000, 0x530000, threadS + 0x100
	g := func(low, high, m, sp, pc uint64) []uint64 { return []uint64{low, high, 0, 0, 0, 0, m, sp, pc} }
	machine := func(gs ...uint64) []uint64 {
		words := make([]uint64, maxM/8)
		words[mG0/8] = g0At
		copy(words[10:], gs)
		return words
	}
	right := g(stackAt, high, mAt, stackAt+0x40, textAt+0x10)
	for name, c := range map[string]struct {
		m, g, other []uint64
		g0          []uint64
		known, ok   bool
	}{
		"the goroutine":  {machine(gAt), right, nil, nil, true, true},
		"twice the same": {machine(gAt, 0, gAt), right, nil, nil, true, true},
		"given away":     {machine(), right, nil, nil, true, false},
		"of another m": {machine(gAt), g(stackAt, high, mAt+8, stackAt+0x40, textAt+0x10), nil,
			nil, true, false},
		"beyond its stack": {machine(gAt), g(stackAt, high, mAt, high, textAt+0x10), nil, nil, true, false},
		"no code":          {machine(gAt), g(stackAt, high, mAt, stackAt+0x40, 8), nil, nil, true, false},
		"two of them": {machine(gAt, otherAt), right, g(stackAt, high, mAt, stackAt+0x48, textAt+0x10),
			nil, false, false},
		"m is cut":        {machine(gAt)[:maxM/8-1], right, nil, nil, false, false},
		"another stack":   {machine(gAt), right, nil, g(threadEnd, threadEnd+8, mAt, 0, 0), false, false},
		"g0 of another m": {machine(gAt), right, nil, g(threadS, threadEnd, mAt+8, 0, 0), false, false},
		"the thread's own g0": {machine(g0At), right, nil, g(threadS, threadEnd, mAt, threadS+8, textAt+0x10), true,
			false},
	} {
		t.Run(name, func(t *testing.T) {
			g0 := c.g0
			if g0 == nil {
				g0 = g(threadS, threadEnd, mAt, 0, 0)
			}
			b := coretest.New(core.AMD64).MapProt(textAt, make([]byte, 0x100), core.Read|core.Exec).
				Words(mAt, c.m...).Words(g0At, g0...).Words(gAt, c.g...).Words(stackAt, make([]uint64, 32)...)
			if c.other != nil {
				b = b.Words(otherAt, c.other...)
			}
			p := b.Process()
			thread := &core.Thread{}
			thread.Regs.Set(core.AMD64.SlotOf("r14"), g0At)
			u := unwinder{&Runtime{process: processOf(p)}, thread}
			caller, known, ok := u.served(&walk.Frame{PC: textAt + 0x80, SP: threadS + 0x20})
			if known != c.known || ok != c.ok || ok && (caller.PC != textAt+0x10 || caller.SP != stackAt+0x40 ||
				!caller.OtherStack) {
				t.Errorf("%+v, %v, %v", caller, known, ok)
			}
		})
	}
}
