package js

import (
	"context"
	"errors"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/reference"
)

var jsfindrefsCommand = commands.Command{
	Name: "jsfindrefs", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{
		{Letter: 'd', Help: "show V8's own objects that refer to it too: maps, descriptors, feedback"},
		{Letter: 'l', Arg: "depth", Help: "follow at most this many of V8's own objects between the two (default 3)"},
		{Letter: 'r', Help: "show what keeps it alive instead: a way from a root"},
		{Letter: 'v', Help: "show the objects in between"},
	},
	Summary: "find what refers to an object of JavaScript",
	Detail: `Shows each object that holds the given one: as a property or an element, as a key or
a value of a Map, Set, WeakMap or WeakSet, as a variable of a closure's context, as an
argument or receiver of a bound function, as what a promise was settled with or waits
for, as target of a proxy, as local of a suspended generator, as part of a string. The
whole heap is searched, so that what refers to it need not be reachable itself.

With -r a way from a root to the object is shown, the object last: the root is a global
handle, a member of the isolate, a handle scope, or a word of a thread's stack, and the
first kind that leads to it counts, with the shortest way, as far as there is one without
feedback and code. Names in parentheses stand for V8's own objects, such as the store of
an array's elements, the scope that closures share, or the hidden class of objects.
Where none of these leads to it but some other word of memory does, that is shown: it
may be left over. An object without any is garbage.

In JSON: {"type":"jsref","addr":"0x...","constructor":C,"kind":K,"name":N,"target":"0x..."}
with "weak" true for references that keep nothing alive; addr is the holder. With -r
{"type":"jspath","addr":"0x...","root":{"kind":K,"addr":"0x...","tid":N,"frame":F},
"path":[{"addr":"0x...","class":C,"reference":R}]}, without "root" for garbage.`,
	Example: "::jsprint -b T.widget | ::jsfindrefs",
	SeeAlso: []string{"findjsobjects", "jsclosure", "v8whatis"},
	Run:     runFindRefs,
}

// refRecord is an object that refers to another.
type refRecord struct {
	_           out.Record  `record:"jsref"`
	Holder      core.Addr   `json:"addr" dot:"always"`
	Constructor string      `json:"constructor,omitempty"`
	Class       string      `json:"class,omitempty"` // of an object of V8's own
	Kind        string      `json:"kind"`
	Name        string      `json:"name,omitempty"`
	Weak        bool        `json:"weak,omitempty"`
	Target      core.Addr   `json:"target"`
	Via         []core.Addr `json:"via,omitempty"`

	verbose bool
}

// defaultDepth is how many of V8's own objects may be between holder and
// target: a table, a cell or a reaction, and an array.
const defaultDepth = 3

func runFindRefs(ctx context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	depth := defaultDepth
	if c.Command.Name == "jsfindrefs" {
		if depth, err = c.Int('l', defaultDepth); err != nil {
			return err
		}
	}
	t := target.Tagged(v, c.Dot)
	if _, err := v.TypeOf(t); err != nil {
		return err
	}
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return err
	}
	if c.Command.Name == "jsfindrefs" && c.Flag('r') {
		return emitPath(ctx, c, h, t)
	}
	refs, err := h.References(ctx, t, depth, c.Flag('d'))
	if err != nil {
		if !errors.Is(err, heap.ErrManyRefs) {
			return err
		}
		c.Session.Warn(err)
	}
	for i := range refs {
		if err := c.Emit(newRef(v, &refs[i], c.Flag('v'))); err != nil {
			return err
		}
	}
	return nil
}

func newRef(v *v8.V8, r *reference.Ref, verbose bool) *refRecord {
	rec := &refRecord{Holder: core.Addr(r.Holder), Kind: string(r.Kind), Name: r.Name, Weak: r.Weak,
		Target: core.Addr(r.Target), verbose: verbose}
	for _, x := range r.Via {
		rec.Via = append(rec.Via, core.Addr(x))
	}
	class, err := v.Objects.ClassOf(r.Holder)
	if err == nil && len(class) > 2 && class[:2] == "JS" {
		rec.Constructor = v.Objects.Class(r.Holder)
	}
	if rec.Constructor == "" {
		rec.Class = class
	}
	return rec
}

// Text writes the reference on a line, with -v the objects in between.
func (r *refRecord) Text(w *out.Writer) {
	who := r.Constructor
	if who == "" {
		who = r.Class
	}
	w.Printf("%x: %s: %s", uint64(r.Holder), inspect.Printable(who), r.Kind)
	if r.Name != "" {
		w.Printf(" %s", inspect.Printable(r.Name))
	}
	if r.Weak {
		w.Printf(" (weak)")
	}
	w.Printf("\n")
	if r.verbose {
		for i := len(r.Via) - 1; i >= 0; i-- {
			w.Printf("    through %x\n", uint64(r.Via[i]))
		}
	}
}
