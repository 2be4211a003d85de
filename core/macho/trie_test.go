package macho

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sampleTrie Exports _a at 0x10, _ab (weak) at 0x20, _abs with the absolute value
// 7, and re-exports _re as _other of the second library. An edge without text leads
// to the end of _a, as Apple's linker of 2020 wrote them.
func sampleTrie() []byte {
	return []byte("\x00\x02_a\x00\x0b_re\x00\x21" + // 0: two edges, to 11 and 33
		"\x00\x02\x00\x12b\x00\x16" + // 11: an empty edge to 18, "b" to 22
		"\x02\x00\x10\x00" + // 18: regular, 0x10
		"\x02\x04\x20\x01s\x00\x1d" + // 22: weak, 0x20, "s" to 29
		"\x02\x02\x07\x00" + // 29: absolute, 7
		"\x09\x08\x02_other\x00\x00") // 33: re-export
}

func list(t trie) (out []string, err error) {
	err = t.walk(func(e Export) bool {
		s := fmt.Sprintf("%s=%#x flags %#x", e.Name, e.Value, e.Flags)
		if e.Flags&ExportReexport != 0 {
			s = fmt.Sprintf("%s=%s of %d", e.Name, e.Imported, e.Library)
		}
		out = append(out, s)
		return true
	})
	return out, err
}

func TestTrie(t *testing.T) {
	want := []string{"_a=0x10 flags 0x0", "_ab=0x20 flags 0x4", "_abs=0x7 flags 0x2", "_re=_other of 2"}
	got, err := list(sampleTrie())
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	for name, found := range map[string]bool{"_a": true, "_ab": true, "_abs": true, "_re": true, "": false, "_": false,
		"_absx": false, "_b": false} {
		if e, ok := trie(sampleTrie()).find([]byte(name)); ok != found || ok && string(e.Name) != name {
			t.Errorf("find %q: %v %v", name, e, ok)
		}
	}
}

// TestTrieDamaged takes tries that lead back, out, or nowhere: what comes before
// the damage is kept, and the damage is reported.
func TestTrieDamaged(t *testing.T) {
	for _, c := range []struct {
		name, trie string
		exports    int
		err        string
	}{
		{"a cycle", "\x00\x01a\x00\x05\x02\x00\x10\x01b\x00\x00", 1, "leads to a node twice"},
		{"an edge to itself", "\x00\x01\x00\x00", 0, "leads to a node twice"},
		{"an edge out", "\x00\x02a\x00\x08b\x00\x7f\x02\x00\x10\x00", 1, "leads out of itself"},
		{"a size out", "\x7f\x00", 0, "leads out of itself"},
		{"more children than edges", "\x00\xffa\x00\x05\x02\x00\x10\x00", 1, "an edge that is cut off"},
		{"a symbol cut off", "\x01\x00\x00", 0, "a symbol that is cut off"},
		{"a number without end", strings.Repeat("\xff", 20), 0, "leads out of itself"},
		{"nothing", "", 0, ""},
	} {
		got, err := list(trie(c.trie))
		if len(got) != c.exports || (err == nil) != (c.err == "") ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		trie(c.trie).find([]byte("aaaaaaaa"))
	}
}

func FuzzTrie(f *testing.F) {
	f.Add(sampleTrie(), "_ab")
	f.Add([]byte("\x00\x01\x00\x00"), "a")
	f.Fuzz(func(t *testing.T, b []byte, name string) {
		n := 0
		_ = trie(b).walk(func(Export) bool { n++; return true })
		if n > len(b) {
			t.Errorf("%d exports in %d bytes", n, len(b))
		}
		trie(b).find([]byte(name))
	})
}

func TestFuncStarts(t *testing.T) {
	for _, c := range []struct {
		data string
		want []uint64
	}{
		{"\x10\x80\x01\x00\x05", []uint64{0x1010, 0x1090}},
		{"\x10\xff", []uint64{0x1010}},                                     // cut off
		{"\x10\xff\xff\x7f\x01", []uint64{0x1010}},                         // out of the segment
		{strings.Repeat("\xff", 12) + "\x01", nil},                         // too long a number
		{"\x10\xf8\xff\xff\xff\xff\xff\xff\xff\xff\x01", []uint64{0x1010}}, // backwards
	} {
		if got := funcStarts([]byte(c.data), 0x1000, 0x1000); !slices.Equal(got, c.want) {
			t.Errorf("%q: %#x, want %#x", c.data, got, c.want)
		}
	}
}

func FuzzFuncStarts(f *testing.F) {
	f.Add([]byte("\x10\x80\x01\x00\x05"), uint64(0x1000), uint64(0x1000))
	f.Add([]byte("\x01\x01"), ^uint64(0)-1, uint64(1<<40))
	f.Fuzz(func(t *testing.T, b []byte, at, size uint64) {
		last := uint64(0)
		for _, a := range funcStarts(b, at, size) {
			if a-at >= size || a-at <= last {
				t.Errorf("%#x after %#x in [%#x, +%#x)", a, at+last, at, size)
			}
			last = a - at
		}
	})
}
