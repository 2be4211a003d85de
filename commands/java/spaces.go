package java

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/heap"
	"coredbg/runtimes/art/object"
)

var spacesCommands = []commands.Command{{
	Name: "javaspaces", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'c', Help: "walk all objects, count them, and list places where no object is and one should be"}},
	Summary: "show the spaces of the Java heap",
	Detail: `Regions and bump-pointer spaces are walked from object to object; malloc spaces by
their live bitmap and the stacks of objects allocated since; large objects by their
space's list. With -c references that lead to no object are listed, too.`,
	Example: "::javaspaces -c",
	SeeAlso: []string{"javaheap", "mappings"},
	Run:     runSpaces,
}}

// spaceRecord is a space of the heap.
type spaceRecord struct {
	_       out.Record `record:"javaspace" cols:"Begin End Limit Kind objects bytes plain name" head:"keyword"`
	At      core.Addr  `json:"addr" dot:"always"` // the art::gc::space::Space
	Name    string     `json:"name"`
	Kind    string     `json:"kind" col:"KIND,15"`
	Begin   core.Addr  `json:"begin" col:"BEGIN,8,%08x" ink:"addr"`
	End     core.Addr  `json:"end" col:"END,8,%08x" ink:"addr"`
	Limit   core.Addr  `json:"limit" col:"LIMIT,8,%08x" ink:"addr"`
	Objects *int       `json:"objects,omitempty"` // with -c, as bytes
	Bytes   *uint64    `json:"bytes,omitempty"`
	Moved   int        `json:"moved,omitempty"` // objects that a collection had moved
	Notes   []string   `json:"notes,omitempty"`
	Bad     []badJSON  `json:"bad,omitempty"`

	space   *heap.Space
	counted bool
	objects int    `col:"OBJECTS,10,right,if=counted"`
	bytes   uint64 `col:"BYTES,14,right,if=counted"`
	listed  bool
	plain   string `col:"NAME,if=listed"`
	name    string `col:"NAME,gap=2,if=counted"`
}

// badJSON is a place that has no object where one should be.
type badJSON struct {
	Addr   core.Addr `json:"addr"`
	Prev   core.Addr `json:"prev,omitzero"` // the object before it, or that refers to it
	Reason string    `json:"reason"`
}

func newSpace(s *heap.Space) *spaceRecord {
	return &spaceRecord{At: s.Addr, Name: s.Name, Kind: string(s.Kind), Begin: s.Begin, End: s.End,
		Limit: s.Limit, space: s,
		listed: true, plain: s.Name, name: s.Name}
}

func runSpaces(ctx context.Context, c *commands.Call) error {
	a, h, err := heapOf(c)
	if err != nil {
		return err
	}
	for _, s := range h.Spaces {
		r := newSpace(s)
		if c.Flag('c') {
			if err := r.check(ctx, a, h); err != nil {
				return err
			}
		} else if s.Problem != "" {
			r.Notes = []string{s.Problem}
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// maxBadReferences is how many of a space's bad references are listed.
const maxBadReferences = 100

// check walks a space: every object must have a class and a size that fits, and
// every reference must lead to an object.
func (r *spaceRecord) check(ctx context.Context, a *art.ART, h *heap.Heap) error {
	r.counted, r.listed, r.Objects, r.Bytes = true, false, &r.objects, &r.bytes
	refs := 0
	walked, err := h.Walk(ctx, func(o object.Object, size uint64) bool {
		r.objects++
		r.bytes += size
		err := a.References(o, func(slot, to core.Addr) bool {
			if a.ClassOf(to) == nil && refs < maxBadReferences {
				refs++
				r.Bad = append(r.Bad, badJSON{Addr: slot, Prev: o.Addr, Reason: "a reference to " + to.String() +
					", where no object is"})
			}
			return true
		})
		if err != nil {
			r.Notes = append(r.Notes, err.Error())
		}
		return true
	}, r.space)
	if walked != nil {
		for _, b := range walked.Bad {
			r.Bad = append(r.Bad, badJSON{b.Addr, b.Prev, b.Reason})
		}
		r.Moved = walked.Moved
		r.Notes = append(r.Notes, walked.Problems...)
	}
	return err
}

// Details writes what is wrong with the space.
func (r *spaceRecord) Details(w *out.Writer) {
	if r.Moved > 0 {
		w.Printf("    %d objects that a collection had moved\n", r.Moved)
	}
	for _, n := range r.Notes {
		w.Paint(out.Error, "    %s", n)
		w.Printf("\n")
	}
	for _, b := range r.Bad {
		w.Printf("    bad ")
		w.Paint(out.Addr, "%v", b.Addr)
		if b.Prev != 0 {
			w.Printf(" after %v", b.Prev)
		}
		w.Printf(": %s\n", b.Reason)
	}
}
