package v8

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
	m := &madeSandbox{pages: make([]byte, pages*layout.ChunkSize), metadata: make([]byte, 0x1000), tables: make([]byte, 0x10000), isolate: make([]byte, 0x2000)}
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
	for at, b := range map[core.Addr][]byte{madePages: m.pages, madeMetadata: m.metadata, madeTables: m.tables, madeIsolate: m.isolate} {
		segs = append(segs, core.Segment{Start: at, End: at + core.Addr(len(b)), Kind: core.SegCore, Prot: core.Read | core.Write, Src: bytesSource(b)})
	}
	slices.SortFunc(segs, func(a, b core.Segment) int {
		if a.Start < b.Start {
			return -1
		}
		return 1
	})
	return core.NewSpace(segs, nil)
}

// TestMetadataTable: the table of pages' metadata is known by pages that have the indexes of
// their entries, if they are some; it says which isolate a page is of.
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
	for name, at := range map[string]core.Addr{"below": madePages - 0x100, "beyond": madePages + fewestMetadata*layout.ChunkSize, "no page": madeIsolate} {
		if i, ok := s.isolateOf(layout.Tag(at)); ok {
			t.Errorf("%s: the isolate is %v", name, i)
		}
	}
	binary.LittleEndian.PutUint32(m.pages[metadataIndex:], 99)
	if got, ok := x.metadataTable(); ok {
		t.Errorf("with too few pages found %+v", got)
	}
}

// TestFindTables: isolates have the table of trusted pointers at one place, and beside it
// that of strings, or what has its address.
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
	}{"no handle": {stringTable{0, 0x2f0 - trustedAt, true, 6}, 0}, "an empty entry": {stringTable{0, 0x2f0 - trustedAt, true, 6}, 6 << 6},
		"no table": {stringTable{0, 0x2f8 - trustedAt, true, 6}, 5 << 6}, "beyond": {stringTable{0, 0x2f0 - trustedAt, true, 6}, 1 << 31}} {
		if a, ok := s.external(o, try.t, try.handle); ok {
			t.Errorf("%s: the handle stands for %v", name, a)
		}
	}
	le.PutUint64(m.isolate[trustedAt:], 0)
	if s.findTables() {
		t.Error("tables were found in an isolate without them")
	}
}

// TestCodeSize: builtins are known by their description: over a thousand entries whose
// instructions do not overlap and whose metadata is in order.
func TestCodeSize(t *testing.T) {
	const at, n = core.Addr(0x10000), fewestBuiltins + 10
	le := binary.LittleEndian
	size := func(change func(i int, e []byte)) core.Addr {
		b := make([]byte, (n+4)*builtinEntry)
		for i := range n {
			e := b[i*builtinEntry:]
			le.PutUint32(e, uint32((n-1-i)*128)) // the order of the code is another
			le.PutUint32(e[4:], 100)
			le.PutUint32(e[8:], uint32(16*i))
			change(i, e)
		}
		le.PutUint32(b[n*builtinEntry:], 7) // what follows is none
		s := core.NewSpace([]core.Segment{{Start: at, End: at + core.Addr(len(b)), Kind: core.SegCore, Prot: core.Read, Src: bytesSource(b)}}, nil)
		if !beginsBuiltins(le, b) {
			return 0
		}
		return codeSize(s, le, at)
	}
	if got := size(func(int, []byte) {}); got != (n-1)*128+100 {
		t.Errorf("the code has %d bytes", got)
	}
	for name, change := range map[string]func(int, []byte){
		"unaligned":         func(i int, e []byte) { le.PutUint32(e, le.Uint32(e)+uint32(i%2)*4) },
		"empty":             func(i int, e []byte) { le.PutUint32(e[4:], 0) },
		"huge":              func(i int, e []byte) { le.PutUint32(e[4:], maxBuiltin+1) },
		"metadata backward": func(i int, e []byte) { le.PutUint32(e[8:], uint32(16*(n-i))) },
		"overlapping":       func(i int, e []byte) { le.PutUint32(e, 0) },
		"sparse":            func(i int, e []byte) { le.PutUint32(e, le.Uint32(e)*64) },
		"few": func(i int, e []byte) {
			if i == 500 {
				le.PutUint32(e, 3)
			}
		},
	} {
		if got := size(change); got != 0 {
			t.Errorf("%s: the code has %d bytes", name, got)
		}
	}
}

// TestBuiltins: an isolate has the addresses of over a thousand builtins in a row, whose last
// one ends at padding.
func TestBuiltins(t *testing.T) {
	const text, n = core.Addr(0x55de_974a_d000), fewestBuiltins + 5
	le := binary.LittleEndian
	code := make([]byte, 0x40000)
	copy(code[(n-1)*64+40:], "\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc")
	isolate := make([]byte, 0x8000)
	find := func() (layout.Area, bool) {
		space := core.NewSpace([]core.Segment{
			{Start: text, End: text + core.Addr(len(code)), Kind: core.SegCore, Prot: core.Read | core.Exec, Src: bytesSource(code)},
			{Start: madeIsolate, End: madeIsolate + core.Addr(len(isolate)), Kind: core.SegCore, Prot: core.Read | core.Write, Src: bytesSource(isolate)},
		}, nil)
		x := &heapProbe{space: space, order: le}
		return x.builtins(&core.Process{Arch: core.AMD64, Space: space})
	}
	for i := range n {
		le.PutUint64(isolate[0x500+8*i:], uint64(text)+uint64((n-1-i)*64))
	}
	if got, ok := find(); !ok || got != (layout.Area{Start: text, End: text + (n-1)*64 + 40}) {
		t.Errorf("builtins are at %+v, %v", got, ok)
	}
	le.PutUint64(isolate[0x500+8*500:], uint64(madeIsolate))
	if got, ok := find(); ok {
		t.Errorf("with data among them builtins are at %+v", got)
	}
}

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

// FuzzSandbox: whatever memory holds, what is found leads to what can be read or nowhere, and
// looking ends.
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
		s.builtins(&core.Process{Arch: core.AMD64, Space: s.space})
		codeSize(s.space, s.order, madeTables)
	})
}
