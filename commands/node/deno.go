package node

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/deno"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/promise"
)

// The waits of a process of Deno, for the commands that list them for Node.

// denoOf returns the reader of Deno's state; nil if the program is not Deno.
func denoOf(c *commands.Call) *deno.Reader {
	v, err := v8Of(c)
	if err != nil {
		return nil
	}
	d, _ := v8.EmbedderOf[*deno.Reader](v)
	return d
}

// denoOpRecord is a pending op.
type denoOpRecord struct {
	_       out.Record       `record:"denoop" cols:"ID name At ref place"`
	ID      int              `json:"id" col:"ID,8,right"`
	Name    string           `json:"op,omitempty"`
	Unknown string           `json:"op_unknown,omitempty"` // why the op is not known
	Ref     *bool            `json:"ref,omitempty"`        // it keeps the process alive; absent if that is not known
	At      core.Addr        `json:"promise,omitzero" dot:"always" col:"PROMISE,16"`
	How     promise.WaitKind `json:"awaited_by,omitempty"`
	Awaited frame.Place      `json:"awaited_at,omitzero"`
	For     frame.Place      `json:"awaited_for,omitzero"` // the nearest place in a file of the program
	name    string           `col:"OP,24"`
	ref     string           `col:"REF,5"`
	place   string           `col:"AWAITED"`
}

