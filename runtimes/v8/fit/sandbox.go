package fit

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// With the sandbox, a page has an index of its metadata instead of its address. The table of metadata gives the
// page's isolate, and each isolate has its own tables for the handles of its objects. No symbol names any of
// these tables. The table of trusted pointers and the table of metadata are recognized by their contents. The
// table next to the trusted pointers in an isolate is the table of external strings if the strings agree with
// it. Source: heap/memory-chunk.h (MemoryChunkMetadataTableEntry), execution/isolate-data.h
// (shared_external_pointer_table_, trusted_pointer_table_) @ 15.0.

const (
	// metadataChunk is where a page's metadata has the page's address.
	metadataChunk = 8
	// metadataIndex is where a page has the index of its metadata.
	metadataIndex = 8
	maxMetadata   = 1 << 20
	// fewestMetadata are the pages that must be in a table.
	fewestMetadata = 4
	maxIsolates    = 1 << 12
	// maxCopies bounds the places that have the address of a table, and maxPlaces the places whose surroundings
	// are searched.
	maxCopies, maxPlaces = 1 << 12, 32
	// tableAlign is what tables are aligned to (sandbox/external-entity-table.h: kSegmentSize, kAllocationGranularity).
	tableAlign = 64 << 10
	// maxIsolateData is more than the bytes of an isolate before the end of its tables,
	// and nearTables how far these are from each other.
	maxIsolateData = 0x2000
	nearTables     = 0x100
)

// A metadataTable leads from pages to their metadata and their isolates.
type metadataTable struct {
	base  core.Addr // of the entry with index 0
	entry core.Addr // bytes; 8 without isolates
	pages int       // that have the index of their entry
}

// metadataTable finds the table of pages' metadata by its look. It reports false if there
// is none.
func (x *heapProbe) metadataTable() (best metadataTable, ok bool) {
	type place struct{ base, entry core.Addr }
	count := map[place]int{}
	embedded.EachWord(x.space, x.order, func(at core.Addr, w uint64) {
		index, ok := x.pageIndex(core.Addr(w))
		if !ok {
			return
		}
		for entry := core.Addr(8); entry <= 16; entry += 8 {
			p := place{at - core.Addr(index)*entry, entry}
			if _, known := count[p]; p.base > at || !known && len(count) == maxTrustedTables {
				continue
			}
			if count[p]++; count[p] > best.pages || count[p] == best.pages && p.base < best.base {
				best = metadataTable{p.base, p.entry, count[p]}
			}
		}
	})
	return best, best.pages >= fewestMetadata
}

// pageIndex returns the index of the page whose metadata may be at w.
func (x *heapProbe) pageIndex(w core.Addr) (uint32, bool) {
	if w&7 != 0 || w>>47 != 0 || w < layout.PageSize {
		return 0, false
	}
	var b [8]byte
	if n, _ := embedded.Peek(x.space, b[:], w+metadataChunk); n < len(b) {
		return 0, false
	}
	chunk := core.Addr(x.order.Uint64(b[:]))
	if chunk == 0 || chunk&(layout.ChunkSize-1) != 0 || chunk>>47 != 0 {
		return 0, false
	}
	if n, _ := embedded.Peek(x.space, b[:4], chunk+metadataIndex); n < 4 {
		return 0, false
	}
	index := x.order.Uint32(b[:])
	return index, index != 0 && index < maxMetadata
}

// A sandbox describes a V8 sandbox and the isolates in it.
type sandbox struct {
	*heapProbe
	trusted  trustedTable
	codes    trustedTable // until V8 15.2 Codes have a table of their own
	pages    metadataTable
	isolates []core.Addr // the pages' isolates; nil if their tables were not found
	// trustedAt is where isolates have the address of their table of trusted pointers, in bytes.
	trustedAt core.Addr
	// places are the addresses that contain that address. If pages do not lead to isolates, as until V8 14, one
	// of the places is in the only isolate.
	places []core.Addr
}

