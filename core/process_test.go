package core_test

import (
	"testing"

	"coredbg/core"
)

// TestStackEnd: stacks in one mapping end at the nearest control block of a thread.
func TestStackEnd(t *testing.T) {
	for _, x := range []struct {
		name    string
		arch    *core.Arch
		tls     []core.Addr
		sp, end core.Addr
		want    core.Addr
	}{
		{"the lower of two", core.AMD64, []core.Addr{0x7000, 0x3f00}, 0x3000, 0x9000, 0x3f00},
		{"the upper of two", core.AMD64, []core.Addr{0x7000, 0x3f00}, 0x4000, 0x9000, 0x7000},
		{"after the control blocks", core.AMD64, []core.Addr{0x7000, 0x3f00}, 0x8000, 0x9000, 0x9000},
		{"the block is in another mapping", core.ARM64, []core.Addr{0x9000, 0}, 0x8000, 0x9000, 0x9000},
		{"a pointer beyond the block", core.PPC64LE, []core.Addr{0x17000, 0x20000}, 0xf000, 0x30000, 0x10000},
		{"no thread pointers", core.AMD64, []core.Addr{0, 0}, 0x4000, 0x9000, 0x9000},
	} {
		p := &core.Process{Arch: x.arch}
		for i, at := range x.tls {
			p.Threads = append(p.Threads, &core.Thread{TID: i + 1, TLS: at})
		}
		if got := p.StackEnd(x.sp, x.end); got != x.want {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}
