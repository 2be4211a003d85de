package java

import (
	"context"
	"fmt"
	"slices"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/heap"
)

var refCommands = []commands.Command{{
	Name: "jniref", Module: module, Often: "lgst", Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'l', Long: "local", Help: "local references, of all threads"},
		{Letter: 'g', Long: "global", Help: "global references"},
		{Letter: 'w', Long: "weak", Help: "weak global references"},
		{Letter: 's', Long: "sum", Help: "sums by class alone, as ART writes them before it aborts"},
		{Letter: 't', Arg: "tid", Help: "local references of one thread"},
		{Letter: 'n', Arg: "count", Help: "show at most this many (default 1000)"},
	},
	Summary: "list the references that native code holds to objects of Java",
	Detail: `Without options all kinds are listed. With an address it lists the references to the
object there, or the target of the jobject. JOBJECT is the value that native code has.
With -s it counts, for each table and class, the references and the objects that they
lead to; arrays of each length are counted apart.`,
	Example: "::jniref -g -s",
	SeeAlso: []string{"javasearch", "javaprint"},
	Run:     runJNIRef,
}, {
	Name: "classloaders", Module: module, Addr: commands.AddrNone,
	Summary: "show the class loaders with their parents and classes",
	Detail: `Lists the java.lang.ClassLoaders in the heap: how many classes each has defined, how
many of them failed, and the dex files they are from. The first is the boot class
path, which has no object.`,
	Example: "::classloaders",
	SeeAlso: []string{"javaclass", "dexfile"},
	Run:     runLoaders,
}, {
	Name: "finalizers", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'n', Arg: "count", Help: "show this many classes of each list (default 5)"}},
	Summary: "show objects that wait to be finalized, cleaned or enqueued",
	Detail: `Lists FinalizerReference's objects (registered, and in the queue of its daemon), cleaners,
references that the collector found and that are not enqueued yet, and each ReferenceQueue that holds
something.`,
	EmptyText: "no reference waits for the finalizer, a cleaner or a queue",
	Example:   "::finalizers",
	SeeAlso:   []string{"javasearch"},
	Run:       runFinalizers,
}}

// refRecord is a reference of JNI.
type refRecord struct {
	_       out.Record `record:"jniref" cols:"Kind TID Ref Addr what missing" head:"keyword"`
	Kind    string     `json:"kind" col:"KIND,6"`
	Index   int        `json:"index"`
	Ref     core.Addr  `json:"jobject" col:"JOBJECT,18,right,%#x"` // what native code has
	Addr    core.Addr  `json:"addr" col:"ADDR,8,%08x,gap=2" ink:"addr" dot:"always"`
	Class   string     `json:"class,omitempty"`
	Cleared bool       `json:"cleared,omitempty"`
	TID     int        `json:"tid,omitempty" col:"TID,7,right,zero=-"` // of a local reference
	what    string     `col:"OBJECT,gap=2"`
	missing string     `col:",gap=0" ink:"error"`
}

func newRef(a *art.ART, ref heap.JNIRef) *refRecord {
	r := &refRecord{Kind: string(ref.Kind), Index: ref.Index, Ref: core.Addr(ref.Ref), Addr: ref.Object,
		Cleared: ref.Cleared}
	if ref.Thread != nil {
		r.TID = ref.Thread.TID
	}
	o, err := a.Object(ref.Object)
	if err == nil {
		r.Class, r.what = o.Class.Name, brief(a, o)
	}
	switch {
	case ref.Cleared:
		r.what = "cleared"
	case err != nil:
		r.missing = "no object is there"
	}
	return r
}

func runJNIRef(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	limit, err := c.Int('n', 1000)
	if err != nil {
		return err
	}
	refs, err := wantedRefs(c, a)
	if err != nil {
		return err
	}
	if c.Flag('s') {
		return emitTotals(c, a, refs, limit)
	}
	shown := 0
	for _, r := range refs {
		if c.HasAddr && core.Addr(r.Ref) != c.Dot && r.Object != c.Dot {
			continue
		}
		if shown++; shown > limit {
			continue
		}
		if err := c.Emit(newRef(a, r)); err != nil {
			return err
		}
	}
	switch {
	case shown > limit:
		c.Warn("%d more references are not shown; -n shows more, -s sums them up", shown-limit)
	case shown == 0 && c.HasAddr:
		return fmt.Errorf("no reference of JNI leads to %v", c.Dot)
	}
	return nil
}

// jniTotalRecord is how many references of a table are to objects of a class.
type jniTotalRecord struct {
	_        out.Record `record:"jnitotal" cols:"Kind TID Count Unique what" head:"keyword"`
	Kind     string     `json:"kind" col:"KIND,6"`
	TID      int        `json:"tid,omitempty" col:"TID,7,right,zero=-"`
	Count    int        `json:"count" col:"COUNT,8,right"`
	Unique   int        `json:"objects" col:"OBJECTS,8,right"` // that they refer to
	Class    string     `json:"class"`
	Elements *uint64    `json:"elements,omitempty"` // of each array
	what     string     `col:"CLASS,gap=2"`
}