// newSandbox finds the sandbox tables of a process. It returns nil if the process has no sandbox.
func newSandbox(t runtimes.Target) *sandbox {
	s := &sandbox{heapProbe: &heapProbe{space: t.Process.Space, order: t.Process.Arch.Order}}
	var ok bool
	if s.trusted, ok = s.trustedTable(trustedHandles); !ok {
		return nil
	}
	s.codes, _ = s.trustedTable(codeHandles)
	if s.pages, ok = s.metadataTable(); ok && s.pages.entry > 8 {
		if s.isolates = s.findIsolates(); !s.findTables() {
			s.isolates = nil
		}
	}
	s.places = s.mostTables(s.copies(uint64(s.trusted.base)))
	return s
}

// mostTables returns the first places with the most tables nearby, in order. A compiler at work has the address
// of one table at many places, while an isolate has the addresses of all its tables.
func (s *sandbox) mostTables(places []core.Addr) []core.Addr {
	near := map[core.Addr]int{}
	for _, place := range places {
		bases := map[core.Addr]bool{}
		for at := -nearTables; at < nearTables; at += 8 {
			w := s.word(place.Add(int64(at)))
			if w != 0 && w&(tableAlign-1) == 0 && w != s.trusted.base {
				if _, ok := s.space.Find(w); ok {
					bases[w] = true
				}
			}
		}
		near[place] = len(bases)
	}
	slices.SortStableFunc(places, func(a, b core.Addr) int { return near[b] - near[a] })
	places = places[:min(len(places), maxPlaces)]
	slices.Sort(places)
	return places
}

// layout returns the part of s that readers of the memory need.
func (s *sandbox) layout(main core.Addr) *layout.Sandbox {
	l := &layout.Sandbox{Base: main &^ (layout.CageSize - 1), TrustedCage: s.trusted.cage, Isolates: s.isolates}
	l.Trusted = func(o layout.Tagged, handle uint32) (layout.Tagged, bool) {
		if handle&codeMark != 0 && s.codes.objects > 0 {
			return s.trustedObject(s.codes.kind, s.codes.base, handle)
		}
		base := s.trusted.base
		if isolate, ok := s.isolateOf(o); ok {
			base = s.word(isolate + s.trustedAt)
		}
		return s.trustedObject(s.trusted.kind, base, handle)
	}
	l.TrustedAt = func(o layout.Tagged) []core.Addr {
		if s.isolates == nil {
			return s.places
		}
		if isolate, ok := s.isolateOf(o); ok {
			return []core.Addr{isolate + s.trustedAt}
		}
		return nil
	}
	if s.pages.pages >= fewestMetadata {
		l.PageMetadata = func(index uint32) (core.Addr, bool) {
			w := s.word(s.pages.base + core.Addr(index)*s.pages.entry)
			return w, w != 0 && index < maxMetadata
		}
	}
	return l
}

// word reads a word, 0 if it cannot be read.
func (s *sandbox) word(at core.Addr) core.Addr {
	var b [8]byte
	if _, err := s.space.ReadAt(b[:], at); err != nil {
		return 0
	}
	return core.Addr(s.order.Uint64(b[:]))
}

// isolateOf returns the isolate that owns the page of an object. Objects shared by all isolates are in the
// tables of each.
func (s *sandbox) isolateOf(o layout.Tagged) (core.Addr, bool) {
	if s.isolates == nil {
		return 0, false
	}
	var b [4]byte
	chunk := o.Addr() &^ (layout.ChunkSize - 1)
	if _, err := s.space.ReadAt(b[:], chunk+metadataIndex); err != nil {
		return 0, false
	}
	index := s.order.Uint32(b[:])
	entry := s.pages.base + core.Addr(index)*s.pages.entry
	if index == 0 || index >= maxMetadata || s.word(s.word(entry)+metadataChunk) != chunk {
		return 0, false
	}
	isolate := s.word(entry + 8)
	return isolate, isolate != 0
}

