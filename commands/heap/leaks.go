package heap

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	graph "coredbg/runtimes/heap"
)

var leakCommands = []commands.Command{{
	Name: "leaks", Module: module, Addr: commands.AddrNone,
	Summary: "show where memory of a managed heap accumulates",
	Detail: `A suspect is a place below which at least 10 % of all reachable bytes, and a megabyte,
fall apart into many objects of one class, a chain of them, or one large object. Each is
shown with its owners and a command that shows more. The owners are the property that
holds it and the class with that property, then the property that holds that object, up to
a variable; if no variable is known, the reference from a root. No suspect is no proof that
nothing leaks. In a process without a managed heap, or with -C, the objects are the blocks of the heap of C, and
::findleaks has the blocks that nothing leads to. If a tenth of
the heap or more, and a megabyte, is not reachable, the last line says so, with its largest
classes.

In a process with worker threads the sentence names the worker that has the objects on its heap.

Rules know more of some. Where one explains what accumulates, or the objects of one keep those
of another, it is said once:

    listeners             of one event above the limit of its EventEmitter, however few
    unlimited-listeners   of one event, where the program lifted the limit
    timers                of one callback, never cleared
    streams               with far more waiting to be written than their limit
    promises              that have not settled, by the place that awaits them
    contexts              of vm and the like, which only the program's objects hold
    unused-variables      that closures keep, with a context that they share with functions which are gone, and that none which lives refers to
    activities, fragments that Android has destroyed or detached, however few
    bitmaps               whose pixels are outside the heap and not recycled
    native-allocations    that a NativeAllocationRegistry knows, by class
    finalizers            objects of Java that wait to be finalized, by class
    loaders               class loaders of Java that have loaded the same class: former deployments
    files                 streams of open files of Java, by their holder
    queues                of executors and timers of Java
    threadlocals          whose values are large, by thread, or by the ThreadLocal that several threads have
    observers             listeners, callbacks and the like in a collection of Java, by the name of its field
    caches                of Java, by the name of their field
    statics               a collection that a static field holds

A single listener, activity or fragment counts, and 100 open files. Other rules need 50 objects (10 contexts, 3 loaders)
that retain 2 % of all, and 256 KB.

In JSON a suspect is {"type":"suspect","kind":K,"rule":R,"class":C,"holder":H,
"owners":[{"name":N,"class":C,"at":{"file":F,"line":N}}],"at":{"file":F,"line":N},"objects":N,"retained":N,"share":0.7,"path":[…],"why":TEXT}, the strongest
first. "holds" and "held_by" are the reasons of other rules: for objects that these keep, and for objects that keep
them. "worker" is {"tid":N,"name":TEXT}.`,
	Example:   "::leaks",
	SeeAlso:   []string{"heapstat", "dominators", "gcroot"},
	EmptyText: "nothing stands out",
	Run:       runLeaks,
}}

// suspectRecord is a place where memory accumulates, or a rule's finding.
type suspectRecord struct {
	_     out.Record `record:"suspect"`
	Kind  string     `json:"kind"`           // collection | chain | object
	Rule  string     `json:"rule,omitempty"` // that found or explains it
	Class string     `json:"class"`
	// where the class is defined, or where the rule says that the objects come from
	Place  string `json:"place,omitempty"`
	Holder string `json:"holder,omitempty"`
	// the property or variable that holds them, then what holds the object that has it
	Owners  []owner   `json:"owners,omitempty"`
	Addr    core.Addr `json:"addr,omitzero" dot:"nonzero"` // of the holder
	Example core.Addr `json:"example"`                     // the most retaining of the objects
	// of the variable or field that holds them, or the place of the rule
	At       *codePlace `json:"at,omitempty"`
	Variable string     `json:"variable,omitempty"`
	Objects  int        `json:"objects"`
	Retained uint64     `json:"retained"`
	// of these, bytes outside the heap without an owner among the objects
	Outside uint64               `json:"outside,omitempty"`
	Share   float64              `json:"share"`
	Root    *root                `json:"root,omitempty"`
	Path    []step               `json:"path,omitempty"`
	Holds   string               `json:"holds,omitempty"`   // what another rule found below the objects
	By      string               `json:"held_by,omitempty"` // what another rule found that keeps the objects
	Worker  *commands.HeapThread `json:"worker,omitempty"`  // whose heap they are on
	Why     string               `json:"why"`
	place   graph.Place
	lead    string // of why, by a rule
	below   string // the rule's reason for objects that accumulate below an object of its own
	more    string
	listed  bool // what holds them explains nothing
}

