package deno

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/deno/sourcemaps"
	"coredbg/runtimes/v8/embedder"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/promise"
	"coredbg/runtimes/v8/sourcemap"
)

// A Reader reads what Deno keeps.
type Reader struct {
	*rustMemory
	objects *object.Reader
	heaps   *heap.Walker
	frames  *frame.Decoder

	maps *sourcemaps.Finder

	functionsMu sync.Mutex
	functions   []heap.SharedFunction // of all heaps; nil until they were read
	contextsMu  sync.Mutex
	contexts    []opContexts // nil until they were read; see allContexts
}

var (
	_ embedder.Locator   = (*Reader)(nil)
	_ embedder.MapKeeper = (*Reader)(nil)
)

// Probe returns a reader of Deno's data in a program that is Deno.
func Probe(p *embedder.Program) embedder.Embedder {
	if p.Name != embedder.Deno {
		return nil
	}
	return &Reader{rustMemory: &rustMemory{p.Objects.Memory}, objects: p.Objects, heaps: p.Heaps, frames: p.Frames,
		maps: sourcemaps.New(p.Objects.Process)}
}

// Name implements embedder.Embedder.
func (dr *Reader) Name() string { return "Deno" }

// SourceMaps implements embedder.MapKeeper.
func (dr *Reader) SourceMaps(ctx context.Context, name, code string) []sourcemap.Kept {
	return dr.maps.SourceMaps(ctx, name, code)
}

// errNoCore says that nothing of Deno's core was found.
var errNoCore = core.Unknown(errors.New("deno: no function of ext:core leads to the promises of ops"))

// corePrefix is how scripts of Deno's core are named.
const corePrefix = "ext:core/"

// all returns the functions of the heaps.
func (dr *Reader) all(ctx context.Context) ([]heap.SharedFunction, error) {
	dr.functionsMu.Lock()
	defer dr.functionsMu.Unlock()
	if dr.functions != nil {
		return dr.functions, nil
	}
	h, err := dr.heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list, err := h.Functions(ctx)
	if err == nil && ctx.Err() == nil {
		dr.functions = list
	}
	return list, err
}

// A scope is what the functions of a script of Deno's own in one realm close over.
type scope struct {
	context   layout.Tagged
	heap      core.Addr // of its objects
	variables map[string]object.Slot
}

// scopes returns the contexts of functions in scripts whose name has the prefix that have all of
// the named variables, each once.
func (dr *Reader) scopes(ctx context.Context, prefix string, names ...string) ([]scope, error) {
	list, err := dr.all(ctx)
	if err != nil {
		return nil, err
	}
	var out []scope
	seen := map[layout.Tagged]bool{}
	for i := range list {
		f := &list[i]
		if !strings.HasPrefix(f.File, prefix) {
			continue
		}
		for _, c := range f.Closures {
			at, ok := dr.Field(layout.Tag(c), dr.Layout.JSFunction.Context)
			if !ok || seen[at] {
				continue
			}
			seen[at] = true
			found, _ := dr.objects.Contexts(layout.Tag(c))
			for _, x := range found {
				if x.Word != at && seen[x.Word] {
					break
				}
				seen[x.Word] = true
				if s, ok := dr.scopeOf(x, names); ok {
					out = append(out, s)
				}
			}
		}
	}
	return out, ctx.Err()
}

func (dr *Reader) scopeOf(c *object.Context, names []string) (scope, bool) {
	s := scope{context: c.Word, variables: map[string]object.Slot{}}
	for _, x := range c.Variables {
		s.variables[x.Name] = x.Slot
	}
	for _, n := range names {
		if _, ok := s.variables[n]; !ok {
			return s, false
		}
	}
	s.heap = dr.heapAt(c.Word.Addr())
	return s, true
}

// heapAt returns the heap whose page an address is on; 0 if it is on none.
func (dr *Reader) heapAt(a core.Addr) core.Addr {
	h, err := dr.heaps.Snapshot(context.Background())
	if err != nil {
		return 0
	}
	p, ok := heap.PageIndex(h.Pages).At(a)
	if !ok {
		return 0
	}
	return p.Heap
}

// number is the value of a variable that holds a number.
func (dr *Reader) number(s object.Slot) (float64, bool) {
	if s.Raw {
		return s.Double, true
	}
	return dr.Number(s.Word)
}

// member reads a property of an object.
func (dr *Reader) member(o layout.Tagged, name string) (layout.Tagged, bool) {
	p, ok := dr.objects.OwnProperty(o, name)
	return p.Value, ok && dr.IsReceiver(o)
}

// waits returns the nearest place that waits for a promise, directly or through others,
// and the nearest in a program's own file.
func (dr *Reader) waits(promise layout.Tagged) (nearest, program frame.Place, kind promise.WaitKind) {
	const most = 1 << 10
	queue, seen := []layout.Tagged{promise}, map[layout.Tagged]bool{}
	for len(queue) > 0 && len(seen) < most {
		p := queue[0]
		queue = queue[1:]
		if p == 0 || seen[p] {
			continue
		}
		seen[p] = true
		list, _ := dr.frames.Promises.Waiters(p)
		for i := range list {
			w := &list[i]
			if kind == "" {
				kind = w.Kind
			}
			if at, ok := dr.frames.WaiterPlace(w); ok {
				if nearest == (frame.Place{}) {
					nearest = at
				}
				if program == (frame.Place{}) && at.OfProgram() {
					return nearest, at, kind
				}
			}
			queue = append(queue, w.Next)
		}
	}
	return nearest, program, kind
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
