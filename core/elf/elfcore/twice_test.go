package elfcore_test

import (
	"testing"

	"coredbg/core"
	"coredbg/core/elf/elftest"
)

// TestReadBelow: the start of a library that was mapped once more, to be read, is not
// where it was loaded, although its address is lower.
func TestReadBelow(t *testing.T) {
	b := elftest.AMD64()
	lib := b.Library([]byte("some-build-id-of-20b"), 0x40000, 0xcc)
	p := open(t, elftest.AMD64().Thread(1, 11, 0).
		Note("CORE", elftest.NTFile, b.Files(3, elftest.Mapped(0x300000, 0x301000, 0, "/l.so"),
			elftest.Mapped(0x400000, 0x401000, 0, "/l.so"), elftest.Mapped(0x401000, 0x440000, 0x1000, "/l.so")), -1).
		Load(0x300000, 0x1000, core.Read, firstPage(lib)).
		Load(0x400000, 0x1000, core.Read, firstPage(lib)).Load(0x401000, 0x3f000, rx, nil).Core(),
		someFiles{"/l.so": lib})
	if len(p.Modules) != 1 || p.Modules[0].Start != 0x400000 {
		t.Fatalf("%d modules, the first at %v", len(p.Modules), p.Modules[0].Start)
	}
	for at, want := range map[core.Addr]uint64{0x300123: 0x123, 0x402123: 0x2123} {
		if m := p.Module(at); m == nil || m.Offset(at) != want {
			t.Errorf("%v: %v", at, m)
		}
	}
}

// TestMappedTwice: offsets count from the mapping that holds the address, however often and wherever a
// file is mapped.
func TestMappedTwice(t *testing.T) {
	b := elftest.AMD64()
	lib := b.Library([]byte("some-build-id-of-20b"), 0x40000, 0xcc)
	p := open(t, elftest.AMD64().Thread(1, 11, 0).
		Note("CORE", elftest.NTFile, b.Files(7,
			elftest.Mapped(0x400000, 0x401000, 0, "/l.so"), elftest.Mapped(0x401000, 0x440000, 0x1000, "/l.so"),
			elftest.Mapped(0x450000, 0x490000, 0, "/l.so"), // near, to be read
			elftest.Mapped(0x500000, 0x504000, 0, "/memfd:jit (deleted)"),
			elftest.Mapped(0x505000, 0x507000, 0x2000, "/memfd:jit (deleted)"),
			elftest.Mapped(0x520000, 0x521000, 0x4000, "/memfd:other (deleted)"),
			elftest.Mapped(0x7f0000000000, 0x7f0000001000, 0x20000, "/l.so")), -1).
		Load(0x400000, 0x1000, core.Read, firstPage(lib)).Load(0x401000, 0x3f000, rx, nil).Load(0x450000, 0x40000,
		core.Read, nil).
		Load(0x500000, 0x4000, rw, nil).Load(0x505000, 0x2000, rx, nil).Load(0x520000, 0x1000, rx, nil).
		Load(0x7f0000000000, 0x1000, rx, nil).Core(), someFiles{"/l.so": lib})
	for _, c := range []struct {
		at   core.Addr
		want uint64
	}{
		{0x400123, 0x123}, {0x402123, 0x2123}, {0x472123, 0x22123}, {0x7f0000000123, 0x20123},
		{0x505123, 0x2123}, {0x500123, 0x123}, {0x520123, 0x4123},
	} {
		m := p.Module(c.at)
		if m == nil {
			t.Errorf("%v is in no module", c.at)
			continue
		}
		if got := m.Offset(c.at); got != c.want {
			t.Errorf("%v is at %#x of %s, want %#x", c.at, got, m.Path, c.want)
		}
		if m.Path == "/l.so" {
			if link, ok := m.LinkAddr(c.at); !ok || link != c.want {
				t.Errorf("%v has link-time address %#x, %v", c.at, link, ok)
			}
			if m.Start != 0x400000 || m.End != 0x440000 {
				t.Errorf("%s lies at %v to %v", m.Path, m.Start, m.End)
			}
		}
	}
}
