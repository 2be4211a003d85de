package gtcmalloc

import (
	"slices"

	"coredbg/core"
)

// A layout is where a Span has its fields. The counts have two bytes.
type layout struct {
	tree            tree
	first, pages    core.Addr // the first page, and how many there are
	pagesBit        uint      // in the word at pages
	large           core.Addr // of a packed span that is large or sampled: how many pages there are
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

// layouts has the layouts of releases, the newest first: November 2026, August 12, July 28 and July 3, 2026, June
// 2025, August 2024, March 2024, January 2023.
var layouts = []layout{
	{tree: trees[1], first: 24, pages: 24, pagesBit: 38, large: 40, embed: 16, list: 18, allocated: 20, cached: 22,
		cachedMask: 255, cache: 40, cacheSize: 12, bits: 192, packed: true, used: 24, lists: 24},
	{tree: trees[1], first: 24, pages: 32, large: 40, embed: 16, list: 18, allocated: 20, cached: 22, cachedMask: 255,
		cache: 40, cacheSize: 12, bits: 192, packed: true, used: 24, lists: 24},
	{tree: trees[0], first: 24, pages: 32, large: 40, embed: 16, list: 18, allocated: 20, cached: 22, cachedMask: 255,
		cache: 40, cacheSize: 12, bits: 192, packed: true, used: 24, lists: 24},
	{tree: trees[0], first: 24, pages: 32, large: 32, embed: 16, list: 18, allocated: 20, cached: 22, cachedMask: 15,
		cache: 40, cacheSize: 12, bits: 192, packed: true, used: 24, lists: 24},
	{tree: trees[0], first: 24, pages: 32, large: 32, embed: 16, list: 18, allocated: 20, cached: 22, cachedMask: 15,
		cache: 40, cacheSize: 8, bits: 128, packed: true, used: 24, lists: 24},
	{tree: trees[0], first: 24, pages: 32, embed: 16, list: 18, allocated: 20, cached: 22, cachedMask: 255, cache: 40,
		cacheSize: 12, bits: 64, used: 24, lists: 24},
	{tree: trees[0], first: 32, pages: 40, embed: 16, list: 18, allocated: 20, cached: 22, cachedMask: 255, cache: 24,
		cacheSize: 4, bits: 64, used: 24, lists: 24},
	{tree: trees[0], first: 32, pages: 40, embed: 18, list: 20, allocated: 16, cached: 22, cachedMask: 255, cache: 24,
		cacheSize: 4, bits: 64, used: 32, lists: 32},
}

// Parts of the words of a packed Span and of an element.
const (
	firstBits   = 35 // of a number of a page
	pagesBits   = 6
	addressBits = 48

	// largeOrSampled has the bits for a span that is large or sampled, by release: 35 and 36, or two of 58 to 62.
	// A release that has other bits leaves these zero.
	largeOrSampled = 3<<firstBits | 31<<58
)

// spanOf returns the address of the span that an element has.
func (l *layout) spanOf(element core.Addr) core.Addr {
	if l.packed {
		return element & (1<<addressBits - 1)
	}
	return element
}

// samePages reports whether the page map and the pages of small spans are the same by another layout.
func (l *layout) samePages(other *layout) bool {
	return l.tree == other.tree && l.first == other.first && l.pages == other.pages &&
		l.pagesBit == other.pagesBit && l.packed == other.packed
}

// layoutsOf returns the layouts of page maps of a shape, one for each way to have the pages of spans.
func layoutsOf(t tree) (out []*layout) {
	for i := range layouts {
		l := &layouts[i]
		same := func(x *layout) bool { return x.samePages(l) && x.large == l.large }
		if l.tree == t && !slices.ContainsFunc(out, same) {
			out = append(out, l)
		}
	}
	return out
}

// hasBits reports whether a span has a bit for each object, as it does unless objects are small.
func (l *layout) hasBits(size uint64) bool { return size >= 1<<pageShift/uint64(l.bits) }

// span reads a span.
func (l *layout) span(c *core.Cursor, at core.Addr) (s span, ok bool) {
	if at%8 != 0 || at == 0 || at>>addressBits != 0 {
		return span{}, false
	}
	first, n := c.U64(at+l.first), c.U64(at+l.pages)
	if l.packed {
		if first&largeOrSampled == 0 {
			n = n >> l.pagesBit & (1<<pagesBits - 1)
		} else {
			n = c.U64(at + l.large)
		}
		first &= 1<<firstBits - 1
	}
	if c.Reset() != nil {
		return span{}, false
	}
	s = span{at: at, start: core.Addr(first << pageShift), size: core.Addr(n << pageShift)}
	return s, first != 0 && n != 0 && first>>(addressBits-pageShift) == 0 && n>>(addressBits-pageShift) == 0
}
