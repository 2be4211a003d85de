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

// spaceRecord is a space of the heap.
type spaceRecord struct {
	space   *heap.Space
	counted bool
	objects int
	bytes   uint64
	moved   int
	notes   []string
	bad     []heap.BadObject
}

func runSpaces(ctx context.Context, c *commands.Call) error {
	a, h, err := heapOf(c)
	if err != nil {
		return err
	}
	for _, s := range h.Spaces {
		r := &spaceRecord{space: s}
		if c.Has('c') {
			if err := r.check(ctx, a, h); err != nil {
				return err
			}
		} else if s.Problem != "" {
			r.notes = []string{s.Problem}
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
	r.counted = true
	refs := 0
	walked, err := h.Walk(ctx, func(o object.Object, size uint64) bool {
		r.objects++
		r.bytes += size
		err := a.References(o, func(slot, to core.Addr) bool {
			if a.ClassOf(to) == nil && refs < maxBadReferences {
				refs++
				r.bad = append(r.bad, heap.BadObject{Addr: slot, Prev: o.Addr, Reason: "a reference to " + to.String() + ", where no object is"})
			}
			return true
		})
		if err != nil {
			r.notes = append(r.notes, err.Error())
		}
		return true
	}, r.space)
	if walked != nil {
		r.bad = append(r.bad, walked.Bad...)
		r.moved = walked.Moved
		r.notes = append(r.notes, walked.Problems...)
	}
	return err
}

// Addr returns the art::gc::space::Space.
func (r *spaceRecord) Addr() (core.Addr, bool) { return r.space.Addr, true }

// Header writes the headings.
func (r *spaceRecord) Header(w *out.Writer) {
	w.Paint(out.Keyword, "%-8s %-8s %-8s %-15s ", "BEGIN", "END", "LIMIT", "KIND")
	if r.counted {
		w.Paint(out.Keyword, "%10s %14s  ", "OBJECTS", "BYTES")
	}
	w.Paint(out.Keyword, "NAME")
	w.Printf("\n")
}

// Text writes the space, and what is wrong with it below.
func (r *spaceRecord) Text(w *out.Writer) {
	s := r.space
	w.Paint(out.Addr, "%08x %08x %08x", uint64(s.Begin), uint64(s.End), uint64(s.Limit))
	w.Printf(" %-15s ", s.Kind)
	if r.counted {
		w.Printf("%10d %14d  ", r.objects, r.bytes)
	}
	w.Printf("%s\n", s.Name)
	if r.moved > 0 {
		w.Printf("    %d objects that a collection had moved\n", r.moved)
	}
	for _, n := range r.notes {
		w.Paint(out.Error, "    %s", n)
		w.Printf("\n")
	}
	for _, b := range r.bad {
		w.Printf("    bad ")
		w.Paint(out.Addr, "%v", b.Addr)
		if b.Prev != 0 {
			w.Printf(" behind %v", b.Prev)
		}
		w.Printf(": %s\n", b.Reason)
	}
}

// MarshalJSON gives {"type":"javaspace",…}.
func (r *spaceRecord) MarshalJSON() ([]byte, error) {
	type bad struct {
		Addr   core.Addr `json:"addr"`
		Prev   core.Addr `json:"prev,omitzero"`
		Reason string    `json:"reason"`
	}
	j := struct {
		_       out.Record `record:"javaspace"`
		Addr    core.Addr  `json:"addr"`
		Name    string     `json:"name"`
		Kind    string     `json:"kind"`
		Begin   core.Addr  `json:"begin"`
		End     core.Addr  `json:"end"`
		Limit   core.Addr  `json:"limit"`
		Objects *int       `json:"objects,omitempty"`
		Bytes   *uint64    `json:"bytes,omitempty"`
		Moved   int        `json:"moved,omitempty"`
		Notes   []string   `json:"notes,omitempty"`
		Bad     []bad      `json:"bad,omitempty"`
	}{Addr: core.Addr(r.space.Addr), Name: r.space.Name, Kind: string(r.space.Kind), Begin: core.Addr(r.space.Begin),
		End: core.Addr(r.space.End), Limit: core.Addr(r.space.Limit), Moved: r.moved, Notes: r.notes}
	if r.counted {
		j.Objects, j.Bytes = &r.objects, &r.bytes
	}
	for _, b := range r.bad {
		j.Bad = append(j.Bad, bad{core.Addr(b.Addr), core.Addr(b.Prev), b.Reason})
	}
	return out.Marshal(j)
}
