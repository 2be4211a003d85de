package view

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// A Step is a part of a path after its name: a member, an element, the target of a pointer.
type Step struct {
	Kind  byte // '.' a member, '[' an element, '"' an element with a text as key, '*' the target
	Name  string
	Index int64
}

// ParsePath reads "*a.b->c[2]" into its first name and the steps from there. A name may have colons, for
// namespaces, and template arguments.
func ParsePath(s string) (name string, steps []Step, err error) {
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
			steps = append(steps, Step{Kind: '.', Name: s[:n]})
			s = s[n:]
		case s[0] == '[':
			var x Step
			if x, s, err = parseIndex(s); err != nil {
				return "", nil, err
			}
			steps = append(steps, x)
		default:
			return "", nil, fmt.Errorf("what %q means is not known", s)
		}
	}
	for range stars {
		steps = append(steps, Step{Kind: '*'})
	}
	return name, steps, nil
}

// parseIndex reads "[3]" or, for a map, ["key"], and returns the rest of s.
func parseIndex(s string) (x Step, rest string, err error) {
	if key, err := strconv.QuotedPrefix(s[1:]); err == nil && strings.HasPrefix(s[1+len(key):], "]") {
		text, err := strconv.Unquote(key)
		return Step{Kind: '"', Name: text}, s[len(key)+2:], err
	}
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return x, s, fmt.Errorf("%q has no ]", s)
	}
	i, err := strconv.ParseInt(strings.TrimSpace(s[1:end]), 0, 64)
	if err != nil {
		return x, s, fmt.Errorf("the index %q is neither a number nor a text in quotes", s[1:end])
	}
	return Step{Kind: '[', Index: i}, s[end+1:], nil
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

// WalkPath follows the steps from a value.
func WalkPath(s *commands.Session, v dwarf.Value, steps []Step) (dwarf.Value, error) {
	for _, x := range steps {
		var err error
		if v, err = x.Take(s, v, 0); err != nil {
			return v, err
		}
	}
	return v, nil
}

// Take returns the part of a value that a step leads to. Smart pointers and other wrappers
// behave as what they have, where they do not have the part themselves.
func (x Step) Take(s *commands.Session, v dwarf.Value, depth int) (dwarf.Value, error) {
	t := v.Type.Strip()
	if t == nil || depth > MaxWrapped {
		return v, fmt.Errorf("a value of type %s has no parts", v.Type.Name())
	}
	if t.Kind == dwarf.Reference || t.Kind == dwarf.RvalueReference {
		to, err := v.Deref()
		if err != nil {
			return v, err
		}
		return x.Take(s, to, depth+1)
	}
	pointer := t.Kind == dwarf.Pointer
	switch x.Kind {
	case '*':
		if pointer {
			return v.Deref()
		}
	case '[', '"':
		if done, part, err := x.element(s, v, t, pointer); done {
			return part, err
		}
	default:
		if pointer {
			to, err := v.Deref()
			if err != nil {
				return v, err
			}
			v, t = to, to.Type.Strip()
		}
		t = t.Complete()
		if t.Composite() {
			if m, ok := findMember(t, x.Name); ok {
				return v.As(t).Member(&m), nil
			}
			if whole, ok := Dynamic(s, v); ok && (pointer || depth > 0) {
				if m, ok := whole.Type.Find(x.Name); ok {
					return whole.Member(&m), nil
				}
			}
		}
	}
	inner, leads, err := Wrapped(s, v)
	switch {
	case err != nil:
		return v, err
	case leads && x.Kind == '*' && inner.Type.Strip() != nil && inner.Type.Strip().Kind != dwarf.Pointer:
		return inner, nil
	case leads:
		return x.Take(s, inner, depth+1)
	}
	return v, x.missing(v)
}

// findMember returns a member of a type by its name. The members of Rust's tuples are numbers, which debugging
// information writes as "__0".
func findMember(t *dwarf.Type, name string) (dwarf.Member, bool) {
	m, ok := t.Find(name)
	if !ok && strings.Trim(name, "0123456789") == "" {
		m, ok = t.Find("__" + name)
	}
	return m, ok
}

// missing says what a value lacks.
func (x Step) missing(v dwarf.Value) error {
	switch x.Kind {
	case '*':
		return fmt.Errorf("%s is not a pointer", v.Type.Name())
	case '[', '"':
		return fmt.Errorf("%s has no elements that an index names", v.Type.Name())
	}
	if !v.Type.Strip().Complete().Composite() {
		return fmt.Errorf("%s has no members", v.Type.Name())
	}
	return fmt.Errorf("%s has no member %s", v.Type.Name(), x.Name)
}

