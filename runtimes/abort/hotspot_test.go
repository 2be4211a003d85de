package abort

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// TestJVMError: members of VMError as HotSpot 17 and 25 have them, and the words of its own report for
// them ("Internal Error (debug.cpp:362)", "fatal error: OutOfMemory encountered: Java heap space").
func TestJVMError(t *testing.T) {
	const id, message, detail, file, line = dataOf, dataOf + 0x10, dataOf + 0x100, dataOf + 0x20, dataOf + 0x30
	names := map[string]core.Addr{"_ZN7VMError3_idE": id, "_ZN7VMError8_messageE": message,
		"_ZN7VMError11_detail_msgE": detail,
		"_ZN7VMError9_filenameE":    file, "_ZN7VMError7_linenoE": line}
	for _, c := range []struct {
		name, message, detail string
		id                    uint32
		without               string // a symbol
		want                  string
	}{
		{"a full heap", "fatal error", "OutOfMemory encountered: Java heap space", 0xe0000000, "",
			"fatal error of the JVM: fatal error: OutOfMemory encountered: Java heap space, at debug.cpp:362"},
		{"a check that failed", "guarantee(n > 0) failed", "", 0xe0000000, "",
			"fatal error of the JVM: guarantee(n > 0) failed, at debug.cpp:362"},
		{"no native memory", "", "Chunk::new", 0xe0000001, "",
			"fatal error of the JVM out of memory: Chunk::new, at debug.cpp:362"},
		{"a place that is not known", "fatal error", "x", 0xe0000000, "_ZN7VMError7_linenoE",
			"fatal error of the JVM: fatal error: x"},
		{"a signal", "", "", 11, "", ""},
		{"no error", "fatal error", "x", 0, "", ""},
		{"what is no text", "fatal\x01\x02", "\x03\x04\x05", 0xe0000000, "", ""},
		{"no symbol", "fatal error", "x", 0xe0000000, "_ZN7VMError3_idE", ""},
	} {
		b := newBare()
		binary.LittleEndian.PutUint32(b.at(id), c.id)
		b.words(message, rodataOf+0x100)
		b.words(file, rodataOf+0x300)
		b.words(line, 362)
		b.text(rodataOf+0x100, c.message)
		b.text(rodataOf+0x300, "./src/hotspot/share/utilities/debug.cpp")
		b.text(detail, c.detail)
		p := coretest.New(core.AMD64).MapProt(rodataOf, b[rodataOf], core.Read).MapProt(dataOf, b[dataOf],
			core.Read|core.Write).Process()
		got, ok := jvmFinder{reader{p, sym.NewTable(p)}}.jvmError(func(name string) (core.Addr, bool) {
			at, ok := names[name]
			return at, ok && name != c.without
		})
		if s := got.String(); ok != (c.want != "") || ok && s != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, s, ok, c.want)
		}
	}
}

// TestJVMErrorByShape: members of VMError where the compilers of Debian's and Temurin's libjvm put them on
// x86-64 (JDK 11 to 27, from the line to the number) and on aarch64 (JDK 21, from the number to the detail),
// and a VMError of JDK 8 on the stack. Their symbol tables have the offsets, vmError.hpp of JDK 8 the order.
func TestJVMErrorByShape(t *testing.T) {
	const message, file, said = rodataOf + 0x100, rodataOf + 0x300,
		"fatal error: OutOfMemory encountered: Java heap space"
	x86 := func(b bare, id uint64) {
		at := uint64(dataOf + 0x100) // of the detail
		b.words(at-0x38, 362, file)
		b.words(at-0x20, 1) // a flag
		b.text(at, "OutOfMemory encountered: Java heap space")
		b.words(at+1024, message, id)
		b.text(at+1024+0x20, "Core dump will be written.")
	}
	for _, c := range []struct {
		name string
		lay  func(b bare)
		want string // without the note
	}{
		{"x86-64", func(b bare) { x86(b, 0xe0000000) }, said + ", at debug.cpp:362"},
		{"x86-64, JDK 21", func(b bare) { x86(b, 0xe0000004) }, said + ", at debug.cpp:362"},
		{"no library", func(b bare) { x86(b, 0xe0000000); clear(b[rodataOf]) },
			"OutOfMemory encountered: Java heap space"},
		{"no detail", func(b bare) { x86(b, 0xe0000000); clear(b.at(dataOf + 0x100)[:1024]) },
			"fatal error, at debug.cpp:362"},
		{"a signal", func(b bare) { x86(b, 11) }, ""},
		{"a number alone", func(b bare) { b.words(dataOf+0x500, 0xe0000000) }, ""},
		{"the end of the data", func(b bare) { b.words(dataOf+0xff8, 0xe0000000<<32) }, ""},
		{"aarch64", func(b bare) {
			b.words(dataOf+0x800, 0xe0000004, 0, file, 271, message)
			b.text(dataOf+0x830, "OutOfMemory encountered: Java heap space")
			b.text(dataOf+0x30, "Core dump will be written.")
		}, said + ", at debug.cpp:271"},
		{"JDK 8", func(b bare) {
			b.words(stackOf+0x200, 0xe0000000, message, stackOf+0x400, tlsOf, 0, 0, 0, file, 308)
			b.text(stackOf+0x400, "OutOfMemory encountered: Java heap space")
		}, said + ", at debug.cpp:308"},
		{"JDK 8, by a signal", func(b bare) {
			b.words(stackOf+0x200, 0xe0000000, message, stackOf+0x400, tlsOf, 0, stackOf, stackOf, file, 308)
			b.text(stackOf+0x400, "x")
		}, ""},
	} {
		b := newBare()
		b.text(message, "fatal error")
		b.text(file, "./src/hotspot/share/utilities/debug.cpp")
		c.lay(b)
		p := coretest.New(core.AMD64).MapProt(rodataOf, b[rodataOf], core.Read).MapProt(dataOf, b[dataOf],
			core.Read|core.Write).
			MapProt(stackOf, b[stackOf], core.Read|core.Write).Process()
		want := c.want
		if want != "" {
			want = "fatal error of the JVM: " + want + " (" + jvmShaped + ")"
		}
		got, ok := jvmFinder{reader{p: p}}.jvmErrorByShape(&core.Module{Path: "/lib/libjvm.so", Start: rodataOf,
			End: dataOf + 0x1000}, &runtimes.Crash{Frames: []runtimes.CrashFrame{{SP: stackOf + 0x10}}})
		if s := got.String(); ok != (want != "") || ok && s != want {
			t.Errorf("%s: %q, %v, want %q", c.name, s, ok, want)
		}
	}
}
