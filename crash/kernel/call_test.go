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
			p.Threads[0].Registers = func() []core.Register {
				return []core.Register{{Name: how.Number,
					Value: c.number}}
			}
		}
		if got := StateOf(p, p.Threads[0]); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.arch.Name, c.name, got, c.want)
		}
	}
}

// TestCallOf has futex called: while that lasts, and after the handler of a signal, by when
// the kernel has forgotten the number.
func TestCallOf(t *testing.T) {
	const none = 1<<64 - 1
	for _, c := range []struct {
		name   string
		arch   *core.Arch
		code   string // up to the program counter
		after  string
		number uint64
		want   uint64
		ok     bool
	}{
		{"lasting", core.AMD64, "\x90\x0f\x05", "", 202, 202, true},
		// mov $0xca,%eax; xor $0x80,%sil; syscall
		{"interrupted", core.AMD64, "\xb8\xca\x00\x00\x00\x40\x80\xf6\x80\x0f\x05", "", none, 202, true},
		{"set back", core.AMD64, "\xb8\xca\x00\x00\x00", "\x0f\x05", none, 202, true},
		{"set back on i386", core.I386, "\xb8\xf0\x00\x00\x00", "\xcd\x80", none >> 32, 240, true},
		{"eax is changed", core.AMD64, "\xb8\xca\x00\x00\x00\x89\xc8\x0f\x05", "", none, 0, false}, // mov %ecx,%eax
		{"a jump between", core.AMD64, "\xb8\xca\x00\x00\x00\xeb\x02\x0f\x05", "", none, 0, false},
		{"no number", core.AMD64, "\x90\x90\x0f\x05", "", none, 0, false},
		{"too large for a number", core.AMD64, "\xb8\xca\x00\x01\x00\x0f\x05", "", none, 0, false},
		{"not in a call", core.AMD64, "\xb8\xca\x00\x00\x00", "", none, 0, false},
		{"x8", core.ARM64, "\x01\x00\x00\xd4", "", 98, 98, true},
	} {
		text := append(append(make([]byte, 64), c.code...), c.after...)
		b := coretest.New(c.arch).Map(0x1000, append(text, make([]byte, 64)...))
		p := b.Thread(1, map[string]uint64{c.arch.RegNames[c.arch.PC]: 0x1040 + uint64(len(c.code))}).Process()
		how := CallingOf(c.arch)
		p.Threads[0].Registers = func() []core.Register {
			out := []core.Register{{Name: how.Number, Value: c.number}}
			for i, a := range how.Args {
				out = append(out, core.Register{Name: a, Value: uint64(i)})
			}
			return out
		}
		if n, args, ok := CallOf(p, p.Threads[0]); ok != c.ok || ok && (n != c.want || args != [4]uint64{0, 1, 2, 3}) {
			t.Errorf("%s, %s: %d%v, %v", c.arch.Name, c.name, n, args, ok)
		}
	}
}