// findIsolates returns the isolates that own pages, in the order of their first pages.
func (s *sandbox) findIsolates() (list []core.Addr) {
	for index := core.Addr(1); index < maxMetadata && len(list) < maxIsolates; index++ {
		var b [16]byte
		n, next := embedded.Peek(s.space, b[:], s.pages.base+index*s.pages.entry)
		if n < len(b) {
			index = max(index, (next-s.pages.base)/s.pages.entry)
			continue
		}
		metadata, isolate := core.Addr(s.order.Uint64(b[:])), core.Addr(s.order.Uint64(b[8:]))
		if own, ok := s.pageIndex(metadata); ok && own == uint32(index) && isolate != 0 && isolate&7 == 0 &&
			!slices.Contains(list, isolate) {
			list = append(list, isolate)
		}
	}
	return list
}

// findTables finds the offset in isolates of their table of trusted pointers: the first word in any isolate
// that is the address of the table found.
func (s *sandbox) findTables() bool {
	for _, isolate := range s.isolates {
		for off := core.Addr(0); off < maxIsolateData; off += 8 {
			if s.word(isolate+off) == s.trusted.base {
				s.trustedAt = off
				return true
			}
		}
	}
	return false
}

// copies returns where a word is in memory that can be written.
func (x *heapProbe) copies(w uint64) (list []core.Addr) {
	embedded.EachWord(x.space, x.order, func(at core.Addr, got uint64) {
		if got == w && len(list) < maxCopies {
			list = append(list, at)
		}
	})
	return list
}

// A stringTable says how to find the table of external strings' handles. Isolates share the table: they refer
// to an object that has its address, or have the address themselves.
type stringTable struct {
	// place is where the isolate has the address of its trusted pointers, if there is one,
	// and at how many bytes from there is what leads to this table.
	place  core.Addr
	at     int
	shared bool
	shift  int // of handles
}

// probeStrings finds that table by the external strings of scripts: their resources are
// C++ objects with virtual functions, and their characters can be read.
func (s *sandbox) probeStrings(v *Candidate) {
	if len(s.places) == 0 {
		return
	}
	texts := v.externalStrings()
	places := s.places
	if s.isolates != nil {
		places = places[:1] // each isolate has its own
	}
	var best stringTable
	most := 0
	for _, place := range places {
		for at := -nearTables; at < nearTables; at += 8 {
			for shift := layout.LeastIndexShift; shift <= layout.MostIndexShift; shift++ {
				for _, shared := range []bool{true, false} {
					try := stringTable{place, at, shared, shift}
					n := 0
					for _, text := range texts {
						if s.externalFits(v, try, text) {
							n++
						}
					}
					if n > most {
						most, best = n, try
					}
				}
			}
		}
	}
	if most > 0 {
		v.Sandbox.StringResource = func(o layout.Tagged, handle uint32) (core.Addr,
			bool) {
			return s.external(o, best, handle)
		}
	}
}

// externalFits reports whether the handles of an external string lead to its characters and its resource.
func (s *sandbox) externalFits(v *Candidate, t stringTable, text layout.Tagged) bool {
	l := &v.Layout.String
	resource, ok1 := v.U32Field(text, l.ExternalResource)
	data, ok2 := v.U32Field(text, l.ExternalData)
	if !ok1 || !ok2 {
		return false
	}
	at, ok1 := s.external(text, t, resource)
	chars, ok2 := s.external(text, t, data)
	return ok1 && ok2 && v.Process.Executable(s.word(s.word(at))) && isText(v, text, chars)
}

// external returns what a handle of an object stands for: a part of its entry, which has a
// tag above.
func (s *sandbox) external(o layout.Tagged, t stringTable, handle uint32) (core.Addr, bool) {
	place := t.place
	if s.isolates != nil {
		isolate, ok := s.isolateOf(o)
		if !ok {
			return 0, false
		}
		place = isolate + s.trustedAt
	}
	if place == 0 || handle == 0 {
		return 0, false
	}
	base := s.word(place.Add(int64(t.at)))
	if t.shared && base != 0 {
		base = s.word(base)
	}
	if base == 0 || base&(layout.PageSize-1) != 0 {
		return 0, false
	}
	entry := s.word(base + core.Addr(handle>>uint(t.shift))*8)
	return entry & trustedPayload, entry != 0
}
