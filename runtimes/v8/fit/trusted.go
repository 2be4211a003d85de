package fit

import (
	"coredbg/core"
	"coredbg/runtimes/v8/embedded"
	"coredbg/runtimes/v8/layout"
)

// With the sandbox, objects that must not be forged, such as bytecodes, are in a cage of their own. Other
// objects name them by handles: indexes into a table of words. Each word has the tagged address in its low bits
// and the object's kind in the others. Such an object keeps its own handle after its map. Source:
// sandbox/trusted-pointer-table.h, sandbox/indirect-pointer-tag.h, objects/trusted-object.h
// (ExposedTrustedObject) @ 15.0.
// Until V8 15.2 Codes have handles with a mark, of a table of their own, whose entries began
// with where their instructions do until V8 14 (sandbox/code-pointer-table.h).

// A handleKind is how handles lead to entries of a table of trusted objects.
type handleKind struct {
	shift uint   // what a handle is shifted by more than the index
	mark  uint32 // the bits of a handle below
	// entry are the bytes of an entry, and object where in it the object is.
	entry, object core.Addr
	// tagged says that the bits of an address that it does not need are the object's kind;
	// else they are 0, and its lowest bit is the collector's.
	tagged bool
}

// The kinds of handles, include/v8-internal.h: kTrustedPointerHandleShift,
// kCodePointerHandleShift and kCodePointerHandleMarker.
var (
	trustedHandles = []handleKind{
		{shift: 9, entry: 8, tagged: true},
		{shift: 9, entry: 8}, // 12.1
	}
	codeHandles = []handleKind{
		{shift: 8, mark: codeMark, entry: 8},             // 14.9
		{shift: 9, mark: codeMark, entry: 16, object: 8}, // 13.1
		{shift: 8, mark: codeMark, entry: 16, object: 8},
		{shift: 12, mark: codeMark, entry: 16, object: 8}, // 12.1
	}
)

const codeMark = 1

const (
	// trustedPayload are the bits of an entry with the address; above them is the tag.
	trustedPayload = 1<<48 - 1
	// trustedAlign is the alignment of tables. They are mapped: V8 15.0 takes whatever address it gets, and
	// later versions align to more.
	trustedAlign = layout.PageSize
	// fewestTrusted are the objects that must know their handles in a table.
	fewestTrusted = 4
	// maxTrustedTables bounds the places that are counted for.
	maxTrustedTables = 1 << 16
)

// A trustedTable is the table of a process's sandbox that leads to its trusted objects.
type trustedTable struct {
	kind    handleKind
	base    core.Addr // of the entry with index 0
	cage    core.Addr // of the objects
	objects int       // that know their own handles
}

// trustedTable finds the table of trusted pointers of one of these kinds by its look: the objects that
// its entries lead to have the handles of these entries. It reports false if there is none.
func (x *heapProbe) trustedTable(kinds []handleKind) (best trustedTable, ok bool) {
	type place struct {
		kind       int
		base, cage core.Addr
	}
	count := map[place]int{}
	embedded.EachWord(x.space, x.order, func(at core.Addr, entry uint64) {
		for i, k := range kinds {
			base, ok := x.trustedBase(k, entry, at)
			if !ok {
				continue
			}
			p := place{i, base, core.Addr(entry&trustedPayload) &^ (layout.CageSize - 1)}
			if _, known := count[p]; !known && len(count) == maxTrustedTables {
				continue
			}
			if count[p]++; count[p] > best.objects || count[p] == best.objects && base < best.base {
				best = trustedTable{k, p.base, p.cage, count[p]}
			}
		}
	})
	return best, best.objects >= fewestTrusted
}

// trustedBase returns where a table begins that has an entry whose object is at here, if
// that is one with a handle.
func (x *heapProbe) trustedBase(k handleKind, entry uint64, here core.Addr) (core.Addr, bool) {
	to := k.reference(entry)
	if (entry>>48 != 0) != k.tagged || to&3 != 1 || to < layout.PageSize {
		return 0, false
	}
	var b [4]byte
	if n, _ := embedded.Peek(x.space, b[:], core.Addr(to&^1)+4); n < len(b) {
		return 0, false
	}
	handle := x.order.Uint32(b[:])
	if handle>>k.shift == 0 || handle&(1<<k.shift-1) != k.mark {
		return 0, false
	}
	off := core.Addr(handle>>k.shift)*k.entry + k.object
	if off > here {
		return 0, false
	}
	return here - off, (here-off)%trustedAlign == 0
}

// trustedObject returns the object that a handle stands for in the table at base, if that object
// knows its handle.
func (x *heapProbe) trustedObject(k handleKind, base core.Addr, handle uint32) (layout.Tagged, bool) {
	here := base.Add(int64(core.Addr(handle>>k.shift)*k.entry + k.object))
	var b [8]byte
	if _, err := x.space.ReadAt(b[:], here); err != nil || handle>>k.shift == 0 || handle&(1<<k.shift-1) != k.mark {
		return 0, false
	}
	entry := x.order.Uint64(b[:])
	if own, ok := x.trustedBase(k, entry, here); !ok || own != base {
		return 0, false
	}
	return layout.Tagged(k.reference(entry)), true
}

// reference returns the tagged address in an entry: one without a kind has the collector's bit in the place of the tag.
func (k handleKind) reference(entry uint64) uint64 {
	if k.tagged {
		return entry & trustedPayload
	}
	return entry&trustedPayload | 1
}
