package heap

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
)

// A SpaceKind is how a space keeps its objects.
type SpaceKind string

// The kinds of spaces (runtime/gc/space).
const (
	RegionSpace      SpaceKind = "region"
	BumpPointerSpace SpaceKind = "bump-pointer"
	DlMallocSpace    SpaceKind = "dlmalloc"
	RosAllocSpace    SpaceKind = "rosalloc"
	ZygoteSpace      SpaceKind = "zygote"
	ImageSpace       SpaceKind = "image"
	LargeMapSpace    SpaceKind = "large-map"
	LargeListSpace   SpaceKind = "large-free-list"
	OtherSpace       SpaceKind = "unknown"
)

// A Space is a gc::space::Space of the heap.
type Space struct {
	Addr core.Addr
	Name string // as ART calls it: "main space (region space)"
	Kind SpaceKind
	// Begin to End is what was given out, Begin to Limit what the space may
	// grow to. For large objects they are the bounds of all of them.
	Begin, End, Limit core.Addr
	// Problem says which parts could not be read or are invalid. It is "" if all is well.
	Problem string
}

// Contains reports whether an address is within the space's bounds.
func (s *Space) Contains(a core.Addr) bool { return s.Begin <= a && a < s.Limit }

// Bounds on what a heap may have.
const (
	maxSpaces     = 1 << 10
	maxRegions    = 1 << 22 // 4 GiB hold 1<<14 regions of 256 KiB
	maxLarge      = 1 << 22
	maxStack      = 1 << 26 // entries of an allocation stack
	maxSpaceName  = 4096
	maxBumpBlocks = 1 << 22
	heapProbe     = 2048 // bytes of a gc::Heap searched for its allocation stacks
)

// vtables are the symbols that name a space's class.
var vtables = []struct {
	part string
	kind SpaceKind
}{{"11RegionSpace", RegionSpace}, {"16BumpPointerSpace", BumpPointerSpace}, {"13DlMallocSpace", DlMallocSpace},
	{"13RosAllocSpace", RosAllocSpace}, {"11ZygoteSpace", ZygoteSpace}, {"10ImageSpace", ImageSpace},
	{"19LargeObjectMapSpace", LargeMapSpace}, {"13FreeListSpace", LargeListSpace}}

// spaceNames are what ART calls its spaces (runtime/gc/heap.cc), for a libart
// without symbols.
var spaceNames = []struct {
	prefix string
	kind   SpaceKind
}{{"main space (region space)", RegionSpace}, {"Bump pointer space", BumpPointerSpace},
	{"main rosalloc space", RosAllocSpace},
	{"main dlmalloc space", DlMallocSpace}, {"non moving space", DlMallocSpace},
	{"zygote space", DlMallocSpace}, {"zygote / non moving space", DlMallocSpace}, {"Zygote space", ZygoteSpace},
	{"mem map large object space", LargeMapSpace}, {"free list large object space", LargeListSpace}, {"/", ImageSpace}}

