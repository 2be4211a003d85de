package crash

import (
	"context"
	"fmt"
	"time"

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
		out = append(out, fmt.Sprintf("%s %d%% of the heap", objects(s), 100*s.Retained/total))
	}
	if len(out) == 0 {
		out = append(out, "nothing stands out in the heap")
	}
	return out, nil
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