// An owner is a property with the class of the object that has it, or a variable.
type owner struct {
	Name  string     `json:"name"`
	Class string     `json:"class,omitempty"` // "" for a variable
	At    *codePlace `json:"at,omitempty"`    // of the class or the variable
}

// codePlace is a place in a program's text.
type codePlace struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
}

func runLeaks(ctx context.Context, c *commands.Call) error {
	g, err := graphOf(ctx, c)
	if err != nil {
		return err
	}
	list, err := suspectsOf(ctx, c.Session, g)
	if list == nil && err != nil {
		return err
	}
	if err != nil {
		c.Warn("%v", err)
	}
	budget := graph.NewBudget(ownerSearches)
	for i := range list {
		r, err := newSuspect(ctx, c, g, &list[i], budget)
		if err != nil {
			return err
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return emitUnreachable(ctx, c, g)
}

// ownerSearches bounds all searches for owners together.
const ownerSearches = 20_000

// suspectsOf returns the suspects of a graph by all rules of its session. On an error it returns the suspects
// found.
func suspectsOf(ctx context.Context, s *commands.Session, g *graph.Graph) ([]graph.Suspect, error) {
	var rules []graph.Rule
	if s.LeakRules != nil {
		rules = s.LeakRules()
	}
	return g.Suspects(ctx, rules...)
}

func newSuspect(ctx context.Context, c *commands.Call, g *graph.Graph, s *graph.Suspect,
	budget *graph.Budget) (*suspectRecord, error) {
	src := g.Source()
	r := &suspectRecord{Kind: string(s.Kind), Class: s.Class.Class, place: s.Class.Place,
		Example: src.Shown(g.Addr(s.Example)),
		Objects: s.Objects, Retained: s.Retained, Share: share(g, s.Retained)}
	if e := s.Evidence; e != nil {
		r.Rule, r.Outside, r.more, r.listed = s.Rule, e.Outside, e.More, e.Listed
		if s.Below {
			r.below = e.Why
		} else {
			r.lead, r.place = e.Why, e.Place
		}
		if s.Holds != nil {
			r.Holds = s.Holds.Why
		}
		if s.By != nil {
			r.By, r.more = s.By.Why, s.By.More
		}
		r.Share = float64(s.Retained) / float64(max(g.Tree().Total()+e.Outside, 1))
	}
	if s.Holder != graph.None && !r.listed && (s.Kind == graph.Collects || r.lead != "") {
		r.Holder, r.Addr = nameOf(g, s.Holder), src.Shown(g.Addr(s.Holder))
	}
	r.Worker = c.Session.HeapThread(ctx, g.Addr(s.Example))
	r.Owners = ownersOf(ctx, g, s, budget)
	ways, err := g.Paths(ctx, s.Target(), 1)
	if err != nil {
		return nil, err
	}
	if len(ways) > 0 {
		r.Root = rootOf(ctx, c, &ways[0].Root)
		r.Root.managed(ctx, c)
		if len(r.Owners) == 0 {
			r.Root.ownedAll(ctx, c, g, g.Type(ways[0].Objects[0]))
		}
		path := make([]core.Addr, len(ways[0].Objects))
		for i, o := range ways[0].Objects {
			path[i] = g.Addr(o)
		}
		for i, x := range src.Steps(path) {
			r.Path = append(r.Path, step{At: src.Shown(path[i]), Class: x.Class, Reference: x.Reference.String(),
				Retained: g.Tree().Retained(ways[0].Objects[i])})
			if name, ok := x.Reference.Variable(); ok && !r.listed {
				r.Variable, r.At = name, placeOf(x.Reference.Place)
			}
		}
	}
	if r.At == nil && r.Root != nil && !r.listed && r.Variable == "" {
		r.At = placeOf(r.Root.of.Code)
	}
	if r.At == nil && r.lead != "" {
		r.At = placeOf(r.place)
	}
	r.Place = r.place.String()
	r.Why = r.why()
	return r, nil
}

func placeOf(p graph.Place) *codePlace {
	if !p.Known() {
		return nil
	}
	return &codePlace{p.File, p.Line}
}

// why says it in a sentence.
func (r *suspectRecord) why() string {
	var b strings.Builder
	class := r.Class
	if r.Place != "" {
		class += " (" + r.Place + ")"
	}
	switch kind := graph.SuspectKind(r.Kind); {
	case r.lead != "":
		b.WriteString(r.lead)
	case kind == graph.Chained:
		fmt.Fprintf(&b, "a chain of %s of %s", out.Count(r.Objects, "object"), class)
	case kind == graph.Single:
		fmt.Fprintf(&b, "one %s", class)
	default:
		fmt.Fprintf(&b, "%s of %s", out.Count(r.Objects, "object"), class)
	}
	fmt.Fprintf(&b, ", %.0f%% of the heap", 100*r.Share)
	if r.Worker != nil {
		fmt.Fprintf(&b, ", on the heap of %v", r.Worker)
	}
	b.WriteString(r.heldBy())
	if r.Holds != "" {
		fmt.Fprintf(&b, "; they hold %s", r.Holds)
	}
	if r.below != "" {
		fmt.Fprintf(&b, ": %s", r.below)
	}
	return out.Clean(b.String(), false)
}

// ownersOf returns the owners of a suspect.
func ownersOf(ctx context.Context, g *graph.Graph, s *graph.Suspect, budget *graph.Budget) []owner {
	var list []owner
	for _, o := range g.Owners(ctx, s, budget) {
		list = append(list, owner{o.Name, o.Class, placeOf(o.Place)})
	}
	return list
}

// ownersText says what holds the objects: ", in byUrl of ResponseCache (/srv/app.js:3), cache of Api".
func ownersText(list []owner) string {
	var b strings.Builder
	for i, o := range list {
		switch {
		case o.Class == "":
			fmt.Fprintf(&b, ", held by %s%s", o.Name, o.At.text(" at %s"))
		case i == 0:
			fmt.Fprintf(&b, ", in %s of %s%s", o.Name, o.Class, o.At.text(" (%s)"))
		default:
			fmt.Fprintf(&b, ", %s of %s", o.Name, o.Class)
		}
	}
	return out.Clean(b.String(), false)
}

// heldBy says what holds the objects: its owners, or the way from a root without them.
func (r *suspectRecord) heldBy() string {
	held := ""
	if r.Holder != "" && (len(r.Owners) == 0 || r.Owners[0].Class == "") {
		held = ", in " + r.Holder
	}
	switch {
	case r.By != "":
		held = ", held by " + r.By
	case len(r.Owners) > 0:
		held += ownersText(r.Owners)
	case r.Variable != "":
		held += fmt.Sprintf(", held by %s%s", r.Variable, r.At.text(" at %s"))
	case r.Root != nil && !r.listed:
		held += ", held by " + r.Root.text()
	}
	return held
}

// text writes a place in a form; "" for nil.
func (p *codePlace) text(form string) string {
	switch {
	case p == nil:
		return ""
	case p.Line > 0:
		return fmt.Sprintf(form, fmt.Sprintf("%s:%d", p.File, p.Line))
	}
	return fmt.Sprintf(form, p.File)
}

// Text writes the sentence, and the next commands.
func (r *suspectRecord) Text(w *out.Writer) {
	w.Paint(out.Keyword, "%3.0f%%", 100*r.Share)
	w.Printf(" %12d %s\n", r.Retained, r.Why)
	at := r.Addr
	if at == 0 {
		at = r.Example
	}
	more := r.more
	if more != "" {
		more += "; "
	}
	w.Printf("     %s%x::gcroot; %x::dominators; %x::refs\n", more, uint64(at), uint64(at), uint64(r.Example))
}
