package js

import (
	"context"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/inspect"
)

var findjsobjectsCommand = commands.Command{
	Name: "findjsobjects", Module: target.Module, Often: "csLr", Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'a', Help: "with -b, show V8's own objects by instance type instead of by class"},
		{Letter: 'b', Help: "show the bytes of all objects, V8's own too, and of the rest of the pages"},
		{Letter: 'c', Arg: "constructor", Help: "only objects of this constructor", Words: constructorWords},
		{Letter: 'L', Help: "only objects that are reachable"},
		{Letter: 'l', Help: "list every object instead of one a shape"},
		{Letter: 'p', Arg: "property", Help: "only objects with this property", Words: propertyWords},
		{Letter: 'r', Help: "show what refers to the object at the address, as ::jsfindrefs"},
		{Letter: 's', Help: "sum up by constructor, with how many shapes its objects have"},
		{Letter: 'u', Help: "only objects that are not reachable: garbage"},
		{Letter: 'v', Help: "show how the heap was walked first"},
	},
	Summary: "find objects of JavaScript by constructor and properties",
	Detail: `Without an address all objects on the heaps of all isolates are shown by shape: those
of one constructor with the same properties in the same order are one row, with the
address of the first one. The constructor belongs to the object's own class: an
object of a subclass does not count as one of its base. Rows are ordered by objects
times properties, the largest last. The prototypes of functions and classes have rows of
their own, and so have boilerplates, which V8 copies for the literals of a program: -c
and -s leave both out.

With the address of an object all objects of its shape are listed, for pipes. Objects
that are not reachable any more count until the collector has swept them, unless -L
leaves them out; -u shows them alone. Reachable is what references lead to from global
handles, stacks, handle scopes and the isolate; a word that is left over on the stack of a thread that
runs JavaScript may keep garbage alive. Bytes count the objects alone, without their
elements and the objects they refer to. The elements are objects of V8's own; -b adds them, and
memory outside objects. The rows of -b are ordered by bytes, and add up to all pages, as those
of ::v8spaces do; of V8's own objects there is one row a class, with -a
one an instance type. With -s prototypes and boilerplates are a row each. Objects that -c, -p, -L
and -u leave out are left out with -b too.

In JSON a row is {"type":"jsobjects","constructor":C,"count":N,"addr":"0x...",
"props":["p"],"bytes":N}, with "dictionary", "prototype" or "boilerplate" true where
that is so; with -s it has "shapes" instead of properties; rows that -b adds have
"internal" true, with -a also "instance_type"; a listed object is
{"type":"jsobject","addr":"0x...","constructor":C}.`,
	EmptyText: "no object has that kind or shape",
	Example:   "::findjsobjects -c Session | ::findjsobjects | ::jsprint id",
	SeeAlso:   []string{"jsfindrefs", "jsprint", "v8heap"},
	Run:       runFindObjects,
}

// groupRecord is a row: the objects of one shape.
type groupRecord struct {
	_           out.Record `record:"jsobjects"`
	Constructor string     `json:"constructor"`
	Count       int        `json:"count"`
	First       core.Addr  `json:"addr,omitzero" dot:"nonzero"`
	Props       []string   `json:"props"`
	Bytes       uint64     `json:"bytes"`
	Shapes      int        `json:"shapes,omitempty"` // summed up, with -s
	Dictionary  bool       `json:"dictionary,omitempty"`
	Prototype   bool       `json:"prototype,omitempty"`
	Boilerplate bool       `json:"boilerplate,omitempty"`
	Internal    bool       `json:"internal,omitempty"` // not of a program
	Instance    string     `json:"instance_type,omitempty"`

	bytes bool
	sum   bool // the row is a constructor's
}

// foundRecord is one object of a list.
type foundRecord struct {
	_           out.Record `record:"jsobject" text:"{addr}"`
	Object      core.Addr  `json:"addr" dot:"always"`
	Constructor string     `json:"constructor,omitempty"`
}

func runFindObjects(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	if c.Flag('r') {
		if !c.HasAddr {
			return c.Usage("-r needs the address of an object")
		}
		return runFindRefs(ctx, c)
	}
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return err
	}
	warnCollections(c, h)
	if c.Flag('v') && c.First {
		if err := c.Emit(newVerify(h, false)); err != nil {
			return err
		}
	}
	if c.HasAddr {
		t := target.Tagged(v, c.Dot)
		g, ok := h.GroupOf(t)
		if !ok {
			return v.Heaps.NoObject(t)
		}
		part, err := partOf(ctx, c, h, []heap.Group{*g})
		if err != nil || len(part) == 0 {
			return err
		}
		return emitObjects(ctx, c, h, &part[0])
	}
	groups, err := selectGroups(ctx, c, h)
	if err != nil {
		return err
	}
	if c.Flag('l') {
		for i := range groups {
			if err := emitObjects(ctx, c, h, &groups[i]); err != nil {
				return err
			}
		}
		return nil
	}
	rows := make([]*groupRecord, 0, len(groups))
	for i := range groups {
		g := &groups[i]
		rows = append(rows, &groupRecord{Constructor: g.Constructor, Count: g.Count, First: core.Addr(g.First),
			Props: append([]string{}, g.Props...), Bytes: g.Bytes, Dictionary: g.Dictionary, Prototype: g.Prototype,
			Boilerplate: g.Boilerplate,
			bytes:       c.Flag('b')})
	}
	if c.Flag('s') {
		rows = sumRows(rows)
	}
	if c.Flag('b') {
		if rows, err = addInternal(ctx, c, h, rows); err != nil {
			return err
		}
	}
	return commands.EmitAll(c, rows)
}

