package leaks

import (
	"context"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

// A Finder finds objects of a Java heap in its graph. It is safe for concurrent use.
type Finder struct {
	java.Reader

	mu    sync.Mutex
	of    *graph.Graph
	types map[int32]java.Object // an object of each type of the graph
}

// NewFinder returns a Finder for a heap.
func NewFinder(h java.Heap) *Finder { return &Finder{Reader: java.Reader{Heap: h}} }

// exemplars returns a reachable object of each type.
func (f *Finder) exemplars(ctx context.Context, g *graph.Graph) (map[int32]java.Object, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == g {
		return f.types, nil
	}
	types := map[int32]java.Object{}
	for id := range graph.ID(g.Len()) {
		if id&0xffff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t := g.TypeNumber(id)
		if _, known := types[t]; known || !g.Reachable(id, graph.Stacked) {
			continue
		}
		if o, err := f.Object(g.Addr(id)); err == nil {
			types[t] = o
		}
	}
	f.of, f.types = g, types
	return types, nil
}

// each calls yield for the reachable objects of the classes that match.
func (f *Finder) each(ctx context.Context, g *graph.Graph, match func(*java.Class) bool,
	yield func(graph.ID, java.Object)) error {
	types, err := f.exemplars(ctx, g)
	if err != nil {
		return err
	}
	wanted := map[int32]bool{}
	for t, o := range types {
		if match(o.Class) {
			wanted[t] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	for id := range graph.ID(g.Len()) {
		if id&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !wanted[g.TypeNumber(id)] || !g.Reachable(id, graph.Stacked) {
			continue
		}
		if o, err := f.Object(g.Addr(id)); err == nil {
			yield(id, o)
		}
	}
	return nil
}

// Each calls yield for the reachable objects of the classes that have a name, or extend or implement a class
// of that name.
func (f *Finder) Each(ctx context.Context, g *graph.Graph, name string, yield func(graph.ID, java.Object)) error {
	return f.each(ctx, g, func(c *java.Class) bool { return c.IsA(name) }, yield)
}

// ClassName returns the name of an object's class; "" if there is no object.
func (f *Finder) ClassName(at core.Addr) string {
	o, err := f.Object(at)
	if err != nil {
		return ""
	}
	return o.Class.Name
}

// eachClass calls yield for the classes that are reachable, each with its java.lang.Class.
func (f *Finder) eachClass(ctx context.Context, g *graph.Graph, yield func(mirror core.Addr, c *java.Class)) error {
	return f.Each(ctx, g, "java.lang.Class", func(_ graph.ID, o java.Object) {
		if c, err := f.Mirrored(o); err == nil && c.Primitive == java.NotPrimitive {
			yield(o.Addr, c)
		}
	})
}

// A held is an object in a field.
type held struct {
	id    graph.ID
	at    core.Addr
	field *java.Field
}

// static calls yield for the objects in static fields, each with the class of its field.
func (f *Finder) static(ctx context.Context, g *graph.Graph, yield func(*java.Class, held)) error {
	return f.eachClass(ctx, g, func(_ core.Addr, c *java.Class) {
		for i := range c.Own {
			x := &c.Own[i]
			if !x.Static() || c.Statics == 0 || java.PrimitiveOf(x.Type) != java.NotPrimitive {
				continue
			}
			to, ok := f.Ref(c.Statics + core.Addr(x.Offset))
			if id, known := g.ID(to); ok && known {
				yield(c, held{id, to, x})
			}
		}
	})
}

// fields calls yield for the objects in instance fields. The names of the fields end as one of ends does.
func (f *Finder) fields(ctx context.Context, g *graph.Graph, ends []string, yield func(held)) error {
	of := map[*java.Class][]*java.Field{}
	return f.each(ctx, g, func(c *java.Class) bool {
		var list []*java.Field
		for i := range c.Members {
			if x := &c.Members[i]; java.PrimitiveOf(x.Type) == java.NotPrimitive && ending(x.Name, ends) {
				list = append(list, x)
			}
		}
		of[c] = list
		return list != nil
	}, func(_ graph.ID, o java.Object) {
		for _, x := range of[o.Class] {
			to, ok := f.Ref(o.Addr + core.Addr(x.Offset))
			if id, known := g.ID(to); ok && known {
				yield(held{id, to, x})
			}
		}
	})
}

// ending reports whether a name ends as one of ends does.
func ending(name string, ends []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}
