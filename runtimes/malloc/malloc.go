package malloc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/glibc"
	"coredbg/runtimes/malloc/gtcmalloc"
	"coredbg/runtimes/malloc/jemalloc"
	"coredbg/runtimes/malloc/mimalloc"
	"coredbg/runtimes/malloc/musl"
	"coredbg/runtimes/malloc/oldmalloc"
	"coredbg/runtimes/malloc/pymalloc"
	"coredbg/runtimes/malloc/tcmalloc"
)

// What allocators say, by the names of block.
type (
	Chunk = block.Chunk
	State = block.State
	Break = block.Break
	Stray = block.Stray
)

// The states of chunks.
const (
	Used = block.Used
	Free = block.Free
	Top  = block.Top
	Lost = block.Lost
)

// ErrNone says that the process has no allocator that is known, or that none was found.
var ErrNone = errors.New("the process has no allocator of C that is known, or none was found")

// A Heap is the allocators of a process.
type Heap struct {
	All []block.Allocator
	// Unread are the names of libraries of allocators whose memory was not found: their releases are not
	// known, or they are idle.
	Unread []string
}

// Open finds the allocators. The error is ErrNone.
func Open(ctx context.Context, p *core.Process) (*Heap, error) {
	h := &Heap{}
	h.All = append(h.All, jemalloc.Open(ctx, p)...)
	for _, a := range mimalloc.Open(ctx, p) {
		if m, ok := a.(*mimalloc.Malloc); ok && m.Python() {
			a = pymalloc.ObjectsOf(p, m)
		}
		h.All = append(h.All, a)
	}
	h.All = append(h.All, musl.Open(ctx, p)...)
	h.All = append(h.All, oldmalloc.Open(ctx, p)...)
	h.All = append(h.All, tcmalloc.Open(ctx, p)...)
	h.All = append(h.All, gtcmalloc.Open(ctx, p)...)
	if g, err := glibc.Open(ctx, p); err == nil && (len(h.All) == 0 || !g.Idle()) {
		h.All = append([]block.Allocator{g}, h.All...)
	}
	h.All = append(h.All, pymalloc.Open(ctx, p)...)
	h.Unread = unread(p, h.All)
	if len(h.All) == 0 && len(h.Unread) > 0 {
		return nil, fmt.Errorf("%w: %s may be a release that is not known", ErrNone, strings.Join(h.Unread, ", "))
	}
	if len(h.All) == 0 {
		return nil, ErrNone
	}
	return h, nil
}

// libraries are what the names of allocators' libraries begin with, and the allocators' own.
var libraries = map[string]string{"libjemalloc": "jemalloc", "libmimalloc": "mimalloc", "libtcmalloc": "tcmalloc"}

// unread returns the names of libraries whose allocators are not among those that were found.
func unread(p *core.Process, all []block.Allocator) []string {
	var out []string
	for _, m := range p.Modules {
		for prefix, name := range libraries {
			if strings.HasPrefix(m.Name(), prefix) &&
				!slices.ContainsFunc(all, func(a block.Allocator) bool { return a.Name() == name }) {
				out = append(out, m.Name())
			}
		}
	}
	return out
}

// A Found is a chunk with its place.
type Found struct {
	block.Near
	Allocator block.Allocator
	Heap      *block.Heap // nil if At has found the chunk alone
	Ref       block.Ref
}

// Find returns the chunk whose memory holds a. It reads all chunks.
func (h *Heap) Find(ctx context.Context, a core.Addr) (Found, bool) {
	for _, x := range h.All {
		if f, ok := find(ctx, x, a); ok {
			return f, true
		}
	}
	return Found{}, false
}

func find(ctx context.Context, x block.Allocator, a core.Addr) (Found, bool) {
	heap := x.Heap(ctx)
	r, ok := heap.Around(a)
	if !ok {
		return Found{}, false
	}
	return Found{heap.Near(r), x, heap, r}, true
}

// At returns what Find does. It reads only the chunks around the address if its allocator can tell the chunk by them.
func (h *Heap) At(ctx context.Context, a core.Addr) (Found, bool) {
	for _, x := range h.All {
		if l, ok := x.(block.Locator); ok {
			n, found, sure := l.Locate(ctx, a)
			if sure && found {
				return Found{Near: n, Allocator: x}, true
			}
			if sure {
				continue
			}
		}
		if f, ok := find(ctx, x, a); ok {
			return f, true
		}
	}
	return Found{}, false
}

// Chunk returns the chunk whose memory holds a.
func (h *Heap) Chunk(ctx context.Context, a core.Addr) (Chunk, bool) {
	f, ok := h.Find(ctx, a)
	return f.Chunk, ok && f.State != Lost
}

// Has reports whether a lies in the memory of an arena.
func (h *Heap) Has(a core.Addr) bool {
	for _, x := range h.All {
		if x.Has(a) {
			return true
		}
	}
	return false
}

// Owner returns the allocator that has an address in its records or in the memory of its arenas; nil for none.
func (h *Heap) Owner(ctx context.Context, a core.Addr) block.Allocator {
	for _, x := range h.All {
		if x.Has(a) || slices.ContainsFunc(x.Heap(ctx).Own,
			func(s block.Span) bool { return a >= s.Start && a < s.End }) {
			return x
		}
	}
	return nil
}

// Broken returns the first break of each region. A record apart from blocks is none: a thread that was in the
// allocator may be at it.
func (h *Heap) Broken(ctx context.Context) []Break {
	var out []Break
	for _, x := range h.All {
		for _, b := range x.Heap(ctx).Breaks {
			if !b.Again && !b.Apart {
				out = append(out, b)
			}
		}
	}
	return out
}

// Strays returns the links that lead astray, links of small chunks first.
func (h *Heap) Strays(ctx context.Context) []Stray {
	var out []Stray
	for _, x := range h.All {
		out = append(out, x.Heap(ctx).Strays...)
	}
	return out
}
