package golang

import (
	"errors"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// TestThreadStacks: without a file of the program, its threads say which stacks are Go's, and where they end.
func TestThreadStacks(t *testing.T) {
	const heap, mAt, words = 0xc000000000, 0x520000, 0x400
	const g0At, gAt, lowAt, topAt = heap, heap + 0x100, heap + 0x1000, heap + 0x1800
	g := func(low, high, m uint64) []uint64 { return []uint64{low, high, 0, 0, 0, 0, m, 0, 0} }
	for name, c := range map[string]struct {
		g0, g []uint64
		want  []span
	}{
		"both": {g(lowAt, topAt, mAt), g(topAt, topAt+0x400, mAt),
			[]span{{lowAt, topAt}, {topAt, topAt + 0x400}}},
		"C has made the thread": {g(0x7f0000000000, 0x7f0000010000, mAt), g(topAt, topAt+0x400, mAt),
			[]span{{topAt, topAt + 0x400}}},
		"the goroutine went away": {g(lowAt, topAt, mAt), g(topAt, topAt+0x400, mAt+8), []span{{lowAt, topAt}}},
		"it has no stack":         {g(lowAt, topAt, mAt), g(topAt, topAt, mAt), []span{{lowAt, topAt}}},
		"its stack is cut":        {g(lowAt, topAt, mAt), g(topAt, heap+words*8+8, mAt), []span{{lowAt, topAt}}},
		"g0 of another m":         {g(lowAt, topAt, mAt+8), g(topAt, topAt+0x400, mAt), nil},
	} {
		all := make([]uint64, words)
		copy(all[(g0At-heap)/8:], c.g0)
		copy(all[(gAt-heap)/8:], c.g)
		m := make([]uint64, maxM/8)
		m[mG0/8], m[12] = g0At, gAt
		p := coretest.New(core.AMD64).Words(heap, all...).Words(mAt, m...).Process()
		thread := &core.Thread{}
		thread.Regs.Set(core.AMD64.SlotOf("r14"), g0At)
		p.Threads = []*core.Thread{thread}
		x, err := Probe(t.Context(), runtimes.Target{Process: p, Symbols: sym.NewTable(p)})
		r, ok := x.(*Runtime)
		if ok != (c.want != nil) || err != nil {
			t.Errorf("%s: %v, %v", name, x, err)
		}
		if !ok {
			continue
		}
		if _, err := r.Goroutines(); !errors.Is(err, errNoFile) || !slices.Equal(r.stacks, c.want) {
			t.Errorf("%s: %v, stacks %v, want %v", name, err, r.stacks, c.want)
		}
		if _, high, ok := r.Stack(c.want[0].start + 8); !ok || high != c.want[0].end {
			t.Errorf("%s: a stack ends at %v, %v", name, high, ok)
		}
	}
}
