package glibc

import (
	"errors"
	"sort"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// ErrNone says that the process has no such allocator, or that it was not found.
var ErrNone = errors.New("no arena of the GNU C library's malloc was found")

// Malloc is what is known of the allocator.
type Malloc struct {
	p      *core.Process
	l      layout
	params params
	arenas []core.Addr
	of     *core.Module
	spans  []span

	mu    sync.Mutex
	read  bool
	heap  block.Heap
	links int // of lists that were followed
	walks uint64

	threads struct { // what is known of their caches without the chunks
		read, all bool
		list      []foundCache
	}

	release sync.Once
	version string
}

// Lists of free chunks, by number.
const (
	inTcache = 1 + iota
	inFast
	inBin
)

// Name implements block.Allocator.
func (h *Malloc) Name() string { return "glibc" }

// Idle reports whether it has no memory: the process uses another allocator.
func (h *Malloc) Idle() bool { return len(h.spans) == 0 && h.params.mmaps == 0 }

// Has implements block.Allocator.
func (h *Malloc) Has(a core.Addr) bool {
	i := sort.Search(len(h.spans), func(i int) bool { return h.spans[i].start > a }) - 1
	return i >= 0 && a < h.spans[i].end
}

// A span is a stretch of memory that holds one chunk after the other.
type span struct {
	start, end core.Addr
	arena      int
	top        core.Addr
	main       bool
	starts     []core.Addr // where the first chunk may be, the surest first
}

// begins returns the chunk that begins at an address, as malloc returned it.
func (h *Malloc) begins(a core.Addr) (block.Ref, bool) {
	r, ok := h.heap.Around(a)
	if !ok || h.heap.Packed(r).At != a || h.heap.Packed(r).State() == block.Lost {
		return r, false
	}
	return r, true
}
