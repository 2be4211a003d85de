package leaks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

// A local is a value of a ThreadLocal.
type local struct {
	entry graph.ID
	value core.Addr
}

// threadLocals finds large values of ThreadLocals: the values of one that several threads have, as the
// threads of a pool do, and other values by thread.
func (f *Finder) threadLocals(ctx context.Context, g *graph.Graph) (out []graph.Evidence, failed error) {
	by := map[core.Addr][]local{} // by ThreadLocal, 0 where it is gone
	err := f.Each(ctx, g, "java.lang.ThreadLocal$ThreadLocalMap$Entry", func(id graph.ID, o java.Object) {
		value, ok := f.RefField(o, "value")
		v, known := g.ID(value)
		variable, _ := f.RefField(o, "referent")
		if ok && known && g.Tree().Retained(v) >= leastHeld {
			by[variable] = append(by[variable], local{id, value})
		}
	})
	names, bad := f.variables(ctx, g, by)
	failed = errors.Join(err, bad)
	for variable, list := range by {
		var e []graph.Evidence
		if variable == 0 || len(list) == 1 {
			e, err = f.apart(ctx, g, list)
		} else {
			e, err = f.together(ctx, g, list, names[variable])
		}
		out = append(out, e...)
		failed = errors.Join(failed, err)
	}
	slices.SortFunc(out, func(x, y graph.Evidence) int { return cmp.Compare(x.Objects[0], y.Objects[0]) })
	return out, failed
}

// apart returns values with their threads.
func (f *Finder) apart(ctx context.Context, g *graph.Graph, list []local) (out []graph.Evidence, failed error) {
	for _, l := range list {
		e := graph.Evidence{Objects: []core.Addr{l.value}, Class: f.ClassName(l.value),
			Why: "the value of a ThreadLocal"}
		thread, ok, err := f.threadAbove(ctx, g, l.entry)
		if ok {
			e.Why += " of thread " + strconv.Quote(thread)
		}
		failed = errors.Join(failed, err)
		out = append(out, e)
	}
	return out, failed
}

// maxNamed is how many threads are named.
const maxNamed = 3

// together returns the values of one ThreadLocal, whose name is "" if no static field has it.
func (f *Finder) together(ctx context.Context, g *graph.Graph, list []local, name string) ([]graph.Evidence, error) {
	e := graph.Evidence{Class: f.ClassName(list[0].value), Listed: true} // one thread says little of the others
	var threads string
	var failed error
	for i, l := range list {
		e.Objects = append(e.Objects, l.value)
		if i >= maxNamed {
			continue
		}
		thread, ok, err := f.threadAbove(ctx, g, l.entry)
		failed = errors.Join(failed, err)
		if ok {
			if threads != "" {
				threads += ", "
			}
			threads += strconv.Quote(thread)
		}
	}
	if threads != "" && len(list) > maxNamed {
		threads += ", …"
	}
	if name == "" {
		name = "of a ThreadLocal"
	}
	e.Why = fmt.Sprintf("the values %s on %d threads", name, len(list))
	if threads != "" {
		e.Why += " (" + threads + ")"
	}
	return []graph.Evidence{e}, failed
}

// variables returns the static fields that have ThreadLocals: "of ThreadLocal Formatter.buffer".
func (f *Finder) variables(ctx context.Context, g *graph.Graph,
	by map[core.Addr][]local) (map[core.Addr]string, error) {
	names := map[core.Addr]string{}
	if len(by) == 0 {
		return names, nil
	}
	err := f.static(ctx, g, func(c *java.Class, h held) {
		if by[h.at] != nil && names[h.at] == "" {
			names[h.at] = "of ThreadLocal " + c.Name + "." + h.field.Name
		}
	})
	return names, err
}

// threadAbove returns the name of the thread on the way to an object.
func (f *Finder) threadAbove(ctx context.Context, g *graph.Graph, id graph.ID) (string, bool, error) {
	ways, err := g.Paths(ctx, id, 1)
	if err != nil || len(ways) == 0 {
		return "", false, err
	}
	for _, x := range slices.Backward(ways[0].Objects) {
		o, err := f.Object(g.Addr(x))
		if err == nil && o.Class.IsA("java.lang.Thread") {
			name, ok := f.threadName(o)
			return name, ok, nil
		}
	}
	return "", false, nil
}

// maxThreadName is how many characters of a thread's name are shown.
const maxThreadName = 60

// threadName returns the name of a java.lang.Thread.
func (f *Finder) threadName(o java.Object) (string, bool) {
	name, ok := f.RefField(o, "name")
	if !ok {
		return "", false
	}
	s, err := f.Text(name, maxThreadName)
	return s.Value, err == nil
}