// readSpaces reads the two vectors of a gc::Heap, {begin, end, capacity}.
func (w *Walker) readSpaces(heap core.Addr) ([]*Space, error) {
	l := &w.Layout.Mirror.Heap
	var out []*Space
	for _, off := range []int{l.Continuous, l.Discontinuous} {
		at := heap.Add(int64(off))
		begin, ok1 := w.Pointer(at)
		end, ok2 := w.Pointer(at + core.Addr(w.PtrSize))
		n := uint64(end-begin) / uint64(w.PtrSize)
		if !ok1 || !ok2 || end < begin || n > maxSpaces {
			return out, fmt.Errorf("art: gc::Heap at %v: its list of spaces at %v cannot be read", heap, at)
		}
		for i := range core.Addr(n) {
			p, ok := w.Pointer(begin + i*core.Addr(w.PtrSize))
			if !ok || p == 0 || slices.ContainsFunc(out, func(s *Space) bool { return s.Addr == p }) {
				continue
			}
			s := w.readSpace(p, off == l.Discontinuous)
			if off == l.Continuous {
				s.apart(out)
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// apart finds fault with a space that overlaps one of others, as continuous ones
// never do.
func (s *Space) apart(others []*Space) {
	for _, o := range others {
		if s.Problem == "" && s.Begin < o.Limit && o.Begin < s.Limit {
			s.Problem = fmt.Sprintf("it overlaps %s", o.Name)
		}
	}
}

// readSpace reads a space; large is set for one of large objects.
func (w *Walker) readSpace(at core.Addr, large bool) *Space {
	l := &w.Layout.Mirror
	s := &Space{Addr: at, Kind: OtherSpace}
	name, ok := w.StdString(at.Add(int64(l.Space.Name)), w.Layout.Library, maxSpaceName)
	if !ok {
		s.Problem = fmt.Sprintf("the name of the space at %v cannot be read", at)
	}
	s.Name = name
	s.Kind = w.spaceKind(at, name)
	r := w.Cursor()
	if large {
		s.Begin, s.End = r.Pointer(at.Add(int64(l.LargeObject.Begin))), r.Pointer(at.Add(int64(l.LargeObject.End)))
		s.Limit = s.End
		if s.Kind == LargeMapSpace && s.Begin > s.End { // no object so far
			s.Begin, s.End, s.Limit = 0, 0, 0
		}
	} else {
		s.Begin, s.End = r.Pointer(at.Add(int64(l.Space.Begin))), r.Pointer(at.Add(int64(l.Space.End)))
		s.Limit = r.Pointer(at.Add(int64(l.Space.Limit)))
	}
	switch err := r.Err(); {
	case err != nil:
		s.Problem = err.Error()
	case s.Begin > s.End || s.End > s.Limit || s.Limit > 1<<32:
		s.Problem = fmt.Sprintf("its bounds %v, %v, %v cannot be", s.Begin, s.End, s.Limit)
		s.Begin, s.End, s.Limit = 0, 0, 0
	}
	return s
}

// spaceKind identifies a space by the symbol of its vtable, or by its name.
func (w *Walker) spaceKind(at core.Addr, name string) SpaceKind {
	if table, ok := w.Pointer(at); ok && w.Symbols != nil {
		if y, _, ok := w.Symbols.Lookup(table); ok {
			for _, v := range vtables {
				if strings.HasPrefix(y.Name, "_ZTVN3art2gc5space"+v.part) {
					return v.kind
				}
			}
		}
	}
	for _, n := range spaceNames {
		if strings.HasPrefix(name, n.prefix) {
			return n.kind
		}
	}
	return OtherSpace
}

// A bitmap is a SpaceBitmap<8>: a bit for each place where an object can begin.
type bitmap struct {
	words     core.Addr
	heapBegin core.Addr
	bytes     uint64 // of words
}

// bitmapOf reads the bitmap that a space has at an offset.
func (w *Walker) bitmapOf(space core.Addr, off int) (bitmap, bool) {
	l := &w.Layout.Mirror.Bitmap
	if off == layout.Unknown {
		return bitmap{}, false
	}
	at := space.Add(int64(off))
	if l.Inline == 0 {
		p, ok := w.Pointer(at)
		if !ok || p == 0 {
			return bitmap{}, false
		}
		at = p
	}
	r := w.Cursor()
	b := bitmap{r.Pointer(at.Add(int64(l.Begin))), r.Pointer(at.Add(int64(l.HeapBegin))), r.Word(at.Add(int64(l.Size)))}
	return b, r.Err() == nil && b.words != 0 && b.bytes <= 1<<32/object.Alignment/8
}

// each calls visit for every marked place from lo up to hi, until it returns
// false. The error says which bits could not be read; the others are visited.
func (b bitmap) each(a *Walker, lo, hi core.Addr, visit func(core.Addr) bool) error {
	const chunk = 4096
	lo, hi = max(lo, b.heapBegin), min(hi, b.heapBegin+core.Addr(b.bytes*8*object.Alignment))
	var failed error
	for at := (lo - b.heapBegin) / object.Alignment / 64 * 8; hi > lo && at < core.Addr(b.bytes); at += chunk {
		if b.heapBegin+at*8*object.Alignment >= hi {
			break
		}
		bits, err := a.Space.Slice(b.words+at, int(min(chunk, b.bytes-uint64(at))))
		// The kernel does not dump private memory that was never written to (fs/coredump.c, vma_dump_size): it
		// has no bit.
		if f := core.Fault(err); err != nil && failed == nil && (f == nil || f.Gap != core.NotDumped) {
			failed = err
		}
		for i, v := range bits {
			for bit := 0; v != 0; bit, v = bit+1, v>>1 {
				o := b.heapBegin + ((at+core.Addr(i))*8+core.Addr(bit))*object.Alignment
				if v&1 != 0 && o >= lo && o < hi && !visit(o) {
					return failed
				}
			}
		}
	}
	return failed
}

// allocationStacks returns the entries of the heap's allocation and live stacks:
// objects that spaces with bitmaps got since the last collections began. The
// stacks are found by the names that their AtomicStacks carry, since where
// gc::Heap keeps them changes with every version.
func (w *Walker) allocationStacks(heap core.Addr) ([]core.Addr, error) {
	l := &w.Layout.Mirror.AtomicStack
	var out []core.Addr
	found := 0
	for off := core.Addr(0); off < heapProbe && found < 2; off += core.Addr(w.PtrSize) {
		p, ok := w.Pointer(heap + off)
		if !ok {
			break
		}
		if p == 0 || p%core.Addr(w.PtrSize) != 0 {
			continue
		}
		name, ok := w.StdString(p, w.Layout.Library, 64)
		if !ok || name != "allocation stack" && name != "live stack" {
			continue
		}
		found++
		n, ok1 := w.U32(p.Add(int64(l.Back)))
		begin, ok2 := w.Pointer(p.Add(int64(l.Begin)))
		if !ok1 || !ok2 || n > maxStack {
			return out, fmt.Errorf("art: the %s at %v cannot be read", name, p)
		}
		for i := uint32(0); i < n; i += 1024 {
			b, err := w.Space.Slice(begin+core.Addr(4*i), int(4*min(1024, n-i)))
			for ; len(b) >= 4; b = b[4:] {
				if v := w.Order.Uint32(b); v != 0 {
					out = append(out, core.Addr(v))
				}
			}
			if err != nil {
				return out, fmt.Errorf("art: the %s at %v: %w", name, p, err)
			}
		}
	}
	slices.Sort(out)
	if found == 0 {
		return nil, fmt.Errorf("art: gc::Heap at %v: its allocation stack was not found", heap)
	}
	return slices.Compact(out), nil
}
