package art

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"coredbg/core"
)

// Classes returns all classes in the heap, sorted by name and address. Classes
// that are only half made, or were replaced, are among them.
func (a *ART) Classes(ctx context.Context) ([]*Class, error) {
	m := a.mirror
	m.mu.Lock()
	all := m.all
	m.mu.Unlock()
	if all != nil {
		return all, nil
	}
	h, err := a.Heap()
	if err != nil {
		return nil, err
	}
	_, err = h.Walk(ctx, func(o Object, _ uint64) bool {
		if o.Class.Flags&flagClass != 0 {
			all = append(all, a.classAt(o.Addr, 0))
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(x, y *Class) int { return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Addr, y.Addr)) })
	m.mu.Lock()
	m.all = all
	m.mu.Unlock()
	return all, nil
}

var errNoClass = errors.New("art: there is no such class")

// ClassesNamed returns the classes of a name; the name without its package will
// do. The error is that there is none.
func (a *ART) ClassesNamed(ctx context.Context, name string) ([]*Class, error) {
	all, err := a.Classes(ctx)
	if err != nil {
		return nil, err
	}
	var exact, short []*Class
	for _, c := range all {
		switch {
		case c.Name == name:
			exact = append(exact, c)
		case shortName(c.Name) == name:
			short = append(short, c)
		}
	}
	if len(exact) == 0 {
		exact = short
	}
	if len(exact) == 0 {
		return nil, a.noClass(fmt.Sprintf(": %q", name))
	}
	// A class whose size was not known when it was loaded is replaced by a
	// copy, and retired.
	if live := slices.DeleteFunc(slices.Clone(exact), func(c *Class) bool { return c.Status == "Retired" }); len(live) > 0 {
		return live, nil
	}
	return exact, nil
}

// ClassesMatching returns the classes whose names a regular expression matches. It is
// an error if there is none and the names of some are not known.
func (a *ART) ClassesMatching(ctx context.Context, re *regexp.Regexp) ([]*Class, error) {
	all, err := a.Classes(ctx)
	var out []*Class
	for _, c := range all {
		if re.MatchString(c.Name) {
			out = append(out, c)
		}
	}
	if len(out) == 0 && err == nil && len(a.MissingFiles()) > 0 {
		err = a.noClass(fmt.Sprintf(" that %q matches", re))
	}
	return out, err
}

// Static follows a path that begins with a class: "java.lang.Thread.main.name".
// The longest name of a class that it begins with counts.
func (a *ART) Static(ctx context.Context, path string) (Slot, error) {
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		classes, err := a.ClassesNamed(ctx, path[:end])
		if errors.Is(err, errNoClass) {
			continue
		}
		if err != nil {
			return Slot{}, err
		}
		rest := strings.TrimPrefix(path[end:], ".")
		if rest == "" {
			return Slot{}, fmt.Errorf("art: %s is a class, not a member of one; ::javaclass shows it", path)
		}
		return a.Member(classes[0].Addr, rest)
	}
	return Slot{}, a.noClass(fmt.Sprintf(" at the start of %q", path))
}

// noClass says that no class has a name, and which file is missing that may have it:
// the names of classes stand in dex files.
func (a *ART) noClass(name string) error {
	if missing := a.MissingFiles(); len(missing) > 0 {
		return fmt.Errorf("%w%s among those whose names are known: %w", errNoClass, name, missing[0])
	}
	return fmt.Errorf("%w%s", errNoClass, name)
}

// Below returns the addresses of classes and of all classes that extend or
// implement them.
func (a *ART) Below(ctx context.Context, roots []*Class) (map[core.Addr]bool, error) {
	all, err := a.Classes(ctx)
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
		for _, s := range append(a.Supers(c), a.Interfaces(c)...) {
			if want[s.Addr] {
				out[c.Addr] = true
				break
			}
		}
	}
	return out, err
}

// A Count is one line of a histogram of the heap.
type Count struct {
	Class   *Class
	Objects int
	Bytes   uint64
	// First is the object of the lowest address in the first space with one.
	First core.Addr
}

// Histogram counts objects by class, sorted by bytes, the most first.
func (h *Heap) Histogram(ctx context.Context, spaces ...*Space) ([]Count, *Walked, error) {
	rows := map[core.Addr]*Count{}
	var last *Count
	w, err := h.Walk(ctx, func(o Object, size uint64) bool {
		if last == nil || last.Class != o.Class {
			if last = rows[o.Class.Addr]; last == nil {
				last = &Count{Class: o.Class, First: o.Addr}
				rows[o.Class.Addr] = last
			}
		}
		last.Objects++
		last.Bytes += size
		return true
	}, spaces...)
	out := make([]Count, 0, len(rows))
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(x, y Count) int {
		return cmp.Or(-cmp.Compare(x.Bytes, y.Bytes), cmp.Compare(x.Class.Name, y.Class.Name), cmp.Compare(x.Class.Addr, y.Class.Addr))
	})
	return out, w, err
}
