package amend

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestCode: where machine code lies is found by the objects that come one after the other on its pages, by the fields that
// other versions have; what fits stays, and without such objects nothing changes.
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
