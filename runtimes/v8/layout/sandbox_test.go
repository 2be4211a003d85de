package layout

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
)

// windowed is a core.Source over bytes.
type windowed struct{ *bytes.Reader }

func (w windowed) Close() error { return nil }

func (w windowed) Window(off int64) ([]byte, error) {
	b := make([]byte, w.Size()-off)
	n, err := w.ReadAt(b, off)
	return b[:n], err
}

// TestSandboxFields: the values of fields with the sandbox and without; the shifts come from
// include/v8-internal.h.
func TestSandboxFields(t *testing.T) {
	const main, trusted, at = core.Addr(0x1e08_0000_0000), core.Addr(0x3fa8_0000_0000), core.Addr(0x3fa8_0000_1000)
	le := binary.LittleEndian
	b := make([]byte, 64)
	le.PutUint64(b[8:], 0x2_0000_4000<<24) // of the bytes of a buffer
	le.PutUint64(b[16:], 3<<29)            // how many
	le.PutUint32(b[24:], 5<<9)             // a trusted pointer
	le.PutUint32(b[28:], 0x1041)           // a protected one
	le.PutUint32(b[32:], 7<<6)             // of an external string
	mem := &Memory{Order: le, Layout: &Layout{Variant: Variant{TaggedSize: 4}},
		Space: core.NewSpace([]core.Segment{{Start: at, End: at + 64, Kind: core.SegCore, Prot: core.Read,
			Src: windowed{bytes.NewReader(b)}}}, nil)}
	mem.Cage = func(core.Addr) core.Addr { return main }
	o := Tag(at)
	if w, ok := mem.SandboxedField(o, 8); !ok || w != 0x2_0000_4000<<24 {
		t.Errorf("without the sandbox an address is %v, %v", w, ok)
	}
	if n, ok := mem.SizeField(o, 16); !ok || n != 3<<29 {
		t.Errorf("without the sandbox a size is %#x, %v", n, ok)
	}
	if p, ok := mem.ProtectedField(o, 28); !ok || p != Tagged(main)|0x1041 {
		t.Errorf("without the sandbox a protected field is %v, %v", core.Addr(p), ok)
	}
	if mem.OwnHandle() != 0 {
		t.Error("without the sandbox trusted objects have handles")
	}
	mem.Sandbox = &Sandbox{Base: main, TrustedCage: trusted,
		Trusted: func(in Tagged, h uint32) (Tagged, bool) {
			return Tagged(trusted) | 0x2001,
				in == o && h == 5<<9
		},
		StringResource: func(in Tagged, h uint32) (core.Addr, bool) { return 0x7777, in == o && h == 7<<6 }}
	if w, ok := mem.SandboxedField(o, 8); !ok || w != main+0x2_0000_4000 {
		t.Errorf("an address is %v, %v", w, ok)
	}
	if n, ok := mem.SizeField(o, 16); !ok || n != 3 {
		t.Errorf("a size is %#x, %v", n, ok)
	}
	if p, ok := mem.ProtectedField(o, 28); !ok || p != Tagged(trusted)|0x1041 {
		t.Errorf("a protected field is %v, %v", core.Addr(p), ok)
	}
	if p, ok := mem.TrustedField(o, 24); !ok || p != Tagged(trusted)|0x2001 {
		t.Errorf("a trusted field is %v, %v", core.Addr(p), ok)
	}
	if a, ok := mem.StringField(o, 32); !ok || a != 0x7777 {
		t.Errorf("a string's resource is %v, %v", a, ok)
	}
	if _, ok := mem.StringField(o, 60+8); ok {
		t.Error("a field beyond memory was read")
	}
	if p, ok := mem.ProtectedField(o, 28); !ok || p != Tagged(trusted)|0x1041 {
		t.Errorf("a protected field is %v, %v", core.Addr(p), ok)
	}
	mem.Sandbox.Main = map[TypeField]bool{{7, 28}: true}
	if p := mem.Protected(TypeField{7, 28}, Tagged(main)|0x1041); p != Tagged(main)|0x1041 {
		t.Errorf("a field that leads to the main cage is %v", core.Addr(p))
	}
	if p := mem.Protected(TypeField{7, 32}, Tagged(main)|0x1041); p != Tagged(trusted)|0x1041 {
		t.Errorf("one that does not is %v", core.Addr(p))
	}
	mem.Sandbox.Base = at &^ (CageSize - 1)
	if p, ok := mem.ProtectedField(o, 28); !ok || p != Tagged(main)|0x1041 {
		t.Errorf("a field of an object of the main cage is %v, %v", core.Addr(p), ok)
	}
	mem.Sandbox.Base = main
	mem.Sandbox.StringResource = nil
	if _, ok := mem.StringField(o, 32); ok {
		t.Error("a string's resource was found without the table")
	}
	if mem.OwnHandle() != 4 {
		t.Error("trusted objects have no handles")
	}
}

// TestExternalPointers: an address is yielded unchanged. A handle is looked up in each table near the table of
// trusted pointers, with its entry's tag above or below.
func TestExternalPointers(t *testing.T) {
	const at, isolate, table = core.Addr(0x10000), core.Addr(0x20000), core.Addr(0x40000000)
	le := binary.LittleEndian
	b, iso, entries := make([]byte, 64), make([]byte, 0x400), make([]byte, 0x100)
	le.PutUint64(b[4:], 0x7f0012345678) // an address
	le.PutUint32(b[16:], 3<<6)          // a handle
	le.PutUint64(iso[0x80:], 0x777)     // not a table
	le.PutUint64(iso[0xc0:], uint64(table))
	le.PutUint64(entries[3*8:], 0x8123<<48|0x7f00aaaabbb8)
	seg := func(start core.Addr, b []byte) core.Segment {
		return core.Segment{Start: start, End: start + core.Addr(len(b)), Kind: core.SegCore, Prot: core.Read,
			Src: windowed{bytes.NewReader(b)}}
	}
	mem := &Memory{Order: le, Layout: &Layout{Variant: Variant{TaggedSize: 4}},
		Space: core.NewSpace([]core.Segment{seg(at, b), seg(isolate, iso), seg(table, entries)}, nil)}
	o := Tag(at)
	if got := slices.Collect(mem.ExternalPointers(o, 4)); !slices.Equal(got, []core.Addr{0x7f0012345678}) {
		t.Errorf("without the sandbox: %v", got)
	}
	mem.Early.Tables = []core.Addr{table}
	if got := slices.Collect(mem.ExternalPointers(o, 16)); !slices.Contains(got, 0x7f00aaaabbb8) {
		t.Errorf("before the sandbox had trusted objects, a handle stands for %v", got)
	}
	mem.Early.Tables = nil
	mem.Sandbox = &Sandbox{TrustedAt: func(in Tagged) []core.Addr { return []core.Addr{isolate + 0x200} }}
	got := slices.Collect(mem.ExternalPointers(o, 16))
	if !slices.Contains(got, 0x7f00aaaabbb8) || !slices.Contains(got, 0x81237f00aaaa) {
		t.Errorf("a handle stands for %v", got)
	}
	for range mem.ExternalPointers(o, 16) {
		break // must not go on
	}
	if got := slices.Collect(mem.ExternalPointers(o, 40)); len(got) != 0 {
		t.Errorf("no handle stands for %v", got)
	}
	if got := slices.Collect(mem.ExternalPointers(o, 72)); len(got) != 0 {
		t.Errorf("a field beyond memory stands for %v", got)
	}
}
