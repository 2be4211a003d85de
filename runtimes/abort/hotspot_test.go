package abort

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
)

// TestJVMError: members of VMError as HotSpot 17 and 25 have them, and the words of its own report for
// them ("Internal Error (debug.cpp:362)", "fatal error: OutOfMemory encountered: Java heap space").
func TestJVMError(t *testing.T) {
	const id, message, detail, file, line = dataOf, dataOf + 0x10, dataOf + 0x100, dataOf + 0x20, dataOf + 0x30
	names := map[string]core.Addr{"_ZN7VMError3_idE": id, "_ZN7VMError8_messageE": message, "_ZN7VMError11_detail_msgE": detail,
		"_ZN7VMError9_filenameE": file, "_ZN7VMError7_linenoE": line}
	for _, c := range []struct {
		name, message, detail string
		id                    uint32
		without               string // a symbol
		want                  string
	}{
		{"a full heap", "fatal error", "OutOfMemory encountered: Java heap space", 0xe0000000, "",
			"fatal error of the JVM: fatal error: OutOfMemory encountered: Java heap space, at debug.cpp:362"},
		{"a check that failed", "guarantee(n > 0) failed", "", 0xe0000000, "", "fatal error of the JVM: guarantee(n > 0) failed, at debug.cpp:362"},
		{"no native memory", "", "Chunk::new", 0xe0000001, "", "fatal error of the JVM out of memory: Chunk::new, at debug.cpp:362"},
		{"a place that is not known", "fatal error", "x", 0xe0000000, "_ZN7VMError7_linenoE", "fatal error of the JVM: fatal error: x"},
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
		p := coretest.New(core.AMD64).MapProt(rodataOf, b[rodataOf], core.Read).MapProt(dataOf, b[dataOf], core.Read|core.Write).Process()
		got, ok := finder{p, sym.NewTable(p)}.jvmError(func(name string) (core.Addr, bool) {
			at, ok := names[name]
			return at, ok && name != c.without
		})
		if s := got.String(); ok != (c.want != "") || ok && s != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, s, ok, c.want)
		}
	}
}
