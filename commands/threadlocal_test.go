package commands

import (
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
)

// A fakeTLS is an image with a thread-local segment.
type fakeTLS struct{ addr, size, align uint64 }

func (fakeTLS) Path() string                                    { return "/bin/a" }
func (fakeTLS) Section(string) (core.Section, error)            { return core.Section{}, core.ErrNoSection }
func (fakeTLS) Segments() []core.ImageSegment                   { return nil }
func (fakeTLS) Symbols(bool, func(core.ImageSymbol) bool) error { return nil }
func (f fakeTLS) TLS() (addr, size, align uint64, ok bool) {
	return f.addr, f.size, f.align, f.align != 0
}

// TestThreadLocalOffsets: an offset beyond the block is an address within it, or nothing.
func TestThreadLocalOffsets(t *testing.T) {
	p := coretest.New(core.AMD64).Map(0x7000, make([]byte, 64)).Module("/bin/a", 0x1000, 0x2000,
		core.ModuleFacts{Image: fakeTLS{0x3dd0, 0x14, 4}}).Thread(1, nil).Process()
	p.Threads[0].TLS, p.Modules[0].Exe = 0x7000, true
	s := &Target{Process: p, Thread: p.Threads[0]}
	for off, want := range map[uint64]core.Addr{0: 0x6fec, 0x13: 0x6fff, 0x14: 0, 0x3dcf: 0, 0x3dd0: 0x6fec,
		0x3de3: 0x6fff, 0x3de4: 0, 1 << 63: 0} {
		if got, err := s.ThreadLocal(p.Threads[0], p.Modules[0], off); got != want || (err == nil) != (want != 0) {
			t.Errorf("%#x: %v, %v, want %v", off, got, err, want)
		}
	}
}

// The places follow from U. Drepper, "ELF Handling For Thread-Local Storage", section
// 3.4: variant II ends at the thread pointer, variant I begins after two words.
func TestThreadLocal(t *testing.T) {
	for _, c := range []struct {
		what  string
		arch  *core.Arch
		image fakeTLS
		tp    core.Addr
		exe   bool
		want  core.Addr
	}{
		{"x86-64", core.AMD64, fakeTLS{0x3dd0, 0x14, 16}, 0x7000, true, 0x7000 - 0x20 + 4},
		{"x86-64, aligned to 64", core.AMD64, fakeTLS{0x3dc0, 0x14, 64}, 0x7000, true, 0x7000 - 0x40 + 4},
		{"arm64", core.ARM64, fakeTLS{0x3dd0, 0x14, 8}, 0x7000, true, 0x7000 + 16 + 4},
		{"arm64, aligned to 64", core.ARM64, fakeTLS{0x3dc0, 0x14, 64}, 0x7000, true, 0x7000 + 64 + 4},
		{"riscv64", core.RISCV64, fakeTLS{0x3dd0, 0x14, 8}, 0x7000, true, 0x7004},
		{"a library", core.AMD64, fakeTLS{0x3dd0, 0x14, 16}, 0x7000, false, 0},
		{"no thread pointer", core.AMD64, fakeTLS{0x3dd0, 0x14, 16}, 0, true, 0},
		{"no segment", core.AMD64, fakeTLS{}, 0x7000, true, 0},
		{"an alignment that is none", core.AMD64, fakeTLS{0, 8, 24}, 0x7000, true, 0},
	} {
		p := coretest.New(c.arch).Map(0x7000, make([]byte, 64)).Module("/bin/a", 0x1000, 0x2000,
			core.ModuleFacts{Image: c.image}).Thread(1, nil).Process()
		p.Threads[0].TLS = c.tp
		p.Modules[0].Exe = c.exe
		s := &Target{Process: p, Thread: p.Threads[0]}
		got, err := s.ThreadLocalSymbol(sym.Symbol{Name: "count", Addr: 4, Kind: core.SymTLS, Module: p.Modules[0]})
		if got != c.want || (err == nil) != (c.want != 0) || err != nil && !errors.Is(err, core.ErrUnknown) {
			t.Errorf("%s: %v, %v, want %v", c.what, got, err, c.want)
		}
		// symbols of many modules have one name
		if err != nil && !strings.HasPrefix(err.Error(), "a`count is thread-local") {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}
