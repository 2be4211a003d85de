package fit

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
)

// TestTrustedTable: a table is known by objects that have the handles of its entries,
// if they are many; entries without a tag, where there should be one, and objects with other
// handles are none.
func TestTrustedTable(t *testing.T) {
	testTrustedTable(t, trustedHandles[0], 0x1c<<48)
	for _, k := range slices.Concat(trustedHandles[1:], codeHandles) {
		testTrustedTable(t, k, 0)
	}
}

func testTrustedTable(t *testing.T, k handleKind, tag uint64) {
	const base, cage, first = core.Addr(0x7f00_0001_0000), core.Addr(0x3fa8_0000_0000), 40
	le := binary.LittleEndian
	mark := uint64(k.mark)
	find := func(objects int, change func(i int, entry, handle uint64) (uint64, uint64)) (trustedTable, bool) {
		table, heap := make([]byte, 0x1000), make([]byte, 0x2000)
		for i := range objects {
			entry, handle := change(i, uint64(cage)+0x1000+uint64(32*i)|1|tag, uint64(first+i)<<k.shift|mark)
			le.PutUint64(table[int(k.entry)*(first+i)+int(k.object):], entry)
			le.PutUint32(heap[32*i+4:], uint32(handle))
		}
		space := core.NewSpace([]core.Segment{
			{Start: cage + 0x1000, End: cage + 0x3000, Kind: core.SegCore, Prot: core.Read | core.Write,
				Src: bytesSource(heap)},
			{Start: base, End: base + 0x1000, Kind: core.SegCore, Prot: core.Read | core.Write,
				Src: bytesSource(table)},
		}, nil)
		x := &heapProbe{space: space, order: le}
		found, ok := x.trustedTable([]handleKind{k})
		if o, is := x.trustedObject(k, base, (first+1)<<k.shift|k.mark); ok && (!is || o.Addr() != cage+0x1020) {
			t.Errorf("%+v: the second object is %v, %v", k, o.Addr(), is)
		}
		return found, ok
	}
	same := func(_ int, e, h uint64) (uint64, uint64) { return e, h }
	got, ok := find(fewestTrusted+4, same)
	if want := (trustedTable{k, base, cage, fewestTrusted + 4}); !ok || got != want {
		t.Errorf("found %+v, %v, want %+v", got, ok, want)
	}
	for name, change := range map[string]func(int, uint64, uint64) (uint64, uint64){
		"no tags":       func(_ int, e, h uint64) (uint64, uint64) { return e&trustedPayload ^ (1^tag>>50&1)<<50, h },
		"other handles": func(i int, e, _ uint64) (uint64, uint64) { return e, uint64(i*i*i+9)<<k.shift | mark },
		"no handles":    func(_ int, e, _ uint64) (uint64, uint64) { return e, mark },
		"no mark":       func(_ int, e, h uint64) (uint64, uint64) { return e, h ^ 1 },
	} {
		if got, ok := find(fewestTrusted+4, change); ok {
			t.Errorf("%s: found %+v", name, got)
		}
	}
	if got, ok := find(fewestTrusted-1, same); ok {
		t.Errorf("few: found %+v", got)
	}
}
