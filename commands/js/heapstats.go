package js

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
)

// statisticsRecord is what V8 would have reported of the heap of an isolate.
type statisticsRecord struct {
	_       out.Record `record:"v8heapstatistics"`
	Isolate core.Addr  `json:"isolate"`
	// the part of V8's code that was run on a copy of the memory
	How     string               `json:"computed_by,omitempty"`
	Heap    map[string]uint64    `json:"heap"`
	Guessed []string             `json:"guessed,omitempty"` // keys of heap that were recognised by their values alone
	Spaces  []map[string]any     `json:"spaces,omitempty"`
	Unknown string               `json:"unknown,omitempty"` // why nothing is known
	all     *heap.HeapStatistics // including unknown values, in order
	verbose bool
}

// emitStatistics emits the statistics of each isolate. That there are none for one
// takes nothing from the others.
func emitStatistics(ctx context.Context, c *commands.Call, v *v8.V8, h *heap.Snapshot) error {
	for _, x := range h.Isolates(ctx) {
		if x.Addr == 0 {
			continue
		}
		s, err := v.Heaps.HeapStatistics(x.Addr)
		if err != nil {
			s = &heap.HeapStatistics{Isolate: x.Addr}
		}
		r := newStatistics(s, c.Flag('v'))
		if err != nil {
			r.Unknown = err.Error()
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func newStatistics(s *heap.HeapStatistics, verbose bool) *statisticsRecord {
	r := &statisticsRecord{Isolate: core.Addr(s.Isolate), Heap: map[string]uint64{}, all: s, verbose: verbose}
	for _, x := range s.Heap {
		if !x.Known {
			continue
		}
		r.Heap[x.Name], r.How = x.Value, "v8::Isolate::GetHeapStatistics"
		if x.Guess {
			r.Guessed = append(r.Guessed, x.Name)
		}
	}
	if !verbose {
		return r
	}
	for _, space := range s.Spaces {
		m := map[string]any{"space_name": space.Name}
		for _, x := range space.Sizes {
			if x.Known {
				m[x.Name] = x.Value
			}
		}
		r.Spaces = append(r.Spaces, m)
	}
	return r
}

// Text writes a line a number.
func (r *statisticsRecord) Text(w *out.Writer) {
	if r.Unknown != "" {
		w.Printf("isolate %x: what V8 would have reported is unknown: %s\n", uint64(r.Isolate), r.Unknown)
		return
	}
	w.Printf("isolate %x, as V8 would have reported (computed by running its code on a copy of the memory):\n",
		uint64(r.Isolate))
	for _, x := range r.all.Heap {
		if !x.Known {
			w.Printf("    %-28s %14s\n", x.Name, "unknown")
			continue
		}
		guess := ""
		if x.Guess {
			guess = "  (a guess)"
		}
		w.Printf("    %-28s %14d%s\n", x.Name, x.Value, guess)
	}
	if !r.verbose || len(r.all.Spaces) == 0 {
		return
	}
	w.Printf("    %-34s %12s %12s %12s %12s\n", "SPACE", "SIZE", "USED", "AVAILABLE", "PHYSICAL")
	for _, s := range r.all.Spaces {
		w.Printf("    %-34s", s.Name)
		for _, x := range s.Sizes {
			if x.Known {
				w.Printf(" %12d", x.Value)
			} else {
				w.Printf(" %12s", "unknown")
			}
		}
		w.Printf("\n")
	}
}
