package crash

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
)

// fullTime bounds how long a heap is asked. The size of a heap in bytes decides whether it is asked for
// owners, so that the answer is the same each time: fullBytes for the name of a bug, briefBytes for the first
// screen, which costs some four seconds of processor time and 1.3 GB then. A larger heap is
// sampled; its bug has the class of the program as its key if the heap has more than fullBytes, where others sample
// it as well, and else none. To ask a heap of 1.3 GiB with 18 million objects whole takes 8 s of processor time and
// 2 GB, to sample it 1 s.
const (
	fullTime   = 30 * time.Second
	fullBytes  = 1 << 30
	briefBytes = 512 << 20
	// fullSearches bounds all searches for owners.
	fullSearches = 2000
)

// full returns the filling of the managed heap, as far as it can be known at once; nil without a heap. It asks
// the heap once.
func (x *examination) full() *filling {
	if x.filling != nil || x.s.Runtimes == nil {
		return x.filling
	}
	for _, r := range x.s.Runtimes() {
		if g, ok := r.(runtimes.Grapher); ok {
			x.filling = x.fill(g)
			break
		}
	}
	return x.filling
}

// fill asks the heap of a runtime.
func (x *examination) fill(g runtimes.Grapher) *filling {
	ctx, cancel := x.ctx, context.CancelFunc(func() {})
	if !x.s.Patient {
		ctx, cancel = context.WithTimeout(ctx, fullTime)
	}
	defer cancel()
	most := uint64(briefBytes)
	if x.s.Heap {
		most = fullBytes
	}
	sizer, sized := g.(runtimes.HeapSizer)
	if !sized && !x.s.Heap {
		return nil
	}
	f, err := (*filling)(nil), error(nil)
	if sized {
		n, sample, failed := sizer.HeapSize(ctx)
		if err = failed; err == nil && n > most {
			if f, err = sampleOf(ctx, sample); err == nil && n > fullBytes {
				f.extent = bugs.Largest
			}
		}
	}
	if err == nil && f == nil {
		f, err = fillingOf(ctx, x.s, g)
	}
	switch {
	case ctx.Err() != nil:
		return &filling{said: []string{"the heap is too large to say at once what fills it"}}
	case err != nil:
		return &filling{said: []string{"what fills the heap is not known: " + err.Error()}}
	}
	return f
}

// sampleOf returns the filling of a large heap, by the objects on some of its pages.
func sampleOf(ctx context.Context, sample func(context.Context) ([]heap.Class, error)) (*filling, error) {
	classes, err := sample(ctx)
	if err != nil {
		return nil, err
	}
	f := &filling{known: true, extent: bugs.Part}
	if c, share := outstanding(classes); c != nil {
		rest := fmt.Sprintf(": %d%% of the bytes on some of its pages", share)
		f.said = append(f.said, "the heap is full of objects of "+named(&c.Type, c.Place)+rest)
		f.suspects = append(f.suspects, bugs.Suspect{Class: c.Class, File: base(c.Place).File,
			Text: "full of objects of " + named(&c.Type, base(c.Place)) + rest})
	}
	f.said = append(f.said, "the heap is too large to say at once what holds them: ::leaks takes its time")
	return f, nil
}

// The least shares of all bytes, in percent.
const (
	leastOwn       = 4  // of a program's own class, to come before its parts: plain objects and arrays
	leastScattered = 20 // of any other class, to be the filling
	maxParts       = 8  // how many plain objects may be parts of one of the program's own
)

// outstanding returns the class with most bytes, and its share of all in percent; nil if no class stands out.
func outstanding(classes []heap.Class) (best *heap.Class, share uint64) {
	total := uint64(1)
	for i := range classes {
		total += classes[i].Shallow
	}
	var own *heap.Class
	for i := range classes {
		c := &classes[i]
		if c.Internal || c.Program {
			continue
		}
		if best == nil || c.Shallow > best.Shallow {
			best = c
		}
		if c.Place.Known() && 100*c.Shallow >= leastOwn*total && (own == nil || c.Shallow > own.Shallow) {
			own = c
		}
	}
	switch {
	case own != nil && best.Objects <= maxParts*own.Objects:
		return own, 100 * own.Shallow / total
	case best == nil || 100*best.Shallow < leastScattered*total:
		return nil, 0
	}
	return best, 100 * best.Shallow / total
}

