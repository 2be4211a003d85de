package sym

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"coredbg/core"
)

// symbolsOf makes symbols of bytes, 8 for each.
func symbolsOf(data []byte) []core.ImageSymbol {
	var out []core.ImageSymbol
	for ; len(data) >= 8; data = data[8:] {
		out = append(out, core.ImageSymbol{
			Name: data[5:8], Value: uint64(binary.LittleEndian.Uint16(data)),
			Size: uint64(data[2]) | uint64(data[3]&1)<<63, Kind: core.SymKind(data[4] & 3),
			Global: data[4]&4 != 0, Defined: data[4]&8 == 0, Section: uint32(data[4]>>4) + 1,
		})
	}
	return out
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("\x10\x00\x20\x00\x05abc\x18\x00\x04\x00\x05abd\x18\x00\x00\x00\x05abe"))
	f.Add([]byte("\x10\x00\x20\x01\x01$xa\x10\x00\x00\x00\x00$x.\x40\x00\x00\x00\x05f@V"))
	rng := rand.New(rand.NewPCG(1, 1))
	for range 4 {
		b := make([]byte, 800)
		for i := range b {
			b[i] = byte(rng.Uint32() & 0x3f)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		img := &fake{static: symbolsOf(data)}
		p, _ := process(img, 0)
		tab := NewTable(p)
		x := tab.module(p.Modules[0]).index()
		for i := 1; i < x.placed; i++ {
			if x.syms[i-1].addr > x.syms[i].addr {
				t.Fatalf("symbol %d is out of order", i)
			}
		}
		for a := uint64(0); a < 0x10000; a += 7 {
			got := x.lookup(a)
			if got != nil && (a < got.addr || a-got.addr >= got.size) {
				t.Fatalf("%#x: %q at %#x, %d bytes", a, got.name, got.addr, got.size)
			}
			if want := naive(x, a); want != nil && got != want {
				t.Fatalf("%#x: got %+v, want %+v", a, got, want)
			}
		}
		for i := range x.syms {
			if tab.module(p.Modules[0]).names().find(string(x.syms[i].name)) == nil {
				t.Fatalf("%q is not found", x.syms[i].name)
			}
			tab.Find("", string(x.syms[i].name))
		}
	})
}

// naive returns the symbol that starts nearest before a, among the symbols with a known size that cover
// it.
func naive(x *index, a uint64) *entry {
	var best *entry
	for i := range x.syms[:x.placed] {
		e := &x.syms[i]
		if !e.guessed && e.addr <= a && a-e.addr < e.size && (best == nil || e.addr > best.addr) {
			best = e
		}
	}
	return best
}

// sections is an image of named sections alone.
type sections struct {
	fake
	data map[string][]byte
}

func (s *sections) Section(name string) (core.Section, error) {
	if d, ok := s.data[name]; ok {
		return core.Section{Name: name, Data: d}, nil
	}
	return core.Section{}, core.ErrNoSection
}

// fuzzedSections are the sections in FuzzLines' input, each after its length in two bytes.
var fuzzedSections = []string{".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_line_str",
	".debug_rnglists", ".debug_ranges"}

func unpackSections(data []byte) *sections {
	s := &sections{data: map[string][]byte{}}
	for _, name := range fuzzedSections {
		if len(data) < 2 {
			break
		}
		n := min(int(binary.LittleEndian.Uint16(data)), len(data)-2)
		s.data[name] = bytes.Clone(data[2 : 2+n])
		data = data[2+n:]
	}
	return s
}

// FuzzLines has the DWARF of a program of two functions, one inlined, by gcc
// 12 (versions 4 and 5) among its seeds, which testdata/fuzz holds.
func FuzzLines(f *testing.F) {
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		p, m := process(unpackSections(data), 0)
		tab := NewTable(p, &oneFile{path: "/nowhere"})
		for a := core.Addr(0); a < 0x2000; a += 3 {
			for _, l := range tab.Lines(a) {
				if l.Line < 0 || l.Column < 0 {
					t.Fatalf("%v: %+v", a, l)
				}
			}
		}
		tab.LinesError(m)
	})
}

// FuzzDebugFiles opens an image's link to its debug file, and the image that is in its .gnu_debugdata.
// The seed in testdata/fuzz is a program of one function.
func FuzzDebugFiles(f *testing.F) {
	f.Add([]byte("a.debug\x00\x12\x34\x56\x78"), []byte("\xfd7zXZ\x00"), false)
	f.Add([]byte("a.debug"), []byte{}, true)
	f.Fuzz(func(t *testing.T, link, data []byte, big bool) {
		var order binary.ByteOrder = binary.LittleEndian
		if big {
			order = binary.BigEndian
		}
		img := &sections{data: map[string][]byte{".gnu_debuglink": link, ".gnu_debugdata": data}}
		if name, _ := debugLink(img, order); len(name) > len(link) || bytes.IndexByte([]byte(name), 0) >= 0 {
			t.Fatalf("the link is %q", name)
		}
		mini, err := openDebugData(img)
		if mini == nil || err != nil {
			return
		}
		p, _ := process(mini, 0)
		tab := NewTable(p)
		for a := core.Addr(0); a < 0x2000; a += 0x40 {
			tab.Lookup(a)
		}
	})
}
