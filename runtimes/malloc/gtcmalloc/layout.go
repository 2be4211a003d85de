package gtcmalloc

import "coredbg/core"

// A layout is where a Span has its fields. The counts have two bytes.
type layout struct {
	first, pages    core.Addr // the first page, and how many there are
	embed, list     core.Addr // of a list by numbers: how many its first object has in it, and that object
	allocated       core.Addr
	cached          core.Addr // how many numbers the span itself has
	cachedMask      uint8
	cache           core.Addr // these numbers, or the bits
	cacheSize, bits int
	packed          bool      // numbers of pages have few bits, and elements of leaves have the size class, too
	used            core.Addr // of a transfer cache, before the number of its class: how many slots are used
	lists           core.Addr // from a list of a thread's cache to the next one
}

// layouts has the layouts of releases, the newest first.
var layouts = []layout{
	{first: 24, pages: 32, embed: 16, list: 18, allocated: 20, cached: 22, cachedMask: 15, cache: 40, cacheSize: 8,
		bits: 128, packed: true, used: 24, lists: 24},
	{first: 24, pages: 32, embed: 16, list: 18, allocated: 20, cached: 22, cachedMask: 255, cache: 40, cacheSize: 12,
		bits: 64, used: 24, lists: 24},
	{first: 32, pages: 40, embed: 16, list: 18, allocated: 20, cached: 22, cachedMask: 255, cache: 24, cacheSize: 4,
		bits: 64, used: 24, lists: 24},
	{first: 32, pages: 40, embed: 18, list: 20, allocated: 16, cached: 22, cachedMask: 255, cache: 24, cacheSize: 4,
		bits: 64, used: 32, lists: 32},
}

// Parts of the words of a packed Span and of an element.
const (
	firstBits   = 35 // of a number of a page
	largeBit    = 61 // the number of pages has a word
	sampleBit   = 62
	pagesBits   = 6
	addressBits = 48
)

// spanOf returns the address of the span that an element has.
func (l *layout) spanOf(element core.Addr) core.Addr {
	if l.packed {
		return element & (1<<addressBits - 1)
	}
	return element
}

// samePages reports whether the page map and the pages of spans are the same by another layout.
func (l *layout) samePages(other *layout) bool {
	return l.first == other.first && l.pages == other.pages && l.packed == other.packed
}

// hasBits reports whether a span has a bit for each object, as it does unless objects are small.
func (l *layout) hasBits(size uint64) bool { return size >= 1<<pageShift/uint64(l.bits) }

// span reads a span.
func (l *layout) span(c *core.Cursor, at core.Addr) (s span, ok bool) {
	if at%8 != 0 || at == 0 || at>>addressBits != 0 {
		return span{}, false
	}
	first, n := c.U64(at+l.first), c.U64(at+l.pages)
	if c.Reset() != nil {
		return span{}, false
	}
	if l.packed {
		if first>>largeBit&1 == 0 && first>>sampleBit&1 == 0 {
			n &= 1<<pagesBits - 1
		}
		first &= 1<<firstBits - 1
	}
	s = span{at: at, start: core.Addr(first << pageShift), size: core.Addr(n << pageShift)}
	return s, first != 0 && n != 0 && first>>(addressBits-pageShift) == 0 && n>>(addressBits-pageShift) == 0
}
