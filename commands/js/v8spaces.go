package js

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/v8/heap"
)

var v8spacesCommand = commands.Command{
	Name: "v8spaces", Module: target.Module, Addr: commands.AddrNone,
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
	_         out.Record `record:"v8space" cols:"Heap Name Pages Objects Used Available Committed"`
	Name      string     `json:"name" col:"SPACE,26"`
	Isolate   core.Addr  `json:"isolate,omitzero"`
	Heap      core.Addr  `json:"heap,omitzero" dot:"nonzero" col:"HEAP,16,right,zero=shared"`
	Pages     int        `json:"pages" col:"PAGES,6,right"`
	Objects   int        `json:"objects" col:"OBJECTS,9,right"`
	Used      uint64     `json:"used" col:"USED,12,right"`
	Available uint64     `json:"available" col:"AVAILABLE,12,right"`
	Committed uint64     `json:"committed" col:"COMMITTED,12,right"`
	FromSpace uint64     `json:"from_space,omitempty"`
}

// pageRecord is a page of a space.
type pageRecord struct {
	_         out.Record `record:"v8page" cols:"Start Bytes AreaStart AreaEnd Flags space"`
	Start     core.Addr  `json:"addr" dot:"always" col:"PAGE,16,right"`
	Bytes     uint64     `json:"bytes" col:"BYTES,10,right"`
	AreaStart core.Addr  `json:"area_start" col:"AREA,16,right"`
	AreaEnd   core.Addr  `json:"area_end" col:"END,16,right"`
	Space     string     `json:"space"`
	Heap      core.Addr  `json:"heap,omitzero"`
	Flags     core.Addr  `json:"flags" col:"FLAGS,10,right"`
	FromSpace bool       `json:"from_space,omitempty"`
	Large     bool       `json:"large,omitempty"`
	space     string     `col:"SPACE"`
}

func runSpaces(ctx context.Context, c *commands.Call) error {
	_, h, err := target.Heap(ctx, c)
	if err != nil {
		return err
	}
	if c.Flag('v') {
		for i := range h.Pages {
			p := &h.Pages[i]
			if err := c.Emit(&pageRecord{Start: core.Addr(p.Start), Bytes: uint64(p.End - p.Start),
				AreaStart: core.Addr(p.AreaStart), AreaEnd: core.Addr(p.AreaEnd), Space: p.Space,
				Heap: core.Addr(p.Heap), Flags: core.Addr(p.Flags), FromSpace: p.FromSpace,
				Large: p.Large}); err != nil {
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

func newSpace(s *heap.Space) *spaceRecord {
	return &spaceRecord{Name: s.Name, Isolate: core.Addr(s.Isolate), Heap: core.Addr(s.Heap), Pages: s.Pages,
		Objects: s.Walk.Objects, Used: s.Used(), Available: s.Available(), Committed: s.Committed,
		FromSpace: s.FromSpace}
}

// Prepare implements out.Preparer.
func (r *pageRecord) Prepare() {
	if r.space = r.Space; r.FromSpace {
		r.space += " (evacuated)"
	}
}
