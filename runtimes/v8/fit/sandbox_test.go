package fit

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/v8/layout"
)

// A madeSandbox has pages, the table of their metadata, and an isolate with its tables.
type madeSandbox struct {
	pages, metadata, tables, isolate []byte
}

const (
	madeCage     = core.Addr(0x1e08_0000_0000)
	madePages    = madeCage + 0x100_0000 // the first page has the index 64
	madeFirst    = 64
	madeMetadata = core.Addr(0x72c0_0011_0000)
	madeTables   = core.Addr(0x72c0_0047_0000)
	madeIsolate  = core.Addr(0x72c0_0051_0000)
	madeShared   = core.Addr(0x7f1e_3dbd_0000)
)

func makeSandbox(pages int) *madeSandbox {
	le := binary.LittleEndian
	m := &madeSandbox{pages: make([]byte, pages*layout.ChunkSize), metadata: make([]byte, 0x1000),
		tables: make([]byte, 0x10000), isolate: make([]byte, 0x2000)}
	for i := range pages {
		le.PutUint32(m.pages[i*layout.ChunkSize+metadataIndex:], uint32(madeFirst+i))
		le.PutUint64(m.metadata[0x40*i+metadataChunk:], uint64(madePages)+uint64(i)*layout.ChunkSize)
		le.PutUint64(m.tables[0x300+16*(madeFirst+i):], uint64(madeMetadata)+uint64(0x40*i))
		le.PutUint64(m.tables[0x300+16*(madeFirst+i)+8:], uint64(madeIsolate))
	}
	return m
}

func (m *madeSandbox) space() *core.Space {
	var segs []core.Segment
	for at, b := range map[core.Addr][]byte{madePages: m.pages, madeMetadata: m.metadata, madeTables: m.tables,
		madeIsolate: m.isolate} {
		segs = append(segs, core.Segment{Start: at, End: at + core.Addr(len(b)), Kind: core.SegCore,
			Prot: core.Read | core.Write, Src: bytesSource(b)})
	}
	slices.SortFunc(segs, func(a, b core.Segment) int {
		if a.Start < b.Start {
			return -1
		}
		return 1
	})
	return core.NewSpace(segs, nil)
}

// TestMetadataTable: the table of page metadata is recognized by pages that have the indexes of its entries, if
// there are several such pages. The table gives each page's isolate.
func TestMetadataTable(t *testing.T) {
	m := makeSandbox(fewestMetadata)
	x := &heapProbe{space: m.space(), order: binary.LittleEndian}
	got, ok := x.metadataTable()
	if want := (metadataTable{madeTables + 0x300, 16, fewestMetadata}); !ok || got != want {
		t.Fatalf("found %+v, %v, want %+v", got, ok, want)
	}
	s := &sandbox{heapProbe: x, pages: got}
	s.isolates = s.findIsolates()
	if !slices.Equal(s.isolates, []core.Addr{madeIsolate}) {
		t.Errorf("isolates are %v", s.isolates)
	}
	if i, ok := s.isolateOf(layout.Tag(madePages + layout.ChunkSize + 0x500)); !ok || i != madeIsolate {
		t.Errorf("an object's isolate is %v, %v", i, ok)
	}
	for name, at := range map[string]core.Addr{"below": madePages - 0x100,
		"beyond": madePages + fewestMetadata*layout.ChunkSize, "no page": madeIsolate} {
		if i, ok := s.isolateOf(layout.Tag(at)); ok {
			t.Errorf("%s: the isolate is %v", name, i)
		}
	}
	binary.LittleEndian.PutUint32(m.pages[metadataIndex:], 99)
	if got, ok := x.metadataTable(); ok {
		t.Errorf("with too few pages found %+v", got)
	}
}

