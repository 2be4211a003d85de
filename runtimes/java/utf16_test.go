package java

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
)

// TestCharacters: strings of one and two bytes for a character, in both orders of bytes.
func TestCharacters(t *testing.T) {
	for _, c := range []struct {
		bytes string
		size  int
		order binary.ByteOrder
		want  string
	}{
		{"caf\xe9", 1, binary.LittleEndian, "café"},
		{"c\x00\xac\x20", 2, binary.LittleEndian, "c€"},
		{"\x00c\x20\xac", 2, binary.BigEndian, "c€"},
		{"\x3d\xd8\x00\xde!", 2, binary.LittleEndian, "😀"}, // half a character is left out
		{"\x3d\xd8", 2, binary.LittleEndian, "\xed\xa0\xbd"},
		{"", 2, binary.LittleEndian, ""},
	} {
		if got := Characters([]byte(c.bytes), c.size, c.order); got != c.want {
			t.Errorf("%q by %d: %q, want %q", c.bytes, c.size, got, c.want)
		}
	}
}

// TestReferences: what precedes a reference that cannot be read is kept.
func TestReferences(t *testing.T) {
	list := []core.Addr{8, 16, 0, 24}
	ref := func(i uint64) (core.Addr, bool) { return list[i], i != 3 }
	if got, ok := References(3, ref); !ok || !slices.Equal(got, list[:3]) {
		t.Errorf("%v %v", got, ok)
	}
	if got, ok := References(4, ref); ok || !slices.Equal(got, list[:3]) {
		t.Errorf("%v %v", got, ok)
	}
}
