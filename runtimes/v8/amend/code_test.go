package amend

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestCode: where machine code lies is found by the objects that come one after the other on its pages, by
// the fields that other versions have; what fits stays, and without such objects nothing changes.
func TestCode(t *testing.T) {
	const page = core.Addr(0x600000044000)
	for _, c := range []struct {
		name       string
		body, size int // what the layout has, Unknown where it is right
		objects    int
		found      bool
	}{
		{"as it is", layout.Unknown, layout.Unknown, 6, true},
		{"with less of a header", 16, layout.Unknown, 6, true},
		{"with more of one", 64, 24, 6, true},
		{"too few", 16, layout.Unknown, 1, false},
		{"none", 64, 24, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := v8test.NewHeap(t, layout.V(13, 6))
			tables, err := layout.Tables(layout.Variant{TaggedSize: 8}, layout.V(13, 6))
			if err != nil {
				t.Fatal(err)
			}
			right := layout.New(layout.V(13, 6), layout.Constants{Values: tables[0].Constants, Table: tables[0]}).Code
			streams, free := uint64(h.MapOf("INSTRUCTION_STREAM")), uint64(h.MapOf("FIXED_ARRAY"))
			data, at := make([]byte, 0x3b000), 0x60 // so that instructions are aligned
			for i := range c.objects {
				const instructions, metadata = 0xa0, 0x14
				code := make([]uint64, 12)
				o := h.Object("CODE", code...)
				h.Put32(o.Addr().Add(int64(right.InstructionSize)), uint32(instructions))
				h.Put32(o.Addr().Add(int64(right.InstructionSize+4)), uint32(metadata+i))
				copy(data[at:], v8test.Words(streams, uint64(o), 0, instructions+metadata+uint64(i)))
				at += (right.Body + instructions + metadata + i + 63) &^ 63
				copy(data[at:], v8test.Words(free))
			}
			h.Build.MapProt(page, data, core.Read|core.Exec)
			v := buildOf(h, nil)
			v.Image.Constants.Table = tables[0]
			v.Layout.Code = right
			if c.body != layout.Unknown {
				v.Layout.Code.Body = c.body
			}
			if c.size != layout.Unknown {
				v.Layout.Code.FromBody, v.Layout.Code.InstructionSize = layout.Unknown, c.size
			}
			was := v.Layout.Code
			v.Code()
			switch {
			case c.found && v.Layout.Code != right:
				t.Errorf("found %+v, want %+v", v.Layout.Code, right)
			case !c.found && v.Layout.Code != was:
				t.Errorf("was %+v, is %+v", was, v.Layout.Code)
			case c.found && len(v.Codes()) != c.objects:
				t.Errorf("%d objects, want %d", len(v.Codes()), c.objects)
			}
		})
	}
}

// TestCodeFlags: Codes that contain their instructions have the flags after the sizes; until V8 8.7 there is
// only one size. If no such Code is seen, nothing changes.
func TestCodeFlags(t *testing.T) {
	const page = core.Addr(0x600000340000)
	for _, c := range []struct {
		version layout.Version
		objects int
		want    int // bytes after the size
	}{
		{layout.V(8, 4), 6, 4},
		{layout.V(9, 2), 6, 8},
		{layout.V(9, 2), 0, -4},
	} {
		h := v8test.NewHeap(t, c.version)
		l := layout.New(c.version, layout.Constants{}).Code
		codes, free := uint64(h.MapOf("CODE")), uint64(h.MapOf("FIXED_ARRAY"))
		data, at := make([]byte, 0x3b000), 0x40
		for range c.objects {
			const size = 0x80
			copy(data[at:], v8test.Words(codes))
			binary.LittleEndian.PutUint32(data[at+l.InstructionSize:], size)
			at += l.Body + size
			copy(data[at:], v8test.Words(free))
		}
		h.Build.MapProt(page, data, core.Read|core.Exec)
		v := buildOf(h, nil)
		v.Layout.Code = l
		v.Image.Constants.Table = &layout.Table{}
		v.Layout.Code.Flags = l.InstructionSize - 4
		v.Code()
		if got := v.Layout.Code.Flags; got != l.InstructionSize+c.want {
			t.Errorf("%v, %d objects: flags at %d, the size at %d", c.version, c.objects, got, l.InstructionSize)
		}
	}
}
