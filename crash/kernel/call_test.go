package kernel

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestState has threads whose instructions are there, are zeros, and are not in the core, and
// that Linux has written the number of a call down for, or that there was none.
func TestState(t *testing.T) {
	const none = 1<<64 - 1
	for _, c := range []struct {
		name   string
		arch   *core.Arch
		code   string // up to the program counter
		number uint64
		want   State
	}{
		{"after a call", core.AMD64, "\x90\x90\x0f\x05", 202, InKernel},
		{"after a call that has returned", core.AMD64, "\x90\x90\x0f\x05", none, InKernel},
		{"in a call, its instruction lost", core.AMD64, "\x00\x00\x00\x00", 202, InKernel},
		{"in a call, in memory that is not there", core.AMD64, "", 0, InKernel},
		{"elsewhere", core.AMD64, "\x90\x90\x90\x90", none, Running},
		{"elsewhere, its instructions lost", core.AMD64, "\x00\x00\x00\x00", none, Unknown},
		{"in memory that is not there", core.AMD64, "", none, Unknown},
		{"after a call", core.ARM64, "\x01\x00\x00\xd4", 98, InKernel},
		{"x8 is any value elsewhere", core.ARM64, "\x1f\x20\x03\xd5", 98, Running},
		{"x8 is any value there, too", core.ARM64, "\x00\x00\x00\x00", 98, Unknown},
		{"a call's numbers are not known", core.S390X, "\x0a\x00\x00\x00", 1, Unknown},
	} {
		b := coretest.New(c.arch).Map(0x80000, make([]byte, 64))
		if c.code != "" {
			b.Map(0x1000, append([]byte(c.code), make([]byte, 64)...))
		}
		p := b.Thread(1, map[string]uint64{c.arch.RegNames[c.arch.PC]: 0x1004}).Process()
		if how := CallingOf(c.arch); how != nil {
			p.Threads[0].Registers = func() []core.Register { return []core.Register{{Name: how.Number, Value: c.number}} }
		}
		if got := StateOf(p, p.Threads[0]); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.arch.Name, c.name, got, c.want)
		}
	}
}
