package heap

import (
	"context"
	"slices"
)

// A Path is a way from a root to an object.
type Path struct {
	Root Root
	// Objects are the objects on the way: the root's target first, the object last.
	Objects []ID
}

// Paths returns ways from roots to an object, at most most of them: ways from the strongest roots
// first, then the shortest. Two ways share only the last object. Ways from the tables of the engine, or
// through objects that are Late, come only if there is no other. The list is empty if the object is not
// reachable.
func (g *Graph) Paths(ctx context.Context, id ID, most int) ([]Path, error) {
	s, ok := g.Strength(id)
	if !ok || most <= 0 {
		return nil, nil
	}
	f := pathFinder{g: g, id: id, used: map[ID]bool{}}
	for ; s < strengths; s++ {
		for f.rank = Lasting; f.rank <= ranks; f.rank++ {
			if f.rank >= Engine && len(f.found) > 0 {
				break // what the engine keeps besides explains nothing
			}
			if err := f.pass(ctx, s, most); err != nil {
				return f.found, err
			}
		}
	}
	return f.found, nil
}

// pass finds ways from roots of a strength, up to a rank; with one that no root has,
// through objects that are Late too.
func (f *pathFinder) pass(ctx context.Context, s Strength, most int) error {
	f.strength = s
	f.direct(most)
	for len(f.found) < most {
		p, ok, err := f.search(ctx)
		if err != nil || !ok {
			return err
		}
		f.found = append(f.found, p)
		for _, o := range p.Objects[:len(p.Objects)-1] {
			f.used[o] = true
		}
	}
	return nil
}

// A pathFinder looks for ways, breadth first from the object back to a root.
type pathFinder struct {
	g        *Graph
	id       ID
	strength Strength
	rank     Rank
	used     map[ID]bool
	found    []Path
	toward   []ID // the next object on the way to id
	queue    []ID
}

// direct adds the roots that refer to the object itself.
func (f *pathFinder) direct(most int) {
	for _, r := range f.g.Roots(f.id) {
		if r.Strength == f.strength && r.Rank == f.rank && len(f.found) < most {
			f.found = append(f.found, Path{Root: r, Objects: []ID{f.id}})
		}
	}
}

// search finds a shortest way that uses no object of earlier ways.
func (f *pathFinder) search(ctx context.Context) (Path, bool, error) {
	g := f.g
	if f.toward == nil {
		f.toward = make([]ID, g.Len())
	}
	for i := range f.toward {
		f.toward[i] = None
	}
	f.queue = append(f.queue[:0], f.id)
	f.toward[f.id] = f.id
	for i := 0; i < len(f.queue); i++ {
		if i&0xffff == 0xffff && ctx.Err() != nil {
			return Path{}, false, ctx.Err()
		}
		in := g.row(f.queue[i])
		for p := in.next(); p != None; p = in.next() {
			if f.toward[p] != None || f.used[p] || !g.Reachable(p, f.strength) || f.rank < ranks && g.Type(p).Late {
				continue
			}
			f.toward[p] = f.queue[i]
			if r, ok := f.root(p); ok {
				return Path{Root: r, Objects: f.way(p)}, true, nil
			}
			f.queue = append(f.queue, p)
		}
	}
	return Path{}, false, nil
}

// root returns the strongest root of an object that may be used.
func (f *pathFinder) root(id ID) (Root, bool) {
	for _, r := range f.g.Roots(id) {
		if r.Strength <= f.strength && r.Rank <= f.rank {
			return r, true
		}
	}
	return Root{}, false
}

func (f *pathFinder) way(from ID) []ID {
	out := []ID{from}
	for from != f.id {
		from = f.toward[from]
		out = append(out, from)
	}
	return slices.Clip(out)
}