// emitTotals sums up each table.
func emitTotals(c *commands.Call, a *art.ART, refs []heap.JNIRef, limit int) error {
	shown := 0
	for len(refs) > 0 {
		n := 1
		for n < len(refs) && refs[n].Kind == refs[0].Kind && refs[n].Thread == refs[0].Thread {
			n++
		}
		table := refs[:n]
		refs = refs[n:]
		if c.HasAddr {
			table = slices.DeleteFunc(slices.Clone(table),
				func(r heap.JNIRef) bool { return core.Addr(r.Ref) != c.Dot && r.Object != c.Dot })
		}
		totals := a.JNITotals(table)
		for i := range totals {
			t := &totals[i]
			r := &jniTotalRecord{Kind: string(table[0].Kind), Count: t.Count, Unique: t.Unique,
				Class: t.Class, what: t.Class}
			if table[0].Thread != nil {
				r.TID = table[0].Thread.TID
			}
			if t.Array {
				r.Elements = &t.Elements
				r.what += fmt.Sprintf(" (%d elements)", t.Elements)
			}
			if shown++; shown > limit {
				continue
			}
			if err := c.Emit(r); err != nil {
				return err
			}
		}
	}
	switch {
	case shown > limit:
		c.Warn("%d more sums are not shown; -n shows more", shown-limit)
	case shown == 0 && c.HasAddr:
		return fmt.Errorf("no reference of JNI leads to %v", c.Dot)
	}
	return nil
}

// wantedRefs reads the tables that the options name.
func wantedRefs(c *commands.Call, a *art.ART) ([]heap.JNIRef, error) {
	tid, err := c.Int('t', -1)
	if err != nil {
		return nil, err
	}
	all := !c.Flag('l') && !c.Flag('g') && !c.Flag('w') && !c.Flag('t')
	var out []heap.JNIRef
	if all || c.Flag('g') || c.Flag('w') {
		refs, err := a.JNIGlobals()
		if err != nil {
			c.Warn("%w", err)
		}
		for _, r := range refs {
			if all || r.Kind == heap.JNIGlobal && c.Flag('g') || r.Kind == heap.JNIWeak && c.Flag('w') {
				out = append(out, r)
			}
		}
	}
	if !all && !c.Flag('l') && !c.Flag('t') {
		return out, nil
	}
	threads, err := a.Threads()
	if err != nil {
		c.Warn("%w", err)
	}
	found := false
	for _, t := range threads {
		if c.Flag('t') && t.TID != tid {
			continue
		}
		found = true
		refs, err := a.JNILocals(t)
		if err != nil {
			c.Warn("%w", err)
		}
		out = append(out, refs...)
	}
	if c.Flag('t') && !found {
		return nil, fmt.Errorf("no thread of the Android Runtime has the id %d", tid)
	}
	return out, nil
}

// loaderRecord is a class loader.
type loaderRecord struct {
	_       out.Record `record:"classloader" cols:"Addr Parent Classes Failed Class" head:"keyword"`
	Addr    core.Addr  `json:"addr,omitzero" col:"ADDR,8,%08x" ink:"addr" dot:"nonzero"`
	Class   string     `json:"class" col:"LOADER,gap=2"`
	Parent  core.Addr  `json:"parent,omitzero" col:"PARENT,8,%08x" ink:"addr"`
	Classes int        `json:"classes" col:"CLASSES,8,right"`
	Failed  int        `json:"failed,omitempty" col:"FAILED,7,right"` // classes that did not load
	Paths   []string   `json:"dex_files,omitempty"`
}

func runLoaders(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	list, err := a.Loaders(ctx)
	for _, l := range list {
		r := &loaderRecord{Addr: l.Object.Addr, Class: "boot class path", Parent: l.Parent, Classes: l.Classes,
			Failed: l.Failed, Paths: l.Paths}
		if l.Object.Class != nil {
			r.Class = l.Object.Class.Name
		} else if l.Object.Addr != 0 {
			r.Class = "no object is there"
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return err
}

// Details writes the dex files.
func (r *loaderRecord) Details(w *out.Writer) {
	for _, p := range r.Paths {
		w.Printf("    %s\n", p)
	}
}

// backlogRecord is a list of references.
type backlogRecord struct {
	_       out.Record     `record:"javabacklog" text:"{count} in {kind}{in}, from {addr:%#x}{broken}"`
	Kind    string         `json:"kind"`
	Addr    core.Addr      `json:"addr" dot:"always"` // the first reference
	Queue   core.Addr      `json:"queue,omitzero"`    // the ReferenceQueue
	Count   int            `json:"count"`
	Classes map[string]int `json:"classes,omitempty"` // objects of each class
	Cut     bool           `json:"cut,omitempty"`     // the list breaks off
	in      string
	broken  string `ink:"error"`
	list    heap.Backlog
	limit   int
}

func newBacklog(l heap.Backlog, limit int) *backlogRecord {
	r := &backlogRecord{Kind: l.Kind, Addr: l.Head, Queue: l.Queue, Count: l.Count, Classes: map[string]int{},
		Cut: l.Cut, list: l, limit: limit}
	for _, k := range l.Classes {
		r.Classes[k.Class.Name] += k.Objects
	}
	if l.Queue != 0 {
		r.in = " " + l.Queue.String()
	}
	if l.Cut {
		r.broken = " (the list breaks off)"
	}
	return r
}

func runFinalizers(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	limit, err := c.Int('n', 5)
	if err != nil {
		return err
	}
	lists, err := a.Backlogs(ctx)
	for _, l := range lists {
		if err := c.Emit(newBacklog(l, limit)); err != nil {
			return err
		}
	}
	return err
}

// Details writes the classes.
func (r *backlogRecord) Details(w *out.Writer) {
	for i, k := range r.list.Classes {
		if i == r.limit {
			w.Printf("    ... %d more classes\n", len(r.list.Classes)-i)
			break
		}
		w.Printf("    %8d %s\n", k.Objects, k.Class.Name)
	}
}
