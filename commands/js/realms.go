package js

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/realm"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/blink"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
)

var realmsCommand = commands.Command{
	Name: "realms", Module: target.Module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'v', Help: "list all scripts of each realm with how many of their functions it has"}},
	Summary: "list the realms of V8, each a native context, with their scripts",
	Detail: `A document, a frame, a worker or a vm.Context has a realm of its own: a
global object and the built-in objects. Shown is how many closures of each are on
the heap, and the script that most of them come from. Scripts in the form of an address are named
before other scripts, which mostly are the embedder's own.

OF is the owner of the realm: in Chromium a main frame, a child frame (such as an iframe), a
detached frame (whose element was removed; something still refers to its window), a worker or a
worklet; after the URL of a child frame it says if its parent is in another process; "-" is none of these, "?" one that is not known.

A document may have several realms: scripts of extensions and of developer tools run in worlds
isolated from its own. Those say so after the URL, with the origin of the world if it has one.

URL is what names a realm beyond its scripts: of Chromium location.href of the document or
worker, which Blink has outside of V8's heap, where no symbol describes it: it is found by
references that must lead there and back, in the same way for all realms, and is "likely" where
neither an origin nor the name of a script bears that out, or the origin is another. If it
is not known, the origin stands for it, which is the security token of the context,
and -v says why; opaque origins have no token. In workerd it is the name of the service whose
worker it is; in Deno globalThis.location, which workers have, and a program that was started
with --location.`,
	EmptyText: "no closure leads to a native context",
	Example:   "::realms -v",
	SeeAlso:   []string{"isolates", "jsscripts", "jsfunctions"},
	Run:       runRealms,
}

// realmRecord is a native context.
type realmRecord struct {
	_        out.Record    `record:"realm" cols:"Context isolate Closures kind where shown"`
	Context  core.Addr     `json:"native_context" dot:"always" col:"CONTEXT,16"`
	Isolate  core.Addr     `json:"isolate,omitzero"` // absent if it is not known
	Closures int           `json:"count" col:"CLOSURES,8,right"`
	Scripts  []realmScript `json:"scripts,omitempty"` // possible names of it first, then by the number of closures
	Global   string        `json:"global,omitempty"`  // the class of the global object
	Origin   string        `json:"origin,omitempty"`  // of a frame or worker of Chromium
	Service  string        `json:"service,omitempty"` // of workerd
	Location string        `json:"location,omitempty"`
	// main frame | child frame | detached frame | worker | worklet; of Chromium, if it is known
	Kind   blink.Kind `json:"kind,omitempty"`
	URL    string     `json:"url,omitempty"`           // location.href of Chromium's
	Likely bool       `json:"likely,omitempty"`        // nothing bears out the URL but where it was found
	Why    string     `json:"url_unknown,omitempty"`   // why the URL is not known
	Remote bool       `json:"parent_remote,omitempty"` // the parent of the frame is in another process
	// not a world of the document's own scripts, but an isolated one
	Isolated bool   `json:"isolated,omitempty"`
	World    string `json:"world,omitempty"` // the origin of that world, such as an extension's; may be absent
	all      bool
	isolate  string `col:"ISOLATE,16"`
	kind     string `col:"OF,14"`
	where    string `col:"URL,30"`
	shown    string `col:"SCRIPT"`
}

// realmScript is a script and the number of its closures in a realm.
type realmScript struct {
	Name     string `json:"name"`
	Closures int    `json:"count"`
}

