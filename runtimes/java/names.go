package java

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNoClass is that no class has a name.
var ErrNoClass = errors.New("there is no such class")

// Named returns the classes of a name among all; the name without its package will do. Classes that were
// replaced by a copy are left out where others have the name.
func Named(all []*Class, name string) []*Class {
	var exact, short []*Class
	for _, c := range all {
		switch {
		case c.Name == name:
			exact = append(exact, c)
		case ShortName(c.Name) == name:
			short = append(short, c)
		}
	}
	if len(exact) == 0 {
		exact = short
	}
	if live := slices.DeleteFunc(slices.Clone(exact),
		func(c *Class) bool { return c.Status == "Retired" }); len(live) > 0 {
		return live
	}
	return exact
}

// StaticSlot follows a path that begins with a class: "java.lang.Thread.main.name". The longest name of a
// class that it begins with counts. The error is ErrNoClass if it begins with none.
func StaticSlot(ctx context.Context, m Objects, path string) (Slot, error) {
	all, first := m.JavaClasses(ctx)
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		classes := Named(all, path[:end])
		if len(classes) == 0 {
			continue
		}
		rest := strings.TrimPrefix(path[end:], ".")
		if rest == "" {
			return Slot{}, problem("%s is a class, not a member of one; ::javaclass shows it", path)
		}
		r := Reader{m.JavaHeap()}
		for _, c := range classes {
			step, more := rest, ""
			if i := strings.IndexAny(rest, ".["); i >= 0 {
				step, more = rest[:i], strings.TrimPrefix(rest[i:], ".")
			}
			s, ok := r.inherited(all, c, step)
			if !ok || more == "" {
				if ok {
					return s, nil
				}
				continue
			}
			at, ok := r.Ref(s.Addr)
			if !ok || !s.Reference() {
				return s, problem("%s is not a reference that can be read", path[:len(path)-len(more)])
			}
			return r.Member(at, more)
		}
		return Slot{}, problem("%s has no field %q", classes[0].Name, rest)
	}
	if first != nil {
		return Slot{}, first
	}
	return Slot{}, fmt.Errorf("%w at the start of %q", ErrNoClass, path)
}

// inherited returns the slot of a static field of a class or of the nearest of its superclasses.
func (r Reader) inherited(all []*Class, c *Class, name string) (Slot, bool) {
	if s, ok := r.static(c, name); ok {
		return s, true
	}
	for _, super := range c.Super {
		for _, k := range Named(all, super) {
			if s, ok := r.static(k, name); ok && k.Loader == c.Loader || ok && k.Loader == 0 {
				return s, true
			}
		}
	}
	return Slot{}, false
}
