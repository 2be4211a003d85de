package abort

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// Where the parts of a program without names are.
const (
	textOf, rodataOf, dataOf, pageOf, heapOf, tlsOf, stackOf = 0x401000, 0x402000, 0x403000, 0x700000, 0x800000,
		0x905000, 0xa00000
)

// bare is the memory of a program that was linked statically and stripped.
type bare map[uint64][]byte

func newBare() bare {
	b := bare{}
	for _, at := range []uint64{textOf, rodataOf, dataOf, pageOf, heapOf, tlsOf - 0x1000, stackOf} {
		b[at] = make([]byte, 0x1000)
	}
	return b
}

func (b bare) at(a uint64) []byte { return b[a&^0xfff][a&0xfff:] }

func (b bare) words(a uint64, v ...uint64) {
	for i, x := range v {
		binary.LittleEndian.PutUint64(b.at(a+uint64(8*i)), x)
	}
}

func (b bare) text(a uint64, t string) { copy(b.at(a), t) }

// causes asks about an abort below two functions without names. The second one is at textOf+0x900.
func (b bare) causes(t *testing.T) []runtimes.Cause {
	t.Helper()
	build := coretest.New(core.AMD64)
	for at, mem := range b {
		prot := core.Read | core.Write
		switch at {
		case textOf:
			prot = core.Read | core.Exec
		case rodataOf:
			prot = core.Read
		}
		build.MapProt(core.Addr(at), mem, prot)
	}
	build.Thread(1, map[string]uint64{"rsp": stackOf + 0x100, "rip": textOf})
	build.Module("/srv/program", textOf, pageOf-0x1000, core.ModuleFacts{})
	p := build.Process()
	p.Modules[0].Exe = true
	p.Threads[0].TLS = tlsOf
	c := &runtimes.Crash{Thread: p.Threads[0], Signal: &core.Signal{Number: 6, Name: "SIGABRT"},
		Frames: []runtimes.CrashFrame{{PC: textOf + 0x20, SP: stackOf + 0x100},
			{PC: textOf + 0x900, SP: stackOf + 0x200}}}
	return New(p, sym.NewTable(p)).Causes(t.Context(), c)
}

// place lays out a core::panic::Location and the vtable of a type of a size, as rustc 1.95 does.
func (b bare) place(size uint64) (location, vtable uint64) {
	b.text(rodataOf+0x100, "src/ledger.rs")
	b.words(rodataOf+0x200, rodataOf+0x100, 13, 7|9<<32)
	b.words(rodataOf+0x300, 0, size, 8, textOf+0x10)
	return rodataOf + 0x200, rodataOf + 0x300
}

// TestNameless: what stripped programs wrote down is found by its shape, and nothing is where it is not.
func TestNameless(t *testing.T) {
	const note = " (" + shaped + ")"
	handler := func(b bare) { // lea of the handler's words
		b.text(rodataOf+0x800, "terminate called after throwing an instance of '")
		b.text(textOf+0x880, "\x48\x8d\x3d")
		binary.LittleEndian.PutUint32(b.at(textOf+0x883), rodataOf+0x800-(textOf+0x887))
	}
	thrown := func(b bare) { // an int of libstdc++, in the thread's __cxa_eh_globals
		b.text(rodataOf+0x400, "i")
		b.words(rodataOf+0x500, 0, rodataOf+0x400)
		const header = heapOf + 0x100
		b.words(header, rodataOf+0x500)
		b.words(header+0x50, classGNU)
		b.words(header+0x70, 42)
		b.words(tlsOf-0x80, header)
	}
	for _, c := range []struct {
		name string
		lay  func(b bare)
		want string
	}{
		{"nothing", func(bare) {}, ""},
		{"a panic with a &str", func(b bare) {
			loc, vt := b.place(16)
			b.text(rodataOf+0x600, "no quota")
			b.words(stackOf+0x900, rodataOf+0x600, 8)
			b.words(stackOf+0x300, stackOf+0x900, vt, loc)
		}, "panic: no quota, at src/ledger.rs:7:9" + note},
		{"a panic with a String, and the Location first", func(b bare) {
			loc, vt := b.place(24)
			b.text(heapOf+0x600, "tenant 7")
			b.words(stackOf+0x900, 16, heapOf+0x600, 8)
			b.words(stackOf+0x300, loc, stackOf+0x900, vt)
		}, "panic: tenant 7, at src/ledger.rs:7:9" + note},
		{"a PanicInfo of Rust 1.63", func(b bare) {
			loc, vt := b.place(24)
			b.text(heapOf+0x600, "tenant 7")
			b.words(stackOf+0x900, 16, heapOf+0x600, 8)
			b.words(stackOf+0x300, stackOf+0x900, vt, stackOf+0x950, loc)
		}, "panic: tenant 7, at src/ledger.rs:7:9" + note},
		{"a Location, and no payload", func(b bare) {
			loc, _ := b.place(24)
			b.words(stackOf+0x300, loc)
		}, ""},
		{"what is below the stack", func(b bare) {
			loc, vt := b.place(16)
			b.text(rodataOf+0x600, "no quota")
			b.words(stackOf+0x80, rodataOf+0x600, 8)
			b.words(stackOf+0x20, stackOf+0x80, vt, loc)
		}, ""},
		{"an exception that ended the process", func(b bare) { thrown(b); handler(b) },
			"uncaught C++ exception int: 42" + note},
		{"an exception whose handler aborts", thrown, "handled C++ exception int: 42" + note},
		{"std::terminate", handler, "std::terminate was called without an exception" + note},
		{"glibc's words", func(b bare) {
			b.words(dataOf+0x100, pageOf)
			b.words(pageOf, 0x1000)
			b.text(pageOf+4, "free(): invalid pointer\n")
		}, "abort message: free(): invalid pointer" + note},
		{"the words of musl's assert", func(b bare) {
			b.text(stackOf+0x20, "Assertion failed: n < 7 (store.c: keep: 12)\n\x00rest")
		}, "abort message: Assertion failed: n < 7 (store.c: keep: 12)" + note},
		{"a part of such words", func(b bare) { b.text(stackOf+0x20, "Assertion failed: n < 7 (sto") }, ""},
		{"such words in a frame", func(b bare) {
			b.text(stackOf+0x220, "Assertion failed: n < 7 (store.c: keep: 12)\n")
		}, ""},
		{"a page with more after the words", func(b bare) {
			b.words(dataOf+0x100, pageOf)
			b.words(pageOf, 0x1000)
			b.text(pageOf+4, "free(): invalid pointer\n\x00more")
		}, ""},
		{"a page with another length", func(b bare) {
			b.words(dataOf+0x100, pageOf)
			b.words(pageOf, 0x100000)
			b.text(pageOf+4, "free(): invalid pointer\n")
		}, ""},
	} {
		b := newBare()
		c.lay(b)
		got := ""
		if list := b.causes(t); len(list) > 0 {
			got = list[0].String()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
