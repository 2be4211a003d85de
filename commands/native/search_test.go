package native

import (
	"encoding/binary"
	"io"
	"slices"
	"testing"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
)

func sessionOf(p *core.Process) *commands.Session {
	s := commands.NewSession(p, commands.NewRegistry(Commands()), io.Discard, io.Discard)
	s.Symbols = sym.NewTable(p)
	return s
}

func TestThreadAt(t *testing.T) {
	p := coretest.New(core.AMD64).Thread(4711, nil).Thread(0x4712, nil).Process()
	for _, c := range []struct {
		in   core.Addr
		want int
	}{{4711, 4711}, {0x4711, 4711}, {0x4712, 0x4712}, {0x4713, 0}, {0xabc, 0}} {
		got := 0
		if th := commands.ThreadAt(p, c.in); th != nil {
			got = th.TID
		}
		if got != c.want {
			t.Errorf("%v: thread %d, want %d", c.in, got, c.want)
		}
	}
}

func TestSearchOrderAndBorders(t *testing.T) {
	data := make([]byte, searchStep+64)
	for _, at := range []int{0, 8, searchStep - 8, searchStep, searchStep + 8} {
		binary.LittleEndian.PutUint64(data[at:], 0xfeed0000)
	}
	copy(data[searchStep-3:], "needle") // crosses the border of two chunks
	p := coretest.New(core.AMD64).Map(0x10000, data).Process()
	var words []core.Addr
	err := search(t.Context(), p, chunks(p, 0, true), func(b []byte, c chunk) []wordHit {
		return findWords(b, c.start, p.Arch, 0xfeed0000, 0, ^uint64(0))
	}, func(h wordHit) error { words = append(words, h.at); return nil })
	want := []core.Addr{0x10000, 0x10008, 0x10008 + searchStep}
	if err != nil || len(words) != len(want) {
		t.Fatalf("hits %v, %v, want %v", words, err, want)
	}
	for i := range want {
		if words[i] != want[i] {
			t.Errorf("hit %d at %v, want %v", i, words[i], want[i])
		}
	}
	n := 0
	err = search(t.Context(), p, chunks(p, 16, true),
		func(b []byte, c chunk) []int { return findText(b, c.size, []byte("needle"), false) },
		func(int) error { n++; return nil })
	if err != nil || n != 1 {
		t.Errorf("%d needles, %v", n, err)
	}
}

// TestFindTextFolded: letters outside of ASCII are searched for as they were typed, as grep -i
// does in the C locale. In lower case U+00C4 is other bytes, and U+023A is more of them.
func TestFindTextFolded(t *testing.T) {
	for _, c := range []struct {
		memory, text string
		fold         bool
		want         []int
	}{
		{"a Needle", "nEEDLE", true, []int{2}},
		{"a Needle", "nEEDLE", false, nil},
		{"\u00c4rger", "\u00c4RGER", true, []int{0}},
		{"x\u023aY x\u023ay", "\u023ay", true, []int{1, 6}},
		{"\xff\xfeA", "\xfea", true, []int{1}},
	} {
		if got := findText([]byte(c.memory), len(c.memory), []byte(c.text), c.fold); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.text, c.memory, got, c.want)
		}
	}
}
