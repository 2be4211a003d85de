package heap

import (
	"context"
	"errors"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
)

// module is the module of all commands of the package.
const module = "heap"

// errNoHeap says that nothing in the process has a heap that is known.
var errNoHeap = core.Unknown(errors.New("the process has no runtime whose heap is known"))

// nativeOption has a command look at the heap of C.
var nativeOption = commands.Option{Letter: 'C', Help: "of the heap of C, if the process has a managed heap, too"}

// approximate says how far the heap of C is to be trusted.
const approximate = "the heap of C is approximate: any word that looks like a pointer counts as one"

// grapherOf returns the heap of a session: a managed one, or the heap of C if there is none or native asks for it.
func grapherOf(ctx context.Context, s *commands.Session, native bool) (r runtimes.Grapher, managed bool, err error) {
	if r, ok := commands.RuntimeOf[runtimes.Grapher](s); ok && !native {
		return r, true, nil
	}
	if u, ok := commands.RuntimeOf[runtimes.Undecoded](s); ok && !native {
		return nil, false, core.Unknown(u)
	}
	r, err = s.Native().Heap(ctx)
	if err != nil && !native {
		err = errNoHeap
	}
	return r, false, err
}

// graphOf returns the graph of the process, and says once what it lacks.
func graphOf(ctx context.Context, c *commands.Call) (*graph.Graph, error) {
	r, managed, err := grapherOf(ctx, c.Session, c.Flag('C'))
	if err != nil {
		return nil, err
	}
	g, err := r.Graph(ctx)
	if err != nil {
		return nil, err
	}
	if !managed && c.First {
		c.Warn(approximate)
	}
	if d := g.Damage(); d != nil && c.First {
		warnDamage(c, d)
	}
	return g, nil
}

// lacking returns why the process has no runtime that does what is asked for: the one of
// that name, or any for "", is there and cannot be decoded, or else none.
func lacking(s *commands.Session, name string, none error) error {
	if u, ok := commands.RuntimeOf[runtimes.Undecoded](s); ok && (name == "" || u.Name() == name) {
		return core.Unknown(u)
	}
	return none
}

// maxNotes is how many notes about damage are shown.
const maxNotes = 4

// warnDamage warns about the unknown part of the heap: all figures may be wrong by its contents.
func warnDamage(c *commands.Call, d *graph.Damage) {
	for _, n := range d.Notes[:min(len(d.Notes), maxNotes)] {
		c.Warn("%s", n)
	}
	if more := len(d.Notes) - maxNotes; more > 0 {
		c.Warn("and %d more like these", more)
	}
	if d.Doubtful > 0 {
		c.Warn("%s may count twice, as copies that were just being made", out.Count(d.Doubtful, "object"))
	}
	if d.Cut != "" {
		c.Session.Warn(core.Unknown(fmt.Errorf("%s; what comes after that is not in these figures", d.Cut)))
		return
	}
	if lost := d.Missing + d.Skipped; lost > 0 && d.Total > 0 {
		c.Session.Warn(core.Unknown(fmt.Errorf("%d of %d bytes of the heap (%.2f%%) could not be read or told apart: these objects, and the objects they keep alive, are not in these figures",
			lost, d.Total, 100*float64(lost)/float64(d.Total))))
	}
}

// objectOf returns the graph of the process, and the object at the address of a call. A block of the heap of
// C that no managed heap has is one, too.
func objectOf(ctx context.Context, c *commands.Call) (*graph.Graph, graph.ID, error) {
	g, err := graphOf(ctx, c)
	if err != nil {
		return nil, graph.None, err
	}
	id, err := objectAt(c, g)
	if _, native := g.Source().(graph.Manual); err != nil && !native {
		r, _, failed := grapherOf(ctx, c.Session, true)
		h, opened := c.Session.Native().Malloc(ctx)
		if failed != nil || opened != nil {
			return g, id, err
		}
		if _, is := h.At(ctx, c.Dot); !is {
			return g, id, err
		}
		if g, failed = r.Graph(ctx); failed != nil {
			return nil, graph.None, failed
		}
		c.Warn(approximate)
		id, err = objectAt(c, g)
	}
	return g, id, err
}

// objectAt returns the object at the address of a call: the one that begins there, or the one that contains it.
func objectAt(c *commands.Call, g *graph.Graph) (graph.ID, error) {
	at := g.Source().Start(c.Dot)
	if id, ok := g.ID(at); ok {
		return id, nil
	}
	if id, ok := g.Enclosing(at); ok {
		return id, nil
	}
	return graph.None, fmt.Errorf("no object of a heap is at %v", c.Dot)
}

// share returns a part of all that is reachable.
func share(g *graph.Graph, bytes uint64) float64 {
	if t := g.Tree().Total(); t > 0 {
		return float64(bytes) / float64(t)
	}
	return 0
}
