package heap

import (
	"encoding/binary"
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestMapSize: maps of no fixed size have four fields more where their bit says so, or as
// many as there are before the next object.
func TestMapSize(t *testing.T) {
	h := v8test.NewHeap(t, layout.V(13, 6))
	aMap := h.MapOf("FIXED_ARRAY")
	v := heapsOf(h.Memory())
	l := &v.Layout.Map
	base := l.Descriptors + v.Slots(4)
	for _, c := range []struct {
		name     string
		extended bool
		data     int // bytes
		next     int // where another object begins; 0 if nowhere
		want     int
	}{
		{"plain", false, base + 80, base + 16, base},
		{"extended, an object follows", true, base + 80, base + 24, base + 24},
		{"extended at the end", true, base + 16, 0, base + 16},
		{"extended, nothing follows", true, base + 80, 0, base + 32},
		{"cut", true, l.BitField, 0, 0},
	} {
		data := make([]byte, c.data)
		if c.extended && c.data > l.BitField {
			data[l.BitField] = extendedMap
		}
		if c.next > 0 {
			binary.LittleEndian.PutUint64(data[c.next:], uint64(aMap))
		}
		head := objectHead{v: v.Heaps.Reader, data: data, near: aMap.Addr()}
		if got := head.size(sizeMap); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}
