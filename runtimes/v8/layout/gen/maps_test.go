package main

import (
	"encoding/binary"
	"testing"
)

// TestFindMaps: maps are found where the map of maps lies, by the words of both widths,
// and not where an object only refers to itself.
func TestFindMaps(t *testing.T) {
	const base, at, mapType, other = 0x7f0000080000, 0x48, 272, 129
	for _, width := range []int{4, 8} {
		l := mapLayout{size: width, typ: width + 4, kind: width + 7}
		data := make([]byte, 0x100)
		put := func(i int, w uint64) {
			if width == 4 {
				binary.LittleEndian.PutUint32(data[i:], uint32(w))
			} else {
				binary.LittleEndian.PutUint64(data[i:], w)
			}
		}
		put(0x10, base+0x10+1) // its own map, of no type
		for i, typ := range map[int]uint16{at: mapType, 0x90: other} {
			put(i, base+at+1)
			data[i+l.size], data[i+l.kind] = 9, 0x0c
			binary.LittleEndian.PutUint16(data[i+l.typ:], typ)
		}
		got := l.find(data, base, width, mapType, binary.LittleEndian)
		if len(got) != 2 || got[0] != (heapMap{at, 0x0c<<24 | 9<<16 | mapType}) ||
			got[1] != (heapMap{0x90, 0x0c<<24 | 9<<16 | other}) {
			t.Errorf("width %d: %x", width, got)
		}
		if got := l.find(data, base, width, mapType+1, binary.LittleEndian); got != nil {
			t.Errorf("width %d: a map of maps of another type: %x", width, got)
		}
		if got := l.find(data[:at+4], base, width, mapType, binary.LittleEndian); got != nil {
			t.Errorf("width %d: a map of maps that is cut: %x", width, got)
		}
	}
}
