package js

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/v8"
)

var v8spacesCommand = commands.Command{
	Name: "v8spaces", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'v', Help: "list the pages of each space"}},
	Summary: "show the spaces of V8's heaps, or their pages",
	Detail: `A space is where V8 keeps objects of one kind or age. Used is what objects take,
available what is free on the space's pages, committed the pages themselves. The
evacuated half of the young generation counts as committed only: what it holds is dead.
So is what is on freed_pages, which their space has given up and a thread was about to
give back to the system.`,
	Example: "::v8spaces -v",
	SeeAlso: []string{"v8heap", "v8verify", "v8whatis"},
	Run:     runSpaces,
}

// spaceRecord is a space of a heap.
type spaceRecord struct {
	_         out.Record `record:"v8space"`
	Name      string     `json:"name"`
	Isolate   core.Addr  `json:"isolate,omitzero"`
	Heap      core.Addr  `json:"heap,omitzero" dot:"nonzero"`
	Pages     int        `json:"pages"`
	Objects   int        `json:"objects"`
	Used      uint64     `json:"used"`
	Available uint64     `json:"available"`
	Committed uint64     `json:"committed"`
	FromSpace uint64     `json:"from_space,omitempty"`
}

// pageRecord is a page of a space.
type pageRecord struct {
	_         out.Record `record:"v8page"`
	Start     core.Addr  `json:"addr" dot:"always"`
	Bytes     uint64     `json:"bytes"`
	AreaStart core.Addr  `json:"area_start"`
	AreaEnd   core.Addr  `json:"area_end"`
	Space     string     `json:"space"`
	Heap      core.Addr  `json:"heap,omitzero"`
	Flags     core.Addr  `json:"flags"`
	FromSpace bool       `json:"from_space,omitempty"`
	Large     bool       `json:"large,omitempty"`
}

func runSpaces(ctx context.Context, c *commands.Call) error {
	_, h, err := heapOf(ctx, c)
	if err != nil {
		return err
	}
	if c.Has('v') {
		for i := range h.Pages {
			p := &h.Pages[i]
			if err := c.Emit(&pageRecord{Start: core.Addr(p.Start), Bytes: uint64(p.End - p.Start), AreaStart: core.Addr(p.AreaStart), AreaEnd: core.Addr(p.AreaEnd), Space: p.Space, Heap: core.Addr(p.Heap), Flags: core.Addr(p.Flags), FromSpace: p.FromSpace, Large: p.Large}); err != nil {
				return err
			}
		}
		return nil
	}
	warnCollections(c, h)
	for i := range h.Spaces {
		if err := c.Emit(newSpace(&h.Spaces[i])); err != nil {
			return err
		}
	}
	return nil
}

func newSpace(s *v8.Space) *spaceRecord {
	return &spaceRecord{Name: s.Name, Isolate: core.Addr(s.Isolate), Heap: core.Addr(s.Heap), Pages: s.Pages, Objects: s.Walk.Objects, Used: s.Used(), Available: s.Available(), Committed: s.Committed, FromSpace: s.FromSpace}
}

// Header writes the names of the columns.
func (r *spaceRecord) Header(w *out.Writer) {
	w.Printf("%16s %-26s %6s %9s %12s %12s %12s\n", "HEAP", "SPACE", "PAGES", "OBJECTS", "USED", "AVAILABLE", "COMMITTED")
}

// Text writes the row.
func (r *spaceRecord) Text(w *out.Writer) {
	if r.Heap == 0 {
		w.Printf("%16s", "shared")
	} else {
		w.Printf("%16x", uint64(r.Heap))
	}
	w.Printf(" %-26s %6d %9d %12d %12d %12d\n", r.Name, r.Pages, r.Objects, r.Used, r.Available, r.Committed)
}

// Header writes the names of the columns.
func (r *pageRecord) Header(w *out.Writer) {
	w.Printf("%16s %10s %16s %16s %10s SPACE\n", "PAGE", "BYTES", "AREA", "END", "FLAGS")
}

// Text writes the row.
func (r *pageRecord) Text(w *out.Writer) {
	w.Printf("%16x %10d %16x %16x %10x %s", uint64(r.Start), r.Bytes, uint64(r.AreaStart), uint64(r.AreaEnd), uint64(r.Flags), r.Space)
	if r.FromSpace {
		w.Printf(" (evacuated)")
	}
	w.Printf("\n")
}