func runDenoOps(ctx context.Context, c *commands.Call, d *deno.Reader) error {
	list, err := d.Ops(ctx)
	if err != nil {
		return err
	}
	warned := map[string]bool{}
	for i := range list {
		x := &list[i]
		if x.Unknown != "" && !warned[x.Unknown] {
			warned[x.Unknown] = true
			c.Warn("op %d is not known by name: %s", x.ID, x.Unknown)
		}
		r := &denoOpRecord{ID: x.ID, Name: x.Name, Unknown: x.Unknown, At: core.Addr(x.Promise),
			How: x.Kind, Awaited: x.Awaited, For: x.Program}
		if ref := !x.Unref; x.HasRef {
			r.Ref = &ref
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// Prepare implements out.Preparer.
func (r *denoOpRecord) Prepare() {
	r.name, r.ref, r.place = r.Name, "?", "-"
	if r.Name == "" {
		r.name = "?"
	}
	if r.Ref != nil {
		r.ref = refWord(*r.Ref)
	}
	none := frame.Place{}
	switch {
	case r.For != none:
		r.place = r.For.String()
	case r.Awaited != none:
		r.place = r.Awaited.String()
	}
}

// denoResourceRecord is a resource that is open.
type denoResourceRecord struct {
	_       out.Record  `record:"denoresource" cols:"ID name At owner more"`
	ID      uint32      `json:"rid" col:"RID,6,right"`
	Name    string      `json:"resource,omitempty"`
	At      core.Addr   `json:"addr" col:"RESOURCE,16"`
	Owners  []denoOwner `json:"owners,omitempty"` // the objects that have its number
	Details []string    `json:"details,omitempty"`
	name    string      `col:"TYPE,18"`
	owner   string      `col:"OWNER,30"`
	more    string      `col:"DETAILS"`
}

// denoOwner is an object of JavaScript that refers to a resource.
type denoOwner struct {
	At    core.Addr `json:"addr"`
	Class string    `json:"class,omitempty"`
}

func runDenoResources(ctx context.Context, c *commands.Call, d *deno.Reader) error {
	list, err := d.Resources(ctx)
	if err != nil {
		return err
	}
	for i := range list {
		x := &list[i]
		r := &denoResourceRecord{ID: x.ID, Name: x.Name, At: x.Addr}
		// Those of a class of their own first: others only pass the number on.
		slices.SortStableFunc(x.Owners, func(a, b deno.Owner) int { return plain(a.Class) - plain(b.Class) })
		for _, o := range x.Owners {
			r.Owners = append(r.Owners, denoOwner{core.Addr(o.Word), o.Class})
		}
		if len(x.Owners) > 0 {
			r.Details = d.Details(x.Owners[0].Word)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

func plain(class string) int {
	if class == "" || class == "Object" {
		return 1
	}
	return 0
}

// Addr returns the object of JavaScript that stands for the resource, or else the resource.
func (r *denoResourceRecord) Addr() (core.Addr, bool) {
	if len(r.Owners) > 0 {
		return r.Owners[0].At, true
	}
	return r.At, true
}

// Prepare implements out.Preparer.
func (r *denoResourceRecord) Prepare() {
	r.name, r.owner, r.more = r.Name, "-", strings.Join(r.Details, ", ")
	if r.Name == "" {
		r.name = "?"
	}
	if len(r.Owners) > 0 {
		r.owner = strings.TrimSpace(fmt.Sprintf("%x %s", uint64(r.Owners[0].At), r.Owners[0].Class))
	}
}

func runDenoTimers(ctx context.Context, c *commands.Call, d *deno.Reader) error {
	list, err := d.Timers(ctx)
	if err != nil && list == nil {
		return err
	}
	for i := range list {
		t := &list[i]
		r := newTimerRecord(&t.Timer)
		r.ID, r.noAfter = t.ID, !t.HasAfter
		if r.At == 0 {
			r.At = r.Callback // Rust's part of it is not an object
		}
		if !t.Immediate {
			r.Deadline = &t.Due
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return err
}

// denoLoopRecord is what keeps a process of Deno alive.
type denoLoopRecord struct {
	_          out.Record `record:"denoloop"`
	Ops        *int       `json:"ops,omitempty"`
	UnrefOps   *int       `json:"unref_ops,omitempty"`
	Timers     *int       `json:"timers,omitempty"`
	Unref      int        `json:"unref_timers,omitempty"`
	Immediates int        `json:"immediates,omitempty"`
	Resources  *int       `json:"resources,omitempty"`
	Problems   []string   `json:"problems,omitempty"` // why a count is not known
}

func runDenoLoop(ctx context.Context, c *commands.Call, d *deno.Reader) error {
	r := &denoLoopRecord{}
	fail := func(err error) bool {
		if err != nil {
			r.Problems = append(r.Problems, err.Error())
		}
		return err != nil
	}
	ops, err := d.Ops(ctx)
	if !fail(err) {
		n, unref, known := len(ops), 0, true
		for i := range ops {
			known = known && ops[i].HasRef
			if ops[i].Unref {
				unref++
			}
		}
		r.Ops = &n
		if known {
			r.UnrefOps = &unref
		}
	}
	if list, err := d.Timers(ctx); !fail(err) {
		n := 0
		for i := range list {
			switch t := &list[i]; {
			case t.Immediate:
				r.Immediates++
			case t.Unref:
				n, r.Unref = n+1, r.Unref+1
			default:
				n++
			}
		}
		r.Timers = &n
	}
	if list, err := d.Resources(ctx); !fail(err) {
		n := len(list)
		r.Resources = &n
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.Ops == nil && r.Timers == nil && r.Resources == nil {
		return err
	}
	return c.Emit(r)
}

// Text implements out.Texter.
func (r *denoLoopRecord) Text(w *out.Writer) {
	w.Printf("event loop of Deno\n")
	line := func(name string, n *int, more string) {
		if n == nil {
			w.Printf("    %-16s unknown\n", name)
			return
		}
		w.Printf("    %-16s %d%s\n", name, *n, more)
	}
	unref := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf(", %d of them unreferenced", n)
	}
	switch {
	case r.UnrefOps != nil:
		line("pending ops", r.Ops, unref(*r.UnrefOps))
	case r.Ops != nil:
		line("pending ops", r.Ops, ", unreferenced or not")
	default:
		line("pending ops", nil, "")
	}
	line("timers", r.Timers, unref(r.Unref))
	w.Printf("    %-16s %d\n", "immediates", r.Immediates)
	line("resources", r.Resources, "")
	for _, p := range r.Problems {
		w.Printf("    (%s)\n", p)
	}
}
