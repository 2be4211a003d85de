package jemalloc

import "coredbg/core"

// A layout is how one build lays out its tree and its extents.
type layout struct {
	page   uint   // shift of a page: LG_PAGE
	levels []uint // bits of each level of the tree, the root first
	apart  bool   // an element of a leaf is two words, as a size class does not fit above an address
	bits   *bitsOf
	machine
}

// A machine is how a processor's ABI lays out records.
type machine struct {
	word    uint      // shift of a pointer
	align   core.Addr // of 64 bits
	quantum uint      // LG_QUANTUM
}

// wide are processors of 64 bits.
var wide = machine{word: 3, align: 8, quantum: 4}

func machineOf(p *core.Process) machine {
	switch _, w := p.Words(); {
	case w == 8:
		return wide
	case p.Arch == core.ARM:
		return machine{word: 2, align: 8, quantum: 3} // quantum.h
	case p.Arch == core.I386:
		return machine{word: 2, align: 4, quantum: 4}
	default:
		return machine{word: 2, align: 8, quantum: 3}
	}
}

// classBits is how many bits the number of a class has (LG_CEIL(SC_NSIZES)).
func (m machine) classBits() uint {
	if m.word == wide.word {
		return 8
	}
	return 7
}

func (m machine) classMask() uint64 { return 1<<m.classBits() - 1 }

func (m machine) pointer() core.Addr { return 1 << m.word }

// sizeAt is the place of e_size_esn in an extent.
func (m machine) sizeAt() core.Addr { return addrAt + m.pointer() }

// bitmapAt is the place of e_slab_data, after e_ps, e_sn, and three pointers.
func (m machine) bitmapAt() core.Addr {
	number := (m.sizeAt() + 2*m.pointer()).Align(uint64(m.align))
	return (number + 8 + 3*m.pointer()).Align(uint64(m.align))
}

// countsAt is the place of low_bits_low_water in a cache bin, after the head of the stack and the number of requests.
func (m machine) countsAt() core.Addr { return m.pointer().Align(uint64(m.align)) + 8 }

// bitsOf is where an extent's first word has its parts (edata_s.e_bits), and how an element of a leaf refers
// to an extent.
type bitsOf struct {
	version      string // releases that have it, for a library that does not say its own
	state, class uint   // shifts; the number of free regions follows the class
	states       uint64
	low          core.Addr // bits of an element that are none of the address
	beside       uint      // shift of the class in the second word of an element
	marked       bool      // stacks of caches begin with a mark
}

// Parts of an extent that are the same in all versions.
const (
	arenaMask = 1<<12 - 1
	slabBit   = 1 << 12
	classMask = 0xff
	addrAt    = 8 // e_addr
	vaddrBits = 48
	hugePage  = 2 << 20
)

// The states of extents.
const (
	active = iota
	dirty
	muzzy
	retained
)

var versions = []*bitsOf{
	{version: "5.3", state: 17, states: 7, class: 20, low: 0x7f, beside: 5, marked: true},
	{version: "5.1 or 5.2", state: 16, states: 3, class: 18, low: 1},
}

// layouts are tried in this order: four-level page tables, pages as builds for other processors have them,
// and five-level page tables.
var layouts = []layout{
	{page: 12, levels: []uint{18, 18}, machine: wide},
	{page: 16, levels: []uint{16, 16}, machine: wide},
	{page: 14, levels: []uint{17, 17}, machine: wide},
	{page: 12, levels: []uint{15, 15, 15}, apart: true, machine: wide},
}

// layoutsOf returns the layouts of a process's builds.
func layoutsOf(p *core.Process) []layout {
	m := machineOf(p)
	if m == wide {
		return layouts
	}
	return []layout{
		{page: 12, levels: []uint{10, 10}, apart: true, machine: m},
		{page: 16, levels: []uint{8, 8}, apart: true, machine: m},
	}
}

// element is the shift of an element of a leaf.
func (l *layout) element() uint {
	if l.apart {
		return l.word + 1
	}
	return l.word
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
		return 1 << (l.levels[level] + l.element())
	}
	return 1 << (l.levels[level] + l.word)
}

// regions is the most that a slab can have: as many of eight bytes as a page holds.
func (l *layout) regions() uint64 { return 1 << (l.page - 3) }

// freeMask has the bits of the number of free regions.
func (l *layout) freeMask() uint64 { return 1<<(l.page-3+1) - 1 }

// extentOf returns the extent that an element of a leaf refers to, and the size class that the element has.
func (l *layout) extentOf(v, more core.Addr, b *bitsOf) (at core.Addr, class uint64) {
	if !l.apart {
		at, class = v&(1<<vaddrBits-1), uint64(v>>vaddrBits)
		return at &^ b.low, class & l.classMask()
	}
	return v, uint64(more) >> b.beside & l.classMask()
}

// sizeOf returns the size of a class, in bytes: 8 if the quantum is larger, four multiples of the quantum,
// and then groups of four, each with twice the distance of the group before. It is 0 for a number that is
// none.
func (m machine) sizeOf(class uint64) uint64 {
	if m.quantum > 3 {
		if class == 0 {
			return 8
		}
		class--
	}
	if class < 4 {
		return (class + 1) << m.quantum
	}
	group, nth := (class-4)/4, (class-4)%4
	if group > 50 {
		return 0
	}
	return 4<<m.quantum<<group + (nth+1)<<m.quantum<<group
}