func fillingOf(ctx context.Context, of *Subject, r runtimes.Grapher) (*filling, error) {
	g, err := r.Graph(ctx)
	if err != nil {
		return nil, err
	}
	var leaks []heap.Rule
	if of.Leaks != nil && of.Heap { // they take seconds where there are many timers or promises
		leaks = of.Leaks()
	}
	list, err := g.Suspects(ctx, leaks...)
	if err != nil {
		return nil, err
	}
	f := &filling{known: true}
	budget := heap.NewBudget(fullSearches)
	for i := range list[:min(len(list), maxEvidences)] {
		s := &list[i]
		f.add(g, s, g.Owners(ctx, s, budget), variableTo(ctx, g, s))
	}
	if len(list) > 0 {
		return f, ctx.Err()
	}
	classes, err := g.Counts(ctx, func(id heap.ID) bool { return g.Reachable(id, heap.Stacked) })
	if err != nil {
		return nil, err
	}
	if c, _ := outstanding(classes); c != nil {
		f.add(g, &heap.Suspect{Kind: heap.Collects, Holder: heap.None, Class: c.Type, Objects: c.Objects,
			Retained: c.Shallow}, nil, "")
	} else {
		f.said = append(f.said, "nothing stands out in the heap")
	}
	return f, ctx.Err()
}

// variableTo returns the last variable or static field on the way from a root to the holder of a
// suspect, if the language has no owners (heap.FunctionNamer); "" if there is no such variable.
func variableTo(ctx context.Context, g *heap.Graph, s *heap.Suspect) string {
	if _, ok := g.Source().(heap.FunctionNamer); ok {
		return ""
	}
	ways, err := g.Paths(ctx, s.Target(), 1)
	if err != nil || len(ways) == 0 {
		return ""
	}
	var path []core.Addr
	for _, o := range ways[0].Objects {
		path = append(path, g.Addr(o))
	}
	found := ""
	for _, x := range g.Source().Steps(path) {
		if name, ok := x.Reference.Variable(); ok {
			found = name
		}
	}
	return found
}

// add adds a suspect with its owners or, without any, the variable that holds it.
func (f *filling) add(g *heap.Graph, s *heap.Suspect, owners []heap.Owner, variable string) {
	rest := fmt.Sprintf(" %d%% of the heap", 100*s.Retained/max(g.Tree().Total(), 1))
	if len(owners) == 0 && variable != "" {
		rest += ", held by " + variable
	}
	b := bugs.Suspect{Class: s.Class.Class, File: base(s.Class.Place).File}
	for i := range owners {
		o := &owners[i]
		switch {
		case o.Class == "":
			rest += ", held by " + o.Name
		case i == 0:
			rest += fmt.Sprintf(", in %s of %s", o.Name, o.Class)
		default:
			rest += fmt.Sprintf(", %s of %s", o.Name, o.Class)
		}
		b.Holders = append(b.Holders, bugs.Holder{Name: o.Key(), File: base(o.Place).File, Own: ownFile(o.Place)})
	}
	if e := s.Evidence; e != nil && !s.Below {
		rest += ": " + e.Why
		if e.Listed { // what holds them is the platform's: the place that made them is the bug
			b.Holders = []bugs.Holder{{Name: s.Rule, File: base(e.Place).File, Own: ownFile(e.Place)}}
		}
	}
	f.said = append(f.said, objects(s, s.Class.Place)+rest)
	b.Text = objects(s, base(s.Class.Place)) + rest
	f.suspects = append(f.suspects, b)
}

// ownFile reports whether a place is in a file that a program does not share with others.
func ownFile(p heap.Place) bool {
	return p.OfProgram() && !strings.Contains(strings.ReplaceAll(p.File, `\`, "/"), "/node_modules/")
}

// base returns the name of a place's file, without its folder; "" if the place is not known.
func base(p heap.Place) heap.Place {
	if p.Known() {
		p.File = path.Base(p.File)
	}
	return p
}

// named returns the name of a class with a place.
func named(t *heap.Type, p heap.Place) string {
	if !p.Known() {
		return t.Class
	}
	return t.Class + " (" + p.String() + ")"
}

func objects(s *heap.Suspect, place heap.Place) string {
	class := named(&s.Class, place)
	if s.Objects == 1 {
		return "one " + class + " keeps"
	}
	return fmt.Sprintf("%d objects of %s keep", s.Objects, class)
}

// filled adds the filling of the heap. In the title it takes the place of where the collector gave up, if it is known.
func (x *examination) filled(f *finding, title string) {
	full := x.full()
	if full == nil {
		return
	}
	f.evidence = append(f.evidence, full.said...)
	if f.cause == bugs.JSHeapLimit && len(full.suspects) > 0 {
		f.title = title + ": " + full.suspects[0].Text
	}
}
