package kernel

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

func TestTrapped(t *testing.T) {
	const at, before = 0x1000, 2
	for _, c := range []struct {
		arch   *core.Arch
		code   []byte
		signal int
		want   bool
	}{
		{core.AMD64, []byte{0x90, 0xcc}, 5, true},
		{core.AMD64, []byte{0x90, 0xcc}, 4, false},
		{core.AMD64, []byte{0xcc, 0x90}, 5, false},
		{core.ARM64, []byte{0, 0xcc}, 5, false},
		{core.M68K, []byte{0x4e, 0x47}, 4, true},  // trap #7
		{core.M68K, []byte{0x4e, 0x4f}, 5, true},  // trap #15
		{core.M68K, []byte{0x4a, 0xfc}, 4, false}, // illegal
		{core.M68K, []byte{0x4e, 0x75}, 4, false}, // rts
		{core.M68K, []byte{0x4e, 0x47}, 11, false},
		{core.S390X, []byte{0, 0}, 8, true},
	} {
		p := coretest.New(c.arch).MapProt(at, append(c.code, 0, 0), core.Read|core.Exec).Process()
		if got := Trapped(p, at+before, c.signal); got != c.want {
			t.Errorf("%s, % x, signal %d: %v", c.arch.Name, c.code, c.signal, got)
		}
		if Trapped(p, 0, c.signal) && c.arch != core.S390X {
			t.Errorf("%s: nothing was trapped at 0", c.arch.Name)
		}
	}
}