// element returns the element of an array or of a container, or the target of a pointer. done is false for
// other values.
func (x Step) element(s *commands.Session, v dwarf.Value, t *dwarf.Type,
	pointer bool) (done bool, _ dwarf.Value, _ error) {
	if a, err := v.Shaped(); err == nil && a.Type.Strip().Kind == dwarf.Array && x.Kind == '[' {
		e, err := a.Index(x.Index - a.First())
		return true, e, err
	}
	if g, ok := goType(v.Type); ok && g.Kind == goMap {
		w := New(nil)
		w.Depth, w.Limit = 1, MaxNodes
		if n := w.goValue(&Node{Type: v.Type.Name()}, v.As(t), v.Type, 0); n != nil {
			e, err := (&keys{n}).find(x)
			return true, e, err
		}
	}
	if full := t.Complete(); full.Composite() || t.Own() != "" {
		for c := range containersOf(recipesOf(s), v.As(full), full) {
			if c.err != nil {
				return true, v, c.err
			}
			if c.pairs {
				if all := newKeys(recipesOf(s), c); all != nil {
					e, err := all.find(x)
					return true, e, err
				}
			}
			read := indexed[c.kind]
			if c.kind == "string" {
				read = (*container).chars
			}
			if read == nil || x.Kind != '[' {
				continue
			}
			all, err := read(c)
			switch {
			case err != nil:
				return true, v, err
			case all == nil:
				continue
			case x.Index < 0 || x.Index >= all.count:
				return true, v, fmt.Errorf("there is no element %d of %d", x.Index, all.count)
			}
			e, err := all.get(x.Index)
			return true, e, err
		}
	}
	if !pointer || x.Kind != '[' {
		return false, v, nil
	}
	a, err := v.Pointer()
	if err != nil {
		return true, v, err
	}
	e := t.Elem()
	size, ok := e.Size()
	if !ok {
		return true, v, fmt.Errorf("the size of %s is not known", e.Name())
	}
	return true, v.Frame().At(e, a+core.Addr(x.Index*size)), nil
}

// keys are the keys of a map with their values.
type keys struct{ *Node }

// newKeys returns the keys of a container; nil if it lacks the parts that its kind needs.
func newKeys(rows *Recipes, c *container) *keys {
	w := New(nil)
	w.rows = rows
	w.Depth, w.Limit = 1, MaxNodes
	c.n = &Node{Type: c.t.Name()}
	if n := kinds[c.kind](w, c); n != nil && n.Kind == Array {
		return &keys{n}
	}
	return nil
}

// find returns the value of a key.
func (k *keys) find(x Step) (v dwarf.Value, err error) {
	want := strconv.FormatInt(x.Index, 10)
	if x.Kind == '"' {
		want = strconv.Quote(x.Name)
	}
	for _, n := range k.List {
		if n.Kind == Pair && x.names(n.List[0], want) {
			return *n.value, nil
		}
	}
	if k.More != 0 || len(k.List) > 0 && k.List[len(k.List)-1].Kind == Unknown {
		return v, core.Unknown(fmt.Errorf("key %s is not among the readable keys of %s", want, k.Type))
	}
	return v, fmt.Errorf("there is no key %s among %d", want, len(k.List))
}

// names reports whether a step names the key that a node shows: by its text, or by its number. A character or
// the value of an enumeration has both.
func (x Step) names(key *Node, number string) bool {
	switch {
	case x.Kind == '"' && key.HasStr:
		return key.Str == x.Name && !key.Cut
	case x.Kind == '"':
		return key.Kind == Text && key.Text == x.Name && key.More == 0
	}
	return key.Kind == Scalar && (key.Text == number || key.Note == number)
}

// Wrapped returns the inner value of a wrapper. For a smart pointer that is a pointer.
func Wrapped(s *commands.Session, v dwarf.Value) (inner dwarf.Value, ok bool, err error) {
	t := v.Type.Strip().Complete()
	if t == nil {
		return v, false, nil
	}
	if g, ok := goType(v.Type); ok && g.Kind == goInterface && s != nil {
		held, _, err := goHeld(s, v.As(t))
		if errors.Is(err, errNoPart) {
			return v, false, nil
		}
		return held, err == nil, err
	}
	if to, ok := behind(s, v, 0); ok {
		return to, true, nil
	}
	for c := range containersOf(recipesOf(s), v.As(t), t) {
		if c.err != nil {
			return v, false, c.err
		}
		switch c.kind {
		case "trait":
			if inner, ok = c.part("to"); ok {
				inner, ok = behind(s, inner, c.skipped(v.Frame().Arch.PtrSize))
			}
		case "pointer":
			inner, ok = c.part("to")
		case "alias":
			inner, ok = c.part("value")
		case "maybe":
			set, e := c.number("set")
			switch {
			case errors.Is(e, errNoPart):
				continue
			case e != nil:
				return v, false, e
			case set == 0:
				return v, false, fmt.Errorf("%s has no value", v.Type.Name())
			}
			inner, ok = c.part("value")
		}
		if ok {
			return inner, true, nil
		}
	}
	return v, false, nil
}
