package js

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/v8/heap"
)

func walkObjects(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	_, h, err := target.Heap(ctx, c)
	if err != nil {
		return err
	}
	for _, a := range h.All() {
		if !yield(a) {
			return nil
		}
	}
	return nil
}

func walkIsolates(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	_, h, err := target.Heap(ctx, c)
	if err != nil {
		return err
	}
	for _, x := range h.Isolates(ctx) {
		if x.Addr != 0 && !yield(x.Addr) {
			return nil
		}
	}
	return nil
}

var v8heapCommand = commands.Command{
	Name: "v8heap", Module: target.Module, Addr: commands.AddrNone,
	Summary: "show the heap of each isolate in numbers",
	Detail: `Used is what objects take, garbage included that was not swept yet; available is free
lists and allocation areas on pages that V8 has; committed is the pages themselves,
without the pages that V8 was about to give back, which ::v8spaces lists as freed_pages.
Buffers are the bytes of ArrayBuffers outside the heap, each counted once, over all
isolates.

Below are the numbers that V8 would have reported for each isolate, with the names of
Node's v8.getHeapStatistics(): limits, memory outside the heap, contexts. They come from
V8's own code, which is run on a copy of the process' memory; what it cannot be
followed to is unknown. The limits of the generations are guesses: two numbers that
this code read and that make up the limit. With -v the spaces follow, as v8.getHeapSpaceStatistics() has
them.

In JSON: {"type":"v8heap",...} for each heap, then for each isolate
{"type":"v8heapstatistics","isolate":"0x...","computed_by":FUNCTION,"heap":{NAME:N},
"guessed":[NAME],"spaces":[{"space_name":S,NAME:N}]}, without the numbers that are
unknown; "unknown" says why if all are.

If the process died within a garbage collection, a warning says so, and how many
objects may count twice because they were just being copied.`,
	Options: []commands.Option{{Letter: 'v', Help: "show the spaces as V8 would have reported them"}},
	Example: "::v8heap",
	SeeAlso: []string{"v8spaces", "findjsobjects"},
	Run:     runHeap,
}

// heapRecord is the heap of an isolate.
type heapRecord struct {
	_         out.Record `record:"v8heap" cols:"heap isolate Objects Used Available Committed"`
	Isolate   core.Addr  `json:"isolate,omitzero"`
	Heap      core.Addr  `json:"addr,omitzero" dot:"nonzero"` // 0 for memory that isolates share
	Objects   int        `json:"objects" col:"OBJECTS,10,right"`
	Used      uint64     `json:"used" col:"USED,12,right"`
	Available uint64     `json:"available" col:"AVAILABLE,12,right"`
	Committed uint64     `json:"committed" col:"COMMITTED,12,right"`
	Buffers   int        `json:"buffers,omitempty"`
	External  uint64     `json:"buffer_bytes,omitempty"`
	last      bool
	heap      string `col:"HEAP,16,right"`
	isolate   string `col:"ISOLATE,16,right"`
}

func runHeap(ctx context.Context, c *commands.Call) error {
	v, h, err := target.Heap(ctx, c)
	if err != nil {
		return err
	}
	warnCollections(c, h)
	var rows []*heapRecord
	for i := range h.Spaces {
		s := &h.Spaces[i]
		if s.Name == heap.FreedPages {
			continue
		}
		if n := len(rows); n == 0 || rows[n-1].Heap != core.Addr(s.Heap) {
			rows = append(rows, &heapRecord{Isolate: core.Addr(s.Isolate), Heap: core.Addr(s.Heap)})
		}
		r := rows[len(rows)-1]
		r.Objects, r.Used = r.Objects+s.Walk.Objects, r.Used+s.Used()
		r.Available, r.Committed = r.Available+s.Available(), r.Committed+s.Committed
	}
	if n := len(rows); n > 0 {
		rows[n-1].Buffers, rows[n-1].External = h.ArrayBuffers()
		rows[n-1].last = true
	}
	for _, r := range rows {
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return emitStatistics(ctx, c, v, h)
}

// warnCollections warns about each garbage collection that was under way: which figures may be wrong, and by
// how much.
func warnCollections(c *commands.Call, h *heap.Snapshot) {
	if !c.First {
		return
	}
	for _, x := range h.Collections {
		c.Warn("thread %d was in a collection (%s): what was not moved yet is counted where it was",
			x.Thread.TID, x.Kind)
	}
	if h.Doubtful > 0 {
		c.Warn("%s may count twice, as copies that were just being made", out.Count(h.Doubtful, "object"))
	}
}

// Prepare implements out.Preparer.
func (r *heapRecord) Prepare() {
	r.heap, r.isolate = "shared", "-"
	if r.Heap != 0 {
		r.heap, r.isolate = fmt.Sprintf("%x", uint64(r.Heap)), fmt.Sprintf("%x", uint64(r.Isolate))
	}
}

// Details writes the totals for memory outside the heaps.
func (r *heapRecord) Details(w *out.Writer) {
	if r.last {
		w.Printf("%d buffers with %d bytes outside the heaps\n", r.Buffers, r.External)
	}
}

var v8verifyCommand = commands.Command{
	Name: "v8verify", Module: target.Module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'v', Help: "list the places where objects could not be separated"}},
	Summary: "walk the heap and show how well it fits together",
	Detail: `Every object's end must be the next one's start. Where that is not so the next object
is searched for, and the skipped bytes are counted: after damage, in a collection
that was under way, and where V8's layout is not the one that is known. Memory that
a thread has just taken for an object, and not yet written, is counted apart where
the thread still has its address.`,
	Example: "::v8verify -v",
	SeeAlso: []string{"v8spaces", "v8version"},
	Run: func(ctx context.Context, c *commands.Call) error {
		v, err := target.V8(c)
		if err != nil {
			return err
		}
		h, err := v.Heaps.Snapshot(ctx)
		if err != nil {
			return err
		}
		return c.Emit(newVerify(h, c.Flag('v')))
	},
}

