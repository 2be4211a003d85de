package pymalloc

import (
	"context"
	"regexp"
	"sort"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Malloc is CPython's allocator.
type Malloc struct {
	p       *core.Process
	version string
	array   core.Addr // of arena_objects
	arenas  []arena

	mu    sync.Mutex
	read  bool
	heap  block.Heap
	total int // chunks
	*types
}

// program matches the names of modules that hold an interpreter.
var program = regexp.MustCompile(`python(\d+\.\d+)?`)

// Open returns the allocator of the interpreter, if the process has one with arenas.
func Open(ctx context.Context, p *core.Process) []block.Allocator {
	if _, w := p.Words(); p.Space == nil || w != 8 {
		return nil
	}
	for _, m := range p.Modules {
		if !program.MatchString(m.Name()) {
			continue
		}
		if at, all := arenasOf(ctx, p, m); len(all) > 0 {
			return []block.Allocator{&Malloc{p: p, version: versionOf(p), array: at, arenas: all,
				types: newTypes(p, locked)}}
		}
	}
	return nil
}

// versionOf returns the release that the name of a module has; "" if no name has one.
func versionOf(p *core.Process) string {
	for _, m := range p.Modules {
		if found := program.FindStringSubmatch(m.Name()); found != nil && found[1] != "" {
			return found[1]
		}
	}
	return ""
}

// Name implements block.Allocator.
func (h *Malloc) Name() string { return "pymalloc" }

// Version implements block.Allocator: the interpreter's.
func (h *Malloc) Version() string { return h.version }

// Has implements block.Allocator.
func (h *Malloc) Has(a core.Addr) bool {
	i := sort.Search(len(h.arenas), func(i int) bool { return h.arenas[i].start > a }) - 1
	return i >= 0 && a < h.arenas[i].end()
}

// Heap implements block.Allocator.
func (h *Malloc) Heap(ctx context.Context) *block.Heap {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read {
		h.heap, h.total = block.Heap{Lists: lists, Arenas: []block.Arena{{Addr: h.array, Main: true}}}, 0
		h.load(ctx)
		h.read = ctx.Err() == nil
	}
	return &h.heap
}