// TestFindTables: all isolates have the table of trusted pointers at one offset, and next to it the table of
// strings or an object that has its address.
func TestFindTables(t *testing.T) {
	const trusted, trustedAt = core.Addr(0x7f1e_6dbd_0000), 0x320
	le := binary.LittleEndian
	m := makeSandbox(fewestMetadata)
	le.PutUint64(m.isolate[trustedAt:], uint64(trusted))
	le.PutUint64(m.isolate[0x2f0:], uint64(madeTables)+0x8000) // shared: has its address
	le.PutUint64(m.tables[0x8000:], uint64(madeTables)+0x9000)
	le.PutUint64(m.tables[0x9000+8*5:], 0x4<<48|0x72c0_006d_0000)
	s := &sandbox{heapProbe: &heapProbe{space: m.space(), order: le}, trusted: trustedTable{base: trusted}}
	s.pages, _ = s.metadataTable()
	s.isolates = s.findIsolates()
	if !s.findTables() || s.trustedAt != trustedAt {
		t.Fatalf("the table is at %#x of an isolate", uint64(s.trustedAt))
	}
	o := layout.Tag(madePages + 0x500)
	if a, ok := s.external(o, stringTable{0, 0x2f0 - trustedAt, true, 6}, 5<<6); !ok || a != 0x72c0_006d_0000 {
		t.Errorf("the handle stands for %v, %v", a, ok)
	}
	for name, try := range map[string]struct {
		t      stringTable
		handle uint32
	}{"no handle": {stringTable{0, 0x2f0 - trustedAt, true, 6}, 0},
		"an empty entry": {stringTable{0, 0x2f0 - trustedAt, true, 6}, 6 << 6},
		"no table":       {stringTable{0, 0x2f8 - trustedAt, true, 6}, 5 << 6},
		"beyond":         {stringTable{0, 0x2f0 - trustedAt, true, 6}, 1 << 31}} {
		if a, ok := s.external(o, try.t, try.handle); ok {
			t.Errorf("%s: the handle stands for %v", name, a)
		}
	}
	le.PutUint64(m.isolate[trustedAt:], 0)
	if s.findTables() {
		t.Error("tables were found in an isolate without them")
	}
}

// TestMostTables: if there are more places than the limit, the places near other tables stay.
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
	p := coretest.New(core.AMD64).MapProt(at, data, core.Read|core.Write).Map(table, make([]byte, 64)).Map(other,
		make([]byte, 64)).Process()
	s := &sandbox{heapProbe: &heapProbe{space: p.Space, order: binary.LittleEndian}, trusted: trustedTable{base: table}}
	list := s.mostTables(s.copies(uint64(table)))
	if len(list) != maxPlaces || list[len(list)-1] != at+core.Addr(isolate) {
		t.Errorf("%d places, up to %v; want %d, up to %v", len(list), list[len(list)-1], maxPlaces,
			at+core.Addr(isolate))
	}
}

// FuzzSandbox: for any contents of memory the search ends, and its results lead to readable memory or nowhere.
func FuzzSandbox(f *testing.F) {
	m := makeSandbox(fewestMetadata)
	seed := make([]byte, 4*0x1000)
	copy(seed, m.pages[:0x1000])
	copy(seed[0x1000:], m.metadata)
	copy(seed[0x2000:], m.tables[:0x1000])
	copy(seed[0x3000:], m.isolate[:0x1000])
	f.Add(seed)
	f.Add([]byte("\x01\x00\x00\x00\x00\x02\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 0x8000 {
			return
		}
		part := func(i int) []byte {
			b := make([]byte, 0x2000)
			copy(b, data[min(len(data), i*0x1000):min(len(data), (i+1)*0x1000)])
			return b
		}
		m := &madeSandbox{pages: part(0), metadata: part(1), tables: part(2), isolate: part(3)}
		s := &sandbox{heapProbe: &heapProbe{space: m.space(), order: binary.LittleEndian}}
		s.trusted, _ = s.trustedTable(trustedHandles)
		s.pages, _ = s.metadataTable()
		if s.pages.pages > 0 {
			s.isolates = s.findIsolates()
			s.findTables()
		}
		s.places = s.mostTables(s.copies(uint64(s.trusted.base)))
		o := layout.Tag(madePages + 0x500)
		l := s.layout(madeCage)
		for _, handle := range []uint32{0, 1, 5 << 6, 3 << 9, 1 << 31} {
			l.Trusted(o, handle)
			s.external(o, stringTable{madeIsolate, 8, true, 6}, handle)
			if l.PageMetadata != nil {
				l.PageMetadata(handle)
			}
		}
	})
}
