package fit

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestUpperHalves: a cage may be so low that the upper halves of the addresses in it are offsets of
// such halves, which then lead to themselves. They are no map of maps; the one after them is.
func TestUpperHalves(t *testing.T) {
	const meta = 0x2118
	for _, cage := range []core.Addr{0x22d << 32, 0x7d << 32, 0x3e5 << 32, 0x1100 << 32} {
		page := make([]byte, 0x3000)
		for at := 0; at < 0x2000; at += 8 { // as the roots of an isolate
			binary.LittleEndian.PutUint64(page[at:], uint64(cage)|0x0804_2000|uint64(at))
		}
		for at := 0x2100; at < 0x2200; at += 4 { // objects of one word
			binary.LittleEndian.PutUint32(page[at:], meta|1)
		}
		binary.LittleEndian.PutUint32(page[meta+8:], 0x1900_00b0) // MAP_TYPE of 8.7, and flags
		p := coretest.New(core.AMD64).Map(cage, page).Process()
		x := &heapProbe{space: p.Space, order: p.Arch.Order}
		if got, ok := x.startsObjects(cage, 4); !ok || got != cage+meta {
			t.Errorf("the map of maps of the cage %v is at %v: %v", cage, got, ok)
		}
	}
}