func runRealms(ctx context.Context, c *commands.Call) error {
	v, h, err := target.Heap(ctx, c)
	if err != nil {
		return err
	}
	list, err := h.Functions(ctx)
	if err != nil {
		return err
	}
	realms := realm.New(v.Memory, v.Objects.NativeContext, list)
	isolates := map[core.Addr]core.Addr{} // by heap
	for _, x := range h.Isolates(ctx) {
		isolates[x.Heap] = x.Addr
	}
	locations, err := v.Locations(ctx) // by heap
	if err != nil {
		return err
	}
	natives := realms.Sorted()
	documents := realms.Documents(v, natives)
	for i, native := range natives {
		r := newRealm(native, realms[native])
		if p, ok := heap.PageIndex(h.Pages).At(r.Context); ok && p.Heap != 0 {
			r.Isolate, r.Location = isolates[p.Heap], locations[p.Heap]
		}
		r.name(v, native, documents[i])
		r.all = c.Flag('v')
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// name says what the embedder knows a realm by.
func (r *realmRecord) name(v *v8.V8, native layout.Tagged, d blink.Document) {
	if g, err := v.Objects.GlobalObject(native); err == nil {
		r.Global = v.Objects.Class(g)
	}
	r.Service, _ = v8.ServiceName(v, r.Isolate)
	r.Origin, r.Isolated, r.World = d.Origin, d.Isolated, v8.Origin(d.World)
	r.Kind, r.URL, r.Likely, r.Why, r.Remote = d.Kind, d.URL, d.Likely, d.Why, d.RemoteParent
}

func newRealm(native layout.Tagged, scripts map[string]int) *realmRecord {
	r := &realmRecord{Context: core.Addr(native)}
	for name, n := range scripts {
		r.Closures += n
		if name != "" {
			r.Scripts = append(r.Scripts, realmScript{name, n})
		}
	}
	slices.SortFunc(r.Scripts, func(a, b realmScript) int {
		return cmp.Or(cmp.Compare(foreign(a.Name), foreign(b.Name)), cmp.Compare(b.Closures, a.Closures),
			cmp.Compare(a.Name, b.Name))
	})
	return r
}

// foreign is 0 for the name of a script that is an address or a path, and 1 for others.
func foreign(name string) int {
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "data:") || strings.Contains(name, "://") {
		return 0
	}
	return 1
}

// Prepare implements out.Preparer.
func (r *realmRecord) Prepare() {
	r.isolate, r.kind, r.where = "unknown", "-", "-"
	if r.Why != "" {
		r.where = "?"
	}
	if r.URL != "" || r.Why != "" {
		r.kind = cmp.Or(string(r.Kind), "?")
	}
	if name := cmp.Or(r.Service, r.Location, r.URL, r.Origin); name != "" {
		r.where = inspect.Printable(shortURL(name))
	}
	if r.Likely {
		r.where += " (likely)"
	}
	if r.Remote {
		r.where += " (in a frame of another process)"
	}
	switch {
	case r.World != "":
		r.where += " (world of " + inspect.Printable(shortURL(r.World)) + ")"
	case r.Isolated:
		r.where += " (isolated world)"
	}
	if r.Isolate != 0 {
		r.isolate = fmt.Sprintf("%x", uint64(r.Isolate))
	}
	if len(r.Scripts) > 0 {
		r.shown = inspect.Printable(r.Scripts[0].Name)
	}
	if n := len(r.Scripts) - 1; n > 0 {
		r.shown += fmt.Sprintf(" and %d more", n)
	}
}

// maxShownURL is the most bytes of a URL in a column.
const maxShownURL = 100

// shortURL returns a URL as it is shown in a column: data URLs are long.
func shortURL(u string) string {
	if len(u) > maxShownURL {
		return u[:maxShownURL] + "..."
	}
	return u
}

// Details writes what -v adds.
func (r *realmRecord) Details(w *out.Writer) {
	if !r.all {
		return
	}
	if u := cmp.Or(r.Service, r.Location, r.URL); shortURL(u) != u {
		w.Printf("  %s\n", inspect.Printable(u))
	}
	if r.Why != "" {
		w.Printf("  the URL is not known: %s\n", r.Why)
	}
	for _, s := range r.Scripts {
		w.Printf("  %8d  %s\n", s.Closures, inspect.Printable(s.Name))
	}
}
