package crash

import (
	"context"
	"fmt"
	"time"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
)

// fullTime bounds how long a heap is asked what fills it: a large one takes minutes.
const fullTime = 10 * time.Second

// fillers says what a managed heap is full of, as far as that can be known at once.
func (x *examination) fillers() []string {
	if !x.s.Heap || x.s.Runtimes == nil {
		return nil
	}
	for _, r := range x.s.Runtimes() {
		g, ok := r.(runtimes.Grapher)
		if !ok {
			continue
		}
		ctx, cancel := context.WithTimeout(x.ctx, fullTime)
		defer cancel()
		said, err := fillersOf(ctx, g)
		switch {
		case ctx.Err() != nil:
			return []string{"the heap is too large to say at once what fills it"}
		case err != nil:
			return []string{"what fills the heap is not known: " + err.Error()}
		}
		return said
	}
	return nil
}

func fillersOf(ctx context.Context, r runtimes.Grapher) ([]string, error) {
	g, err := r.Graph(ctx)
	if err != nil {
		return nil, err
	}
	list, err := g.Suspects(ctx)
	if err != nil {
		return nil, err
	}
	total := max(g.Tree().Total(), 1)
	var out []string
	for i := range list[:min(len(list), maxEvidences)] {
		s := &list[i]
		said := fmt.Sprintf("%s %d%% of the heap", objects(s), 100*s.Retained/total)
		if name := variableTo(ctx, g, s); name != "" {
			said += ", held by " + name
		}
		out = append(out, said)
	}
	if len(out) == 0 {
		out = append(out, "nothing stands out in the heap")
	}
	return out, nil
}

// variableTo returns the last variable or static field on the way from a root to what holds
// a suspect, "" if there is none.
func variableTo(ctx context.Context, g *heap.Graph, s *heap.Suspect) string {
	ways, err := g.Paths(ctx, s.Target(), 1)
	if err != nil || len(ways) == 0 {
		return ""
	}
	var path []core.Addr
	for _, o := range ways[0].Objects {
		path = append(path, g.Addr(o))
	}
	found, before := "", ""
	for _, x := range g.Source().Steps(path) {
		if name, ok := x.Variable(before); ok {
			found = name
		}
		before = x.Class
	}
	return found
}

func objects(s *heap.Suspect) string {
	class := s.Class.Class
	if s.Class.Place != "" {
		class += " (" + s.Class.Place + ")"
	}
	if s.Objects == 1 {
		return "one " + class + " keeps"
	}
	return fmt.Sprintf("%d objects of %s keep", s.Objects, class)
}