// partOf leaves of groups what -L or -u asks for.
func partOf(ctx context.Context, c *commands.Call, h *heap.Snapshot, groups []heap.Group) ([]heap.Group, error) {
	if !c.Flag('L') && !c.Flag('u') {
		return groups, nil
	}
	if c.Flag('L') && c.Flag('u') {
		return nil, c.Usage("-L and -u exclude each other")
	}
	g, err := h.Graph(ctx)
	if err != nil {
		return nil, err
	}
	return h.Part(groups, g, c.Flag('L')), nil
}

// selectGroups returns the groups that -c, -p, -L and -u leave.
func selectGroups(ctx context.Context, c *commands.Call, h *heap.Snapshot) ([]heap.Group, error) {
	var out []heap.Group
	for _, g := range h.Groups() {
		if c.Flag('c') && (g.Prototype || g.Boilerplate || g.Constructor != c.Str('c')) {
			continue
		}
		if c.Flag('p') {
			part, ok := h.Having(&g, c.Str('p'))
			if !ok {
				continue
			}
			g = part
		}
		out = append(out, g)
	}
	return partOf(ctx, c, h, out)
}

// sumRows adds up the rows of each constructor, the fewest objects first.
func sumRows(rows []*groupRecord) []*groupRecord {
	by := map[string]*groupRecord{}
	var out []*groupRecord
	for _, r := range rows {
		name := r.Constructor
		switch {
		case r.Prototype && r.bytes:
			name = "(prototype)"
		case r.Boilerplate && r.bytes:
			name = "(boilerplate)"
		case r.Prototype, r.Boilerplate:
			continue
		}
		s := by[name]
		if s == nil {
			s = &groupRecord{Constructor: name, First: r.First, Props: []string{}, bytes: r.bytes, sum: true,
				Internal: name != r.Constructor}
			by[name], out = s, append(out, s)
		}
		s.Count, s.Bytes, s.Shapes = s.Count+r.Count, s.Bytes+r.Bytes, s.Shapes+1
		s.First = min(s.First, r.First)
	}
	slices.SortFunc(out, func(a, b *groupRecord) int {
		if a.Count != b.Count {
			return a.Count - b.Count
		}
		return strings.Compare(a.Constructor, b.Constructor)
	})
	return out
}

func emitObjects(ctx context.Context, c *commands.Call, h *heap.Snapshot, g *heap.Group) error {
	for i, a := range h.Objects(g) {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := c.Emit(&foundRecord{Object: core.Addr(a), Constructor: g.Constructor}); err != nil {
			return err
		}
	}
	return nil
}

// Header writes the names of the columns.
func (r *groupRecord) Header(w *out.Writer) {
	w.Printf("%16s %8s ", "OBJECT", "#OBJECTS")
	if r.bytes {
		w.Printf("%10s ", "BYTES")
	}
	if r.sum {
		w.Printf("%7s CONSTRUCTOR\n", "#SHAPES")
		return
	}
	w.Printf("%6s CONSTRUCTOR: PROPS\n", "#PROPS")
}

// maxShownProps is how many properties a row shows.
const maxShownProps = 20

// Text writes the row.
func (r *groupRecord) Text(w *out.Writer) {
	if r.First == 0 {
		w.Printf("%16s %8s ", "-", "-")
	} else {
		w.Printf("%16x %8d ", uint64(r.First), r.Count)
	}
	if r.bytes {
		w.Printf("%10d ", r.Bytes)
	}
	name := inspect.Printable(r.Constructor)
	if r.Instance != "" {
		name += ": " + r.Instance
	}
	if r.sum || r.Internal {
		switch {
		case !r.sum:
			w.Printf("%6s ", "-")
		case r.Shapes == 0:
			w.Printf("%7s ", "-")
		default:
			w.Printf("%7d ", r.Shapes)
		}
		w.Paint(out.Symbol, "%s", name)
		w.Printf("\n")
		return
	}
	if r.Prototype {
		name += " (prototype)"
	}
	if r.Boilerplate {
		name += " (boilerplate)"
	}
	w.Printf("%6d ", len(r.Props))
	w.Paint(out.Symbol, "%s", name)
	r.writeProps(w, name)
	if r.Dictionary && len(r.Props) == 0 {
		w.Printf(": (dictionary)")
	}
	w.Printf("\n")
}

// writeProps writes as many names of properties as a row has room for.
func (r *groupRecord) writeProps(w *out.Writer, name string) {
	const before, more = 33, len(", ...") // columns
	at, columns := before+out.Width(name), w.Columns()
	if r.bytes {
		at += 11
	}
	for i, p := range r.Props {
		text := inspect.Printable(p)
		at += len(", ") + out.Width(text)
		switch {
		case i == maxShownProps, i > 0 && columns > 0 && at > columns-more && (i < len(r.Props)-1 || at > columns):
			w.Printf(", ...")
			return
		case i == 0:
			w.Printf(": ")
		default:
			w.Printf(", ")
		}
		w.Paint(out.Plain, "%s", text)
	}
}
