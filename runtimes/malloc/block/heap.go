package block

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/core"
)

// An Allocator is one allocator of a process.
type Allocator interface {
	Name() string    // "glibc"
	Version() string // "2.36"; "" if nothing says it
	// Has reports whether an address lies in its memory, as far as that shows without its chunks.
	Has(a core.Addr) bool
	// Heap returns all chunks, which are read once.
	Heap(ctx context.Context) *Heap
}

// Heaps returns the memory of allocators.
func Heaps(ctx context.Context, all []Allocator) []*Heap {
	out := make([]*Heap, len(all))
	for i, a := range all {
		out[i] = a.Heap(ctx)
	}
	return out
}

// A Typer is an Allocator of a runtime that writes into objects what they are.
type Typer interface {
	Allocator
	// TypeOf returns the type of the object in a block in use, which may be a block of another allocator; ""
	// if it holds none.
	TypeOf(at core.Addr, size uint64) string
}

// A Locator is an Allocator that can tell the chunk at an address by the memory around it.
type Locator interface {
	Allocator
	// Locate returns the chunk whose usable bytes hold a. If sure is false, the chunks around the address do not tell.
	Locate(ctx context.Context, a core.Addr) (x Near, found, sure bool)
}

// A Heap is the memory of an allocator. It does not change once it was read.
type Heap struct {
	Arenas  []Arena
	Regions []Region // in order of address, without overlap
	Lists   []string // of free chunks, by number; the first is ""
	Breaks  []Break
	Strays  []Stray
	// Header is how many bytes before a chunk the address is that a free one refers to itself by, in its
	// third and fourth words; 0 if none does. What is given out may still have it.
	Header core.Addr
	Own    []Span // records of the allocator, whose pointers keep no block
	// Notes say what of it is not known, a sentence each.
	Notes []string

	count int // of chunks; see Done
}

// An Arena is a part of an allocator that has lists of its own.
type Arena struct {
	Addr   core.Addr // of its record; 0 if Name says which it is
	Name   string    // the allocator's own name for it, such as a number; "" for none
	Main   bool
	System uint64 // bytes that it has of the system, as it says itself; 0 if it does not
}

// String returns the allocator's own name of an arena, or its address.
func (a *Arena) String() string {
	if a.Name != "" {
		return a.Name
	}
	return a.Addr.String()
}

// A Span is a range of memory.
type Span struct{ Start, End core.Addr }

// Separate sorts a list by address, and drops each element that overlaps one before.
func Separate[T any](list []T, span func(T) Span) []T {
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(span(a).Start, span(b).Start) })
	out, end := list[:0], core.Addr(0)
	for _, x := range list {
		if s := span(x); len(out) == 0 || s.Start >= end {
			out, end = append(out, x), s.End
		}
	}
	return out
}

// A Region is a stretch of memory with one chunk after the other.
type Region struct {
	Start, End core.Addr
	Arena      int  // of Heap.Arenas; -1 for none
	Mapped     bool // the system gave it for one chunk alone
	Rounded    bool // sizes are rounded up to a few classes, and the bytes behind an object are zero
	Chunks     []Packed
	first      int    // the number of the first chunk
	Missing    uint64 // bytes that the core does not have
	Lost       uint64 // bytes whose chunks are not known
}

// A Break is where a header does not fit to the chunk before: it was overwritten, most
// likely from that one.
type Break struct {
	At     core.Addr // of the header's size
	Value  uint64    // what is there
	Before Chunk     // what was overrun, its state is not known
	Why    string
	Top    bool // it is the header of the rest of the heap
	Again  bool // it is not the first of its region
	Past   bool // it is a guard byte of the block before, which was written past
	Apart  bool // it is a record that lies apart from blocks, and contradicts itself; Before is empty
	Intact bool // the word before the header is as it was: a write from the block before would have gone over it
}

// A Stray is a link of a list of free chunks that leads to none: memory was written after it was
// freed, or a chunk was overrun.
type Stray struct {
	At    core.Addr // of the link
	Value core.Addr // where it leads
	List  string    // "tcache", "fastbin", "bin"
	Size  uint64    // of the list's chunks, in bytes with their headers; 0 for bins
	Twice bool      // Value is a chunk that the lists have already: it was freed twice
}

// Self reports whether a link leads to its own block. Such a block was freed twice in a row, or its first
// word was written to after it was freed.
func (s *Stray) Self() bool { return s.Twice && s.At == s.Value }

// Bounds of the damage that a Heap lists.
const (
	MaxStrays = 16
	MaxBreaks = 256
)

// Stray adds a stray link, up to MaxStrays.
func (h *Heap) Stray(s Stray) {
	if len(h.Strays) < MaxStrays {
		h.Strays = append(h.Strays, s)
	}
}

// Break adds a break, up to MaxBreaks, and reports whether it did.
func (h *Heap) Break(b Break) bool {
	if len(h.Breaks) >= MaxBreaks {
		return false
	}
	h.Breaks = append(h.Breaks, b)
	return true
}

// Contradiction adds a record apart from blocks that contradicts itself: "page".
func (h *Heap) Contradiction(at core.Addr, value uint64, record, why string) {
	h.Break(Break{At: at, Value: value, Apart: true,
		Why: fmt.Sprintf("the record of %s does not hold together: %s", record, why)})
}

// Done numbers the chunks, after the regions were filled.
func (h *Heap) Done() {
	h.count = 0
	for i := range h.Regions {
		h.Regions[i].first = h.count
		h.count += len(h.Regions[i].Chunks)
	}
}

// Len returns how many chunks there are, free ones included.
func (h *Heap) Len() int { return h.count }

// Read returns how many bytes of the regions have known chunks, and how many there are.
func (h *Heap) Read() (known, all uint64) {
	for i := range h.Regions {
		r := &h.Regions[i]
		n := uint64(r.End - r.Start)
		all += n
		known += n - min(n, r.Missing+r.Lost)
	}
	return known, all
}
