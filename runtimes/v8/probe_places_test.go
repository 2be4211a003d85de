package v8

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestMostTables: of more places than are looked around, those with other tables nearby stay.
func TestMostTables(t *testing.T) {
	const at, table, other = core.Addr(0x600000000000), core.Addr(0x610000000000), core.Addr(0x620000000000)
	data := make([]byte, 2*maxPlaces*nearTables)
	put := func(off int, w core.Addr) { binary.LittleEndian.PutUint64(data[off:], uint64(w)) }
	for i := range 2*maxPlaces - 2 { // a compiler's, one after the other
		put(16*i, table)
	}
	isolate := len(data) - 4*nearTables
	put(isolate, table)
	put(isolate+32, other)
	p := coretest.New(core.AMD64).MapProt(at, data, core.Read|core.Write).Map(table, make([]byte, 64)).Map(other, make([]byte, 64)).Process()
	s := &sandbox{heapProbe: &heapProbe{space: p.Space, order: binary.LittleEndian}, trusted: trustedTable{base: table}}
	list := s.mostTables(s.copies(uint64(table)))
	if len(list) != maxPlaces || list[len(list)-1] != at+core.Addr(isolate) {
		t.Errorf("%d places, up to %v; want %d, up to %v", len(list), list[len(list)-1], maxPlaces, at+core.Addr(isolate))
	}
}
