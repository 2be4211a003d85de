package heap

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/object"
)

// A Backlog is a list of references that wait: in a ReferenceQueue, found by the collector but not yet
// enqueued, objects with finalizers, cleaners.
type Backlog struct {
	// Kind is "queue", "finalizer queue", "finalizers" (registered),
	// "cleaners" (registered) or "unenqueued".
	Kind string
	// Head is the first reference; Queue the ReferenceQueue, if it is one's.
	Head, Queue core.Addr
	Count       int
	// Classes counts what the references lead to, or led to, by class, the
	// most first.
	Classes []Count
	// Cut is set if the list was too long, or came back to itself.
	Cut bool
}

// maxBacklog is how many references of a list are counted.
const maxBacklog = 1 << 22

// Backlogs returns the lists of references that are not empty: of libcore's
// java.lang.ref.FinalizerReference (head, queue), ReferenceQueue (head,
// unenqueued) and sun.misc.Cleaner (first), all by the names of their fields. The error
// says what the lists may lack.
func (w *Walker) Backlogs(ctx context.Context) ([]Backlog, error) {
	var out []Backlog
	add := func(b Backlog) {
		if b.Count > 0 {
			out = append(out, b)
		}
	}
	finalizers := core.Addr(0)
	if c := w.classOnly(ctx, "java.lang.ref.FinalizerReference"); c != nil {
		add(w.chainOf("finalizers", w.staticRef(c, "head"), "next", "referent"))
		finalizers = w.staticRef(c, "queue")
	}
	for _, name := range []string{"sun.misc.Cleaner", "jdk.internal.ref.Cleaner"} {
		if c := w.classOnly(ctx, name); c != nil {
			add(w.chainOf("cleaners", w.staticRef(c, "first"), "next", "thunk"))
		}
	}
	queue := w.classOnly(ctx, "java.lang.ref.ReferenceQueue")
	if queue == nil {
		_, err := w.ClassesNamed(ctx, "java.lang.ref.ReferenceQueue")
		if !core.CannotKnow(err) {
			err = nil
		}
		return out, err
	}
	add(w.chainOf("unenqueued", w.staticRef(queue, "unenqueued"), "pendingNext", "referent"))
	h, err := w.Heap()
	if err != nil {
		return out, err
	}
	_, err = h.Walk(ctx, func(o object.Object, _ uint64) bool {
		if o.Class == queue {
			kind, what := "queue", "referent"
			if o.Addr == finalizers {
				kind, what = "finalizer queue", "zombie"
			}
			head, _ := w.RefField(o, "head")
			b := w.chainOf(kind, head, "queueNext", what)
			b.Queue = o.Addr
			add(b)
		}
		return true
	})
	return out, err
}

// classOnly returns the class of a name; nil if there is none.
func (w *Walker) classOnly(ctx context.Context, name string) *object.Class {
	list, err := w.ClassesNamed(ctx, name)
	if err != nil || list[0].Name != name {
		return nil
	}
	return list[0]
}

// staticRef reads a static field.
func (w *Walker) staticRef(c *object.Class, name string) core.Addr {
	f, ok := w.FindField(c, name)
	if !ok || !f.Static() {
		return 0
	}
	at, _ := w.Ref(f.Class + core.Addr(f.Offset))
	return at
}

// chainOf follows a list of references, which ends with null or with one that
// leads to itself; what names the field that says what the reference is for.
func (w *Walker) chainOf(kind string, head core.Addr, next, what string) Backlog {
	b := Backlog{Kind: kind, Head: head}
	rows := map[*object.Class]*Count{}
	seen := map[core.Addr]bool{}
	for at := head; at != 0; {
		if seen[at] || b.Count == maxBacklog {
			b.Cut = at != head // a circle that is whole is a list
			break
		}
		seen[at] = true
		o, err := w.Object(at)
		if err != nil {
			b.Cut = true
			break
		}
		b.Count++
		if of, ok := w.RefField(o, what); ok {
			if c := w.ClassOf(of); c != nil {
				r := rows[c]
				if r == nil {
					r = &Count{Class: c, First: of}
					rows[c] = r
				}
				r.Objects++
			}
		}
		to, ok := w.RefField(o, next)
		if !ok || to == at {
			break
		}
		at = to
	}
	for _, r := range rows {
		b.Classes = append(b.Classes, *r)
	}
	slices.SortFunc(b.Classes, func(x, y Count) int {
		return cmp.Or(-cmp.Compare(x.Objects, y.Objects), cmp.Compare(x.Class.Name, y.Class.Name),
			cmp.Compare(x.Class.Addr, y.Class.Addr))
	})
	return b
}

// A Loader is a java.lang.ClassLoader with the classes that it defined.
type Loader struct {
	Object  object.Object // without a Class if it is the boot class path
	Parent  core.Addr
	Classes int // without retired ones; including arrays and primitive types
	// Failed counts the classes whose verification or initialization failed.
	Failed int
	// Paths are the dex files of the classes.
	Paths []string
}

// Loaders returns the class loaders in the heap, sorted by address. Classes of the boot class path have a null
// loader and belong to the first entry, whose address is 0.
func (w *Walker) Loaders(ctx context.Context) ([]*Loader, error) {
	all, err := w.Classes(ctx)
	if err != nil {
		return nil, err
	}
	by := map[core.Addr]*Loader{0: {}}
	dexes := map[core.Addr]map[core.Addr]bool{}
	for _, c := range all {
		l := by[c.Loader]
		if l == nil {
			l = w.readLoader(c.Loader)
			by[c.Loader] = l
		}
		if c.Status == "Retired" {
			continue // its copy counts
		}
		l.Classes++
		if c.Status == "ErrorResolved" || c.Status == "ErrorUnresolved" {
			l.Failed++
		}
		if dexes[c.Loader] == nil {
			dexes[c.Loader] = map[core.Addr]bool{}
		}
		if c.DexCache != 0 && !dexes[c.Loader][c.DexCache] {
			dexes[c.Loader][c.DexCache] = true
			if at, ok := w.U64(c.DexCache.Add(int64(w.Layout.DexCache.DexFile))); ok && at != 0 {
				l.Paths = append(l.Paths, w.DexFileAt(core.Addr(at)).Name())
			}
		}
	}
	h, err := w.Heap()
	if err != nil {
		return nil, err
	}
	_, err = h.Walk(ctx, func(o object.Object, _ uint64) bool {
		if o.Class.Flags&object.FlagClassLoader != 0 && by[o.Addr] == nil {
			by[o.Addr] = w.readLoader(o.Addr)
		}
		return true
	})
	var out []*Loader
	for _, l := range by {
		slices.Sort(l.Paths)
		out = append(out, l)
	}
	slices.SortFunc(out, func(x, y *Loader) int { return cmp.Compare(x.Object.Addr, y.Object.Addr) })
	return out, err
}

func (w *Walker) readLoader(at core.Addr) *Loader {
	o, err := w.Object(at)
	if err != nil {
		return &Loader{Object: object.Object{Addr: at}}
	}
	l := &Loader{Object: o}
	l.Parent, _ = w.RefField(o, "parent")
	return l
}
