package dwarf

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/dwarf/format"
)

// TestShaped resolves arrays that a descriptor of gfortran 12 describes: its words are an address
// at 0, the distance of elements in units of the word at 32, and bounds, as in its DWARF.
func TestShaped(t *testing.T) {
	const at, data, column = 0x2000, 0x3000, 0x4000
	object := []byte{format.OpPushObjectAddress}
	load := func(off byte) []byte {
		return append(append([]byte{}, object...), format.OpPlusUconst, off, format.OpDeref)
	}
	for _, c := range []struct {
		what       string
		descriptor []uint64
		dims       int
		column     bool
		want       string // elements by Index, or the error
		first      int64
	}{
		{what: "a row", descriptor: []uint64{data, 0, 1, 4, 5, 7}, dims: 1, want: "1 2 3", first: 5},
		{what: "every other one", descriptor: []uint64{data, 0, 1, 8, 1, 2}, dims: 1, want: "1 3", first: 1},
		{what: "backwards", descriptor: []uint64{data + 8, 0, 1, ^uint64(3), 1, 3}, dims: 1, want: "3 2 1", first: 1},
		{what: "no elements", descriptor: []uint64{data, 0, 1, 4, 1, 0}, dims: 1, want: "", first: 1},
		{what: "columns", descriptor: []uint64{column, 0, 1, 4, 1, 2, 8, 1, 3}, dims: 2, column: true,
			want: "[1 2] [3 4] [5 6]", first: 1},
		{what: "not allocated", descriptor: []uint64{0, 0, 0, 0, 0, 0}, dims: 1, want: "not allocated"},
		{what: "more than there can be", descriptor: []uint64{data, 0, 1, 4, 1, 1 << 62}, dims: 1,
			want: "unknown", first: 1},
		{what: "cut", descriptor: []uint64{data}, dims: 1, want: "not mapped"},
	} {
		m := newMade(5)
		m.entry("unit", format.TagCompileUnit, true, field{format.AtLanguage, format.FormData1, uint64(0x0e)})
		m.entry("int", format.TagBaseType, false, field{format.AtByteSize, format.FormData1, uint64(4)},
			field{format.AtEncoding, format.FormData1, uint64(EncSigned)})
		attrs := []field{{format.AtType, format.FormRef4, "int"},
			{format.AtDataLocation, format.FormExprloc, []byte{format.OpPushObjectAddress, format.OpDeref}},
			{format.AtAllocated, format.FormExprloc, []byte{format.OpPushObjectAddress, format.OpDeref, format.OpLit0,
				format.OpNe}}}
		if c.column {
			attrs = append(attrs, field{format.AtOrdering, format.FormData1, uint64(columnMajor)})
		}
		m.entry("array", format.TagArrayType, true, attrs...)
		for i := range c.dims {
			off := byte(24 + 24*i)
			m.entry("dim"+string(rune('0'+i)), format.TagSubrangeType, false,
				field{format.AtByteStride, format.FormExprloc, load(off)},
				field{format.AtLowerBound, format.FormExprloc, load(off + 8)},
				field{format.AtUpperBound, format.FormExprloc, load(off + 16)})
		}
		m.end()
		m.end()
		d, err := Open(m.image(), binary.LittleEndian, nil)
		if err != nil {
			t.Fatal(err)
		}
		ints := func(n ...uint32) (b []byte) {
			for _, x := range n {
				b = binary.LittleEndian.AppendUint32(b, x)
			}
			return b
		}
		p := coretest.New(core.AMD64).Words(at, c.descriptor...).Map(data, ints(1, 2, 3)).Map(column,
			ints(1, 2, 3, 4, 5, 6)).Process()
		f := &Frame{Arch: core.AMD64, Mem: p.Space, Regs: &core.Regs{}, Data: d}
		v := f.At(d.own.typeAt(format.Offset(m.labels["array"])), at)
		got, err := elements(v)
		if err != nil {
			got = err.Error()
			if errors.Is(err, ErrNotAllocated) != (c.want == "not allocated") {
				t.Errorf("%s: %v", c.what, err)
			}
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		if err == nil && v.First() != c.first {
			t.Errorf("%s begins with element %d, want %d", c.what, v.First(), c.first)
		}
	}
}

// elements returns the numbers of an array. Rows are in brackets.
func elements(v Value) (string, error) {
	v, err := v.Shaped()
	if err != nil {
		return "", err
	}
	if v.Len() < 0 {
		return "unknown", nil
	}
	var list []string
	for i := range v.Len() {
		x, err := v.Index(i)
		if err != nil {
			return "", err
		}
		if x.Type.Kind == Array {
			row, err := elements(x)
			if err != nil {
				return "", err
			}
			list = append(list, "["+row+"]")
			continue
		}
		n, err := x.Big(true)
		if err != nil {
			return "", err
		}
		list = append(list, n.String())
	}
	return strings.Join(list, " "), nil
}
