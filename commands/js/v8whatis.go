package js

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
)

var v8whatisCommand = commands.Command{
	Name: "v8whatis", Module: target.Module, Addr: commands.AddrRequired,
	Summary: "show the object of V8 that contains an address",
	Detail: `The address may be any in a page of V8's heap: the page is walked from its start to
the object that holds it. A pipe gets the object.`,
	Example: "::jsprint -b T.widget | ::map .+4 | ::v8whatis",
	SeeAlso: []string{"whatis", "v8type", "v8spaces"},
	Run:     runWhatis,
}

// whatisRecord is the place of an address in the heap.
type whatisRecord struct {
	_         out.Record `record:"v8whatis" cols:"At text Class"`
	At        core.Addr  `json:"at" col:""`
	Object    core.Addr  `json:"addr,omitzero" dot:"nonzero"`
	Class     string     `json:"class,omitempty" col:",(%s),zero="`
	Name      string     `json:"instance_type,omitempty"`
	Offset    uint64     `json:"offset"`
	Size      uint64     `json:"size,omitempty"`
	Space     string     `json:"space"`
	Page      core.Addr  `json:"page"`
	Free      bool       `json:"free,omitempty"`
	Unused    bool       `json:"unused,omitempty"`
	FromSpace bool       `json:"from_space,omitempty"`
	text      string     `col:",is %s"`
}

func runWhatis(ctx context.Context, c *commands.Call) error {
	v, h, err := target.Heap(ctx, c)
	if err != nil {
		return err
	}
	l, ok := h.Locate(c.Dot)
	if !ok {
		return fmt.Errorf("%v is not in a page of V8's heap", c.Dot)
	}
	r := &whatisRecord{At: core.Addr(c.Dot), Object: core.Addr(l.Object), Name: l.Type, Offset: l.Offset, Size: l.Size,
		Space: l.Page.Space, Page: core.Addr(l.Page.Start), Free: l.Free, Unused: l.Unused, FromSpace: l.Page.FromSpace,
		text: l.String()}
	if l.Object != 0 && !l.Free {
		r.Class, _ = v.Objects.ClassOf(l.Object)
	}
	return c.Emit(r)
}
