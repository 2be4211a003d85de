package embedded

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"coredbg/core"
)

// TestDescription: builtins are known by their description: over a thousand entries whose
// instructions do not overlap and whose metadata is in order.
func TestDescription(t *testing.T) {
	const at, n = core.Addr(0x10000), FewestBuiltins + 10
	le := binary.LittleEndian
	size := func(change func(i int, e []byte)) core.Addr {
		b := make([]byte, (n+4)*reordered)
		for i := range n {
			e := b[i*reordered:]
			le.PutUint32(e, uint32((n-1-i)*128)) // the order of the code is another
			le.PutUint32(e[4:], 100)
			le.PutUint32(e[8:], uint32(16*i))
			change(i, e)
		}
		le.PutUint32(b[n*reordered:], 7) // what follows is none
		s := core.NewSpace([]core.Segment{{Start: at, End: at + core.Addr(len(b)), Kind: core.SegCore, Prot: core.Read,
			Src: core.Bytes(b)}}, nil)
		if !beginsBuiltins(le, b, reordered, false) {
			return 0
		}
		d, _ := describe(s, le, at, reordered, 0)
		return d.size
	}
	if got := size(func(int, []byte) {}); got != (n-1)*128+100 {
		t.Errorf("the code has %d bytes", got)
	}
	for name, change := range map[string]func(int, []byte){
		"unaligned":         func(i int, e []byte) { le.PutUint32(e, le.Uint32(e)+uint32(i%2)*4) },
		"empty":             func(i int, e []byte) { le.PutUint32(e[4:], 0) },
		"huge":              func(i int, e []byte) { le.PutUint32(e[4:], maxBuiltin+1) },
		"metadata backward": func(i int, e []byte) { le.PutUint32(e[8:], uint32(16*(n-i))) },
		"overlapping":       func(i int, e []byte) { le.PutUint32(e, 0) },
		"sparse":            func(i int, e []byte) { le.PutUint32(e, le.Uint32(e)*64) },
		"few": func(i int, e []byte) {
			if i == 500 {
				le.PutUint32(e, 3)
			}
		},
	} {
		if got := size(change); got != 0 {
			t.Errorf("%s: the code has %d bytes", name, got)
		}
	}
}

// TestCalled: an isolate has the addresses of over a thousand builtins in a row, whose last
// one ends at padding.
func TestCalled(t *testing.T) {
	const text, isolateAt, n = core.Addr(0x55de_974a_d000), core.Addr(0x72c0_0051_0000), FewestBuiltins + 5
	le := binary.LittleEndian
	code := make([]byte, 0x40000)
	copy(code[(n-1)*64+40:], "\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc")
	isolate := make([]byte, 0x8000)
	find := func() (area, int) {
		space := core.NewSpace([]core.Segment{
			{Start: text, End: text + core.Addr(len(code)), Kind: core.SegCore, Prot: core.Read | core.Exec,
				Src: core.Bytes(code)},
			{Start: isolateAt, End: isolateAt + core.Addr(len(isolate)), Kind: core.SegCore,
				Prot: core.Read | core.Write, Src: core.Bytes(isolate)},
		}, nil)
		start, end, starts := called(&core.Process{Arch: core.AMD64, Space: space}, &core.Module{}, 0)
		return area{start, end}, len(starts)
	}
	for i := range n {
		le.PutUint64(isolate[0x500+8*i:], uint64(text)+uint64((n-1-i)*64))
	}
	if got, count := find(); count != n || got != (area{text, text + (n-1)*64 + 40}) {
		t.Errorf("%d builtins are at %+v", count, got)
	}
	le.PutUint64(isolate[0x500+8*500:], uint64(isolateAt))
	if got, count := find(); count != 0 {
		t.Errorf("with data among them builtins are at %+v", got)
	}
}

// TestPadding: the builtins of a text are where padding ends all of them.
func TestPadding(t *testing.T) {
	text := []byte{1, 2, 3, 0xcc, 5, 6, 0xcc, 0xcc}
	for _, c := range []struct {
		gaps []gap
		want bool
	}{
		{[]gap{{3, 4}, {6, 8}}, true}, {[]gap{{3, 5}}, false}, {[]gap{{5, 8}}, false}, {nil, true},
	} {
		if got := hasPadding(text, c.gaps); got != c.want {
			t.Errorf("%v: %v", c.gaps, got)
		}
	}
}

// A made is an image with builtins.
type made struct {
	text, constants, variables []byte
	names                      []string
	starts                     []core.Addr
}

const (
	madeText      = core.Addr(0x40_0000)
	madeConstants = core.Addr(0x80_0000)
	madeVariables = core.Addr(0xc0_0000)
	madeCode      = 0x2000 // of the text
	madeBuiltins  = FewestBuiltins + 20
	madeMetadata  = 0x20040 // of the constants
)

