package jemalloc

import "coredbg/core"

// A layout is how one build lays out its tree and its extents.
type layout struct {
	page   uint   // shift of a page: LG_PAGE
	levels []uint // bits of each level of the tree, the root first
	leaf   uint   // shift of an element of a leaf: two words if a size class does not fit above an address
	bits   *bitsOf
}

// bitsOf is where an extent's first word has its parts (edata_s.e_bits), and how an element of a leaf refers to an extent.
type bitsOf struct {
	version            string // releases that have it, for a library that does not say its own
	state, class, free uint   // shifts
	states             uint64
	low                core.Addr // bits of an element that are none of the address
	beside             uint      // shift of the class in the second word of an element
	marked             bool      // stacks of caches begin with a mark
}

// Parts of an extent that are the same in all versions.
const (
	arenaMask  = 1<<12 - 1
	slabBit    = 1 << 12
	classMask  = 0xff
	addrAt     = 8  // e_addr
	sizeAt     = 16 // e_size_esn
	bitmapAt   = 64 // e_slab_data
	recordSize = 128
	vaddrBits  = 48
	hugePage   = 2 << 20
)

// The states of extents.
const (
	active = iota
	dirty
	muzzy
	retained
)

var versions = []*bitsOf{
	{version: "5.3", state: 17, states: 7, class: 20, free: 28, low: 0x7f, beside: 5, marked: true},
	{version: "5.1 or 5.2", state: 16, states: 3, class: 18, free: 26, low: 1},
}

// layouts are tried in this order: four-level page tables, pages as builds for other processors have them, and five-level page tables.
var layouts = []layout{
	{page: 12, levels: []uint{18, 18}, leaf: 3},
	{page: 16, levels: []uint{16, 16}, leaf: 3},
	{page: 14, levels: []uint{17, 17}, leaf: 3},
	{page: 12, levels: []uint{15, 15, 15}, leaf: 4},
}

// below returns how many bits of an address the levels below one stand for, and the page.
func (l *layout) below(level int) uint {
	n := l.page
	for _, b := range l.levels[level+1:] {
		n += b
	}
	return n
}

// bytes returns the size of a level's node.
func (l *layout) bytes(level int) core.Addr {
	if level == len(l.levels)-1 {
		return 1 << (l.levels[level] + l.leaf)
	}
	return 1 << (l.levels[level] + 3)
}

// regions is the most that a slab can have: as many of eight bytes as a page holds.
func (l *layout) regions() uint64 { return 1 << (l.page - 3) }

// freeMask has the bits of the number of free regions.
func (l *layout) freeMask() uint64 { return 1<<(l.page-3+1) - 1 }

// extentOf returns the extent that an element of a leaf refers to, and the size class that the element has.
func (l *layout) extentOf(v, more core.Addr, b *bitsOf) (at core.Addr, class uint64) {
	if l.leaf == 3 {
		at, class = v&(1<<vaddrBits-1), uint64(v>>vaddrBits)
		return at &^ b.low, class & classMask
	}
	return v, uint64(more) >> b.beside & classMask
}

// sizeOf returns the size of a class, in bytes: 8, then multiples of 16 in groups of four, each with twice
// the distance of the group before. It is 0 for a number that is none.
func sizeOf(class uint64) uint64 {
	switch {
	case class == 0:
		return 8
	case class < 5:
		return 16 * class
	}
	group, nth := (class-5)/4, (class-5)%4
	if group > 50 {
		return 0
	}
	return 64<<group + (nth+1)<<(group+4)
}
