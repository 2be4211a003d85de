package v8

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
)

// TestTrustedTable: a table is known by objects that have the handles of its entries,
// if they are many; entries without a tag and objects with other handles are none.
func TestTrustedTable(t *testing.T) {
	const base, cage, first = core.Addr(0x7f00_0001_0000), core.Addr(0x3fa8_0000_0000), 40
	le := binary.LittleEndian
	find := func(objects int, change func(i int, entry, handle uint64) (uint64, uint64)) (trustedTable, bool) {
		table, heap := make([]byte, 0x1000), make([]byte, 0x2000)
		for i := range objects {
			entry, handle := change(i, uint64(cage)+0x1000+uint64(32*i)|1|0x1c<<48, uint64(first+i)<<9)
			le.PutUint64(table[8*(first+i):], entry)
			le.PutUint32(heap[32*i+4:], uint32(handle))
		}
		space := core.NewSpace([]core.Segment{
			{Start: cage + 0x1000, End: cage + 0x3000, Kind: core.SegCore, Prot: core.Read | core.Write, Src: bytesSource(heap)},
			{Start: base, End: base + 0x1000, Kind: core.SegCore, Prot: core.Read | core.Write, Src: bytesSource(table)},
		}, nil)
		x := &heapProbe{space: space, order: le}
		return x.trustedTable()
	}
	same := func(_ int, e, h uint64) (uint64, uint64) { return e, h }
	got, ok := find(fewestTrusted+4, same)
	if want := (trustedTable{base, cage, fewestTrusted + 4}); !ok || got != want {
		t.Errorf("found %+v, %v, want %+v", got, ok, want)
	}
	for name, change := range map[string]func(int, uint64, uint64) (uint64, uint64){
		"no tags":       func(_ int, e, h uint64) (uint64, uint64) { return e & trustedPayload, h },
		"other handles": func(i int, e, _ uint64) (uint64, uint64) { return e, uint64(i*i*i+9) << 9 },
		"no handles":    func(_ int, e, _ uint64) (uint64, uint64) { return e, 0 },
		"untagged":      func(_ int, e, h uint64) (uint64, uint64) { return e &^ 1, h },
	} {
		if got, ok := find(fewestTrusted+4, change); ok {
			t.Errorf("%s: found %+v", name, got)
		}
	}
	if got, ok := find(fewestTrusted-1, same); ok {
		t.Errorf("few: found %+v", got)
	}
}
