package heap

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	graph "coredbg/runtimes/heap"
)

// A command mentions unreachable objects above these thresholds.
const (
	lostShare   = 10 // percent of the bytes of all objects
	lostBytes   = 1 << 20
	lostClasses = 3 // that are named
)

// unreachableRecord sums up the objects that are not reachable.
type unreachableRecord struct {
	_        out.Record  `record:"unreachable"`
	Objects  int         `json:"objects"`
	Bytes    uint64      `json:"bytes"`    // with those outside the heap that they own
	Share    float64     `json:"share"`    // of the bytes of all objects
	Maybe    uint64      `json:"possibly"` // the part of Bytes that a stale word of memory may refer to
	Classes  []lostClass `json:"classes"`  // the largest
	WhyThere string      `json:"why"`
}

// lostClass is a class of objects that are not reachable.
type lostClass struct {
	Class   string `json:"class"`
	Place   string `json:"place,omitempty"`
	Objects int    `json:"objects"`
	Bytes   uint64 `json:"bytes"`
}

// emitUnreachable emits how much of the heap is not reachable, if that is much.
func emitUnreachable(ctx context.Context, c *commands.Call, g *graph.Graph) error {
	classes, err := g.Counts(ctx, func(id graph.ID) bool { return !g.Reachable(id, graph.Stacked) })
	if err != nil {
		return err
	}
	r := &unreachableRecord{WhyThere: "the collector has not freed it yet, or its holder is not known"}
	if _, ok := g.Source().(graph.Manual); ok {
		r.WhyThere = "nothing leads to it, ::findleaks says more"
	}
	for i := range classes {
		x := &classes[i]
		r.Objects += x.Objects
		r.Bytes += x.Shallow + x.External
		if len(r.Classes) < lostClasses {
			r.Classes = append(r.Classes, lostClass{x.Class, x.Place.String(), x.Objects, x.Shallow + x.External})
		}
	}
	all := r.Bytes + g.Tree().Total()
	if r.Bytes < lostBytes || r.Bytes < all/100*lostShare {
		return nil
	}
	g.Each(func(id graph.ID, _ core.Addr) bool {
		if !g.Reachable(id, graph.Stacked) && g.Reachable(id, graph.Loose) {
			r.Maybe += g.Size(id) + g.External(id)
		}
		return true
	})
	r.Share = float64(r.Bytes) / float64(all)
	return c.Emit(r)
}

// Text writes one line.
func (r *unreachableRecord) Text(w *out.Writer) {
	var b strings.Builder
	for i, x := range r.Classes {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s of %s", out.Count(x.Objects, "object"), x.Class)
		if x.Place != "" {
			fmt.Fprintf(&b, " (%s)", x.Place)
		}
		fmt.Fprintf(&b, " with %d bytes", x.Bytes)
	}
	maybe := ""
	if r.Maybe > 0 {
		maybe = fmt.Sprintf(" (words of memory, which may be left over, lead to %d of them)", r.Maybe)
	}
	w.Printf("%d bytes of the heap, %.0f%%, are not reachable%s: %s; most are %s\n", r.Bytes, 100*r.Share, maybe,
		r.WhyThere, out.Clean(b.String(), false))
}