// make lays out builtins whose description has entries of width bytes; with 8 the code comes after it.
func makeImage(width int) *made {
	le := binary.LittleEndian
	m := &made{text: make([]byte, 0x40000), constants: make([]byte, 0x40000), variables: make([]byte, 0x1000),
		names: make([]string, madeBuiltins), starts: make([]core.Addr, madeBuiltins)}
	description, code := m.constants[0x100:], madeText+madeCode
	if width == smallEntry {
		description = m.text[0x100:]
		code = (madeText + 0x100 + madeBuiltins*smallEntry).Align(builtinAlign)
	}
	text := m.text[code-madeText:]
	name := 0x10000
	for at, k := 0, 0; k < madeBuiltins; k++ {
		i, n := k, 40+k*k*7%100
		if width == reordered {
			i = madeBuiltins - 1 - k
		}
		e := description[i*width:]
		le.PutUint32(e, uint32(at))
		le.PutUint32(e[4:], uint32(n))
		if width == reordered {
			le.PutUint32(e[8:], uint32(8*i))
		}
		m.starts[i] = code + core.Addr(at)
		for at += n; at%64 != 0; at++ {
			text[at] = paddingByte
		}
		if m.names[i] = fmt.Sprintf("Builtin_%d", i); i == 7 {
			m.names[i] = wellKnown
		}
		le.PutUint64(m.constants[madeMetadata+metadataEntry*i:], uint64(madeConstants)+uint64(name))
		le.PutUint32(m.constants[madeMetadata+metadataEntry*i+8:], uint32(i%9))
		name += copy(m.constants[name:], m.names[i]) + 1
	}
	le.PutUint64(m.variables[0x108:], uint64(code))
	le.PutUint64(m.variables[0x110:], uint64(madeConstants+0x100-mostHashes))
	return m
}

// A madeFile is an image's file by its segments.
type madeFile []core.ImageSegment

func (madeFile) Path() string                                    { return "" }
func (madeFile) Section(string) (core.Section, error)            { return core.Section{}, core.ErrNoSection }
func (f madeFile) Segments() []core.ImageSegment                 { return f }
func (madeFile) Symbols(bool, func(core.ImageSymbol) bool) error { return nil }

func (m *made) process() (*core.Process, *core.Module) {
	var file madeFile
	var segments []core.Segment
	for _, s := range []struct {
		at   core.Addr
		data []byte
		prot core.Prot
	}{{madeText, m.text, core.Read | core.Exec}, {madeConstants, m.constants, core.Read},
		{madeVariables, m.variables, core.Read | core.Write}} {
		n := uint64(len(s.data))
		file = append(file, core.ImageSegment{Addr: uint64(s.at), FileSize: n, MemSize: n, Prot: s.prot})
		segments = append(segments, core.Segment{Start: s.at, End: s.at + core.Addr(n), Kind: core.SegCore,
			Prot: s.prot, Src: core.Bytes(s.data)})
	}
	module := core.NewModule(core.Module{Path: "/usr/bin/app", Exe: true, Start: madeText, End: madeVariables + 0x1000},
		func(*core.Module) core.ModuleFacts { return core.ModuleFacts{Image: file, BiasKnown: true} })
	return &core.Process{Arch: core.AMD64, Space: core.NewSpace(segments, nil), Modules: []*core.Module{module}}, module
}

func (m *made) find() *Builtins { return Find(m.process()) }

// TestFind: builtins have the names of the image's own table at the places that its description says.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		name          string
		width         int
		change        func(*made)
		names, starts bool
	}{
		{"of V8 8.4, before their code", 8, nil, true, true},
		{"of V8 9.4", 16, nil, true, true},
		{"of V8 10.2", 28, nil, true, true},
		{"of V8 11.3", 32, nil, true, true},
		{"in another order", 12, nil, true, true},
		{"without variables", 12, func(m *made) { clear(m.variables) }, true, true},
		{"a variable of other code", 16, func(m *made) {
			binary.LittleEndian.PutUint64(m.variables[0x100:], uint64(madeText+0x400))
		}, true, true},
		{"the padding is other bytes", 16, func(m *made) { clear(m.text) }, true, false},
		{"no description", 16, func(m *made) { clear(m.constants[:0x8000]) }, true, false},
		{"no text of a name", 12, func(m *made) { clear(m.constants[0x10000:0x20000]) }, false, false},
		{"a name twice", 12, func(m *made) {
			copy(m.constants[madeMetadata:madeMetadata+8], m.constants[madeMetadata+metadataEntry:])
		}, false, false},
		{"a kind that none is", 12, func(m *made) { m.constants[madeMetadata+metadataEntry*500+8] = maxKind }, false,
			false},
		{"a name with a space", 12, func(m *made) { m.constants[0x10000+6000] = ' ' }, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := makeImage(c.width)
			if c.change != nil {
				c.change(m)
			}
			b := m.find()
			if got := slices.Equal(b.Names, m.names); got != c.names {
				t.Errorf("%d names, want %d: %v", len(b.Names), len(m.names), got)
			}
			if got := slices.Equal(b.Starts, m.starts); got != c.starts {
				t.Errorf("%d starts, want %d: %v", len(b.Starts), len(m.starts), got)
			}
			for i, at := range m.starts {
				if name, off := b.At(at + 30); c.starts && (name != m.names[i] || off != 30) {
					t.Fatalf("%v is %s+%d, want %s+30", at+30, name, off, m.names[i])
				}
			}
			for _, at := range []core.Addr{b.Start - 1, b.End} {
				if name, _ := b.At(at); name != "" {
					t.Errorf("%v is in %s", at, name)
				}
			}
		})
	}
}

// FuzzFind: for any contents of an image, the results are inside it, and the search ends.
func FuzzFind(f *testing.F) {
	f.Add(12, []byte{1}, uint32(madeMetadata))
	f.Add(8, []byte{0xff, 0xff}, uint32(0x104))
	f.Fuzz(func(t *testing.T, width int, data []byte, at uint32) {
		switch width {
		case smallEntry, reordered, 16, 28, largeEntry:
		default:
			return
		}
		m := makeImage(width)
		for _, part := range [][]byte{m.text, m.constants, m.variables} {
			copy(part[int(at)%len(part):], data)
		}
		b := m.find()
		for i := range b.Starts {
			if name, _ := b.At(b.Starts[i]); b.Starts[i] < b.End && name == "" {
				t.Errorf("a builtin at %v has no name", b.Starts[i])
			}
		}
	})
}
