package fit

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestThreeRows finds the table of the sizes of bytecodes in bytes and in ints.
func TestThreeRows(t *testing.T) {
	var table []byte
	for _, row := range [][]byte{firstSizes[0], append([]byte{1, 1, 1, 1, 1}, firstSizes[1]...),
		append([]byte{1, 1, 1, 1, 1}, firstSizes[2]...)} {
		table = append(append(table, row...), 2)
	}
	other := append(bytes.Clone(table), 9, 9)
	var wide []byte
	for _, b := range other {
		wide = binary.LittleEndian.AppendUint32(wide, uint32(b))
	}
	for name, c := range map[string]struct {
		data []byte
		want []byte
	}{
		"bytes":        {other, table},
		"ints":         {narrow(wide, 4, binary.LittleEndian), table},
		"cut":          {table[:len(table)-3], nil},
		"large ints":   {narrow(bytes.Repeat([]byte{1, 1, 1, 1}, 100), 4, binary.LittleEndian), nil},
		"another last": {append(bytes.Clone(table[:2*len(table)/3]), make([]byte, 12)...), nil},
		"nothing":      {nil, nil},
	} {
		if got := threeRows(c.data); !bytes.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