// verifyRecord says how well the heap could be walked.
type verifyRecord struct {
	_         out.Record   `record:"v8verify"`
	Pages     int          `json:"pages"`
	Objects   int          `json:"objects"`
	Bytes     uint64       `json:"bytes"`
	Free      uint64       `json:"free"`
	Unused    uint64       `json:"unused"`
	Skipped   uint64       `json:"skipped"`
	Resyncs   int          `json:"resyncs"`
	BadMaps   int          `json:"bad_maps"`
	Forwarded int          `json:"forwarded"`
	Missing   uint64       `json:"missing"`
	Making    uint64       `json:"being_made,omitempty"`
	Losses    []lossRecord `json:"losses,omitempty"`
	// Collections are the collections that were under way.
	Collections []collectionRecord `json:"collections,omitempty"`
	Doubtful    int                `json:"may_count_twice,omitempty"`
}

// collectionRecord is a collection of garbage that was under way.
type collectionRecord struct {
	Kind string    `json:"kind"` // "scavenge" or "mark-compact"
	TID  int       `json:"tid"`
	Heap core.Addr `json:"heap,omitzero"`
}

// lossRecord is a place where objects could not be separated.
type lossRecord struct {
	Addr   core.Addr `json:"addr"`
	Bytes  uint64    `json:"bytes"`
	What   string    `json:"instance_type,omitempty"`
	Before string    `json:"before,omitempty"`
}

func newVerify(h *heap.Snapshot, verbose bool) *verifyRecord {
	s := &h.Stats
	r := &verifyRecord{Pages: s.Pages, Objects: s.Objects, Bytes: s.Bytes, Free: s.Free, Unused: s.Unused,
		Skipped: s.Skipped, Resyncs: s.Resyncs, BadMaps: s.BadMaps, Forwarded: s.Forwarded, Missing: s.Missing,
		Making: s.Making, Doubtful: h.Doubtful}
	for _, x := range h.Collections {
		r.Collections = append(r.Collections, collectionRecord{x.Kind, x.Thread.TID, core.Addr(x.Heap)})
	}
	if verbose {
		for _, l := range s.Losses {
			r.Losses = append(r.Losses, lossRecord{l.Addr, l.Bytes, l.Type, l.Before})
		}
	}
	return r
}

// Text writes the numbers.
func (r *verifyRecord) Text(w *out.Writer) {
	w.Printf("%d objects of %d bytes on %d pages, %d bytes free, %d bytes not used yet\n", r.Objects, r.Bytes, r.Pages,
		r.Free, r.Unused)
	w.Printf("%d bytes passed over in %d places, %d first words that are not maps, %d objects being moved, %d bytes not in the core\n",
		r.Skipped, r.Resyncs, r.BadMaps, r.Forwarded, r.Missing)
	for _, x := range r.Collections {
		w.Printf("thread %d was in a collection: %s\n", x.TID, x.Kind)
	}
	if r.Making > 0 {
		w.Printf("%d bytes of objects that a thread was making\n", r.Making)
	}
	if r.Doubtful > 0 {
		w.Printf("%s may count twice\n", out.Count(r.Doubtful, "object"))
	}
	for _, l := range r.Losses {
		what := l.What
		if what == "" {
			what = "no map"
		}
		w.Printf("    %x: %d bytes, %s", uint64(l.Addr), l.Bytes, what)
		if l.Before != "" {
			w.Printf(", after %s", l.Before)
		}
		w.Printf("\n")
	}
}
