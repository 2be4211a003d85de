package heap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/object"
)

// Classes returns all classes in the heap, sorted by name and address. Classes
// that are only half made, or were replaced, are among them.
func (w *Walker) Classes(ctx context.Context) ([]*object.Class, error) {
	w.classesMu.Lock()
	all := w.classes
	w.classesMu.Unlock()
	if all != nil {
		return all, nil
	}
	h, err := w.Heap()
	if err != nil {
		return nil, err
	}
	_, err = h.Walk(ctx, func(o object.Object, _ uint64) bool {
		if o.Class.Flags&object.FlagClass != 0 {
			all = append(all, w.ClassAt(o.Addr))
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(x, y *object.Class) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name),
			cmp.Compare(x.Addr, y.Addr))
	})
	w.classesMu.Lock()
	w.classes = all
	w.classesMu.Unlock()
	return all, nil
}

var errNoClass = errors.New("art: there is no such class")

// ClassesNamed returns the classes of a name; the name without its package will
// do. The error is that there is none.
func (w *Walker) ClassesNamed(ctx context.Context, name string) ([]*object.Class, error) {
	all, err := w.Classes(ctx)
	if err != nil {
		return nil, err
	}
	var exact, short []*object.Class
	for _, c := range all {
		switch {
		case c.Name == name:
			exact = append(exact, c)
		case object.ShortName(c.Name) == name:
			short = append(short, c)
		}
	}
	if len(exact) == 0 {
		exact = short
	}
	if len(exact) == 0 {
		return nil, w.noClass(fmt.Sprintf(": %q", name))
	}
	// A class whose size was not known when it was loaded is replaced by a
	// copy, and retired.
	if live := slices.DeleteFunc(slices.Clone(exact),
		func(c *object.Class) bool { return c.Status == "Retired" }); len(live) > 0 {
		return live, nil
	}
	return exact, nil
}

// ClassesMatching returns the classes whose names a regular expression matches. It is
// an error if there is none and the names of some are not known.
func (w *Walker) ClassesMatching(ctx context.Context, re *regexp.Regexp) ([]*object.Class, error) {
	all, err := w.Classes(ctx)
	var out []*object.Class
	for _, c := range all {
		if re.MatchString(c.Name) {
			out = append(out, c)
		}
	}
	if len(out) == 0 && err == nil && len(w.MissingFiles()) > 0 {
		err = w.noClass(fmt.Sprintf(" that %q matches", re))
	}
	return out, err
}

// noClass says that no class has a name, and which file is missing that may have it:
// the names of classes are in dex files.
func (w *Walker) noClass(name string) error {
	if missing := w.MissingFiles(); len(missing) > 0 {
		return fmt.Errorf("%w%s among the classes with known names:  %w", errNoClass, name, missing[0])
	}
	return fmt.Errorf("%w%s", errNoClass, name)
}

// Below returns the addresses of classes and of all classes that extend or
// implement them.
func (w *Walker) Below(ctx context.Context, roots []*object.Class) (map[core.Addr]bool, error) {
	all, err := w.Classes(ctx)
	want := map[core.Addr]bool{}
	for _, c := range roots {
		want[c.Addr] = true
	}
	out := map[core.Addr]bool{}
	for _, c := range all {
		if want[c.Addr] {
			out[c.Addr] = true
			continue
		}
		for _, s := range append(w.Supers(c), w.Interfaces(c)...) {
			if want[s.Addr] {
				out[c.Addr] = true
				break
			}
		}
	}
	return out, err
}
