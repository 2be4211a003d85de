package values

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// A path is what follows a name: members, elements, what pointers lead to.
type step struct {
	kind  byte // '.' a member, '[' an element, '*' what it points to
	name  string
	index int64
}

// parsePath reads "*a.b->c[2]" into the name that it begins with and the steps from there. A name
// may have colons, for namespaces, and what a template was made with.
func parsePath(s string) (name string, steps []step, err error) {
	stars := 0
	for strings.HasPrefix(s, "*") {
		stars++
		s = s[1:]
	}
	n := nameLength(s)
	name, s = s[:n], s[n:]
	for s != "" {
		switch {
		case strings.HasPrefix(s, "->"), s[0] == '.':
			s = strings.TrimPrefix(strings.TrimPrefix(s, "->"), ".")
			n := nameLength(s)
			if n == 0 {
				return "", nil, fmt.Errorf("a member's name is missing before %q", s)
			}
			steps = append(steps, step{kind: '.', name: s[:n]})
			s = s[n:]
		case s[0] == '[':
			end := strings.IndexByte(s, ']')
			if end < 0 {
				return "", nil, fmt.Errorf("%q has no ]", s)
			}
			i, err := strconv.ParseInt(strings.TrimSpace(s[1:end]), 0, 64)
			if err != nil {
				return "", nil, fmt.Errorf("the index %q is not a number", s[1:end])
			}
			steps = append(steps, step{kind: '[', index: i})
			s = s[end+1:]
		default:
			return "", nil, fmt.Errorf("what %q means is not known", s)
		}
	}
	for range stars {
		steps = append(steps, step{kind: '*'})
	}
	return name, steps, nil
}

// nameLength returns how long the name is that s begins with.
func nameLength(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '<':
			depth++
		case c == '>' && depth > 0:
			depth--
		case depth > 0, c == '_', c == '$', c == '~', c >= '0' && c <= '9', c|0x20 >= 'a' && c|0x20 <= 'z', c >= 0x80:
		case c == ':' && i+1 < len(s) && s[i+1] == ':':
			i++
		default:
			return i
		}
	}
	return len(s)
}

// walk follows the steps from a value.
func walkPath(v dwarf.Value, steps []step) (dwarf.Value, error) {
	for _, x := range steps {
		var err error
		if v, err = x.take(v); err != nil {
			return v, err
		}
	}
	return v, nil
}

func (x step) take(v dwarf.Value) (dwarf.Value, error) {
	t := v.Type.Strip()
	if t == nil {
		return v, fmt.Errorf("a value of type void has no parts")
	}
	pointer := t.Kind == dwarf.Pointer || t.Kind == dwarf.Reference || t.Kind == dwarf.RvalueReference
	switch x.kind {
	case '*':
		if !pointer {
			return v, fmt.Errorf("%s is not a pointer", t.Name())
		}
		return v.Deref()
	case '[':
		if t.Kind == dwarf.Array {
			return v.Index(x.index)
		}
		if t.Composite() {
			return elementOf(v, x.index)
		}
		if !pointer {
			return v, fmt.Errorf("%s has no elements", t.Name())
		}
		a, err := v.Pointer()
		if err != nil {
			return v, err
		}
		e := t.Elem()
		size, ok := e.Size()
		if !ok {
			return v, fmt.Errorf("the size of %s is not known", e.Name())
		}
		return v.Frame().At(e, a+core.Addr(x.index*size)), nil
	}
	if pointer {
		to, err := v.Deref()
		if err != nil {
			return v, err
		}
		v, t = to, to.Type.Strip()
	}
	t = t.Complete()
	if !t.Composite() {
		return v, fmt.Errorf("%s has no members", v.Type.Name())
	}
	m, ok := t.Find(x.name)
	if !ok {
		return v, fmt.Errorf("%s has no member %s", v.Type.Name(), x.name)
	}
	return v.As(t).Member(&m), nil
}

// elementOf returns an element of a container.
func elementOf(v dwarf.Value, i int64) (x dwarf.Value, err error) {
	err = fmt.Errorf("%s has no elements that an index names", v.Type.Name())
	w := newViewer(nil)
	w.elem = func(count int64, get func(int64) (dwarf.Value, error)) {
		if i < 0 || i >= count {
			err = fmt.Errorf("there is no element %d of %d", i, count)
			return
		}
		x, err = get(i)
	}
	t := v.Type.Strip().Complete()
	w.recipe(&node{}, v.As(t), t, 0)
	return x, err
}

// named returns the value of a name: of a variable of the current frame, or else of one outside of
// functions.
func named(ctx context.Context, s *commands.Session, name string) (dwarf.Value, error) {
	if s.Thread != nil {
		if a, err := current(ctx, s, s.Thread); err == nil && a.scope != nil {
			for i := len(a.scope.Vars) - 1; i >= 0; i-- { // the innermost block's first
				if v := a.scope.Vars[i]; v.Name == name {
					return v.Value(a.frame), nil
				}
			}
		}
	}
	v, err := global(s, name)
	if err == nil {
		return v, nil
	}
	if this, e := named1(ctx, s, "this"); e == nil && name != "this" {
		if x, e := (step{kind: '.', name: name}).take(this); e == nil {
			return x, nil
		}
	}
	return v, err
}

// named1 returns a variable of the current frame.
func named1(ctx context.Context, s *commands.Session, name string) (dwarf.Value, error) {
	if s.Thread == nil {
		return dwarf.Value{}, commands.NoThreads(s.Process)
	}
	a, err := current(ctx, s, s.Thread)
	if err == nil && a.scope != nil {
		for _, v := range a.scope.Vars {
			if v.Name == name {
				return v.Value(a.frame), nil
			}
		}
	}
	return dwarf.Value{}, fmt.Errorf("%s is not a variable here", name)
}
