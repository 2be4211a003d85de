package object

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A Members reads what objects hold: elements, buffers, and the values of
// properties that need more than a look.
type Members struct{ ClassReader }

// Path splits a member path: names after dots, and indices or quoted names in
// brackets: a.b[0]["x y"].#secret[Symbol(d)].
func Path(path string) ([]string, error) {
	var out []string
	rest := path
	for rest != "" {
		switch {
		case rest[0] == '.':
			rest = rest[1:]
			if rest == "" || rest[0] == '.' || rest[0] == '[' {
				return nil, fmt.Errorf("member %q: a name is missing after a dot", path)
			}
		case rest[0] == '[':
			name, tail, err := bracketed(rest)
			if err != nil {
				return nil, fmt.Errorf("member %q: %w", path, err)
			}
			out, rest = append(out, name), tail
			continue
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		out, rest = append(out, rest[:end]), rest[end:]
	}
	return out, nil
}

// bracketed takes [index], ["name"], ['name'] or [Symbol(d)] off the front.
func bracketed(s string) (name, rest string, err error) {
	if len(s) > 2 && (s[1] == '"' || s[1] == '\'') {
		end := strings.Index(s[2:], s[1:2]+"]")
		if end < 0 {
			return "", "", fmt.Errorf("a quote is not closed")
		}
		return s[2 : 2+end], s[2+end+2:], nil
	}
	end := strings.IndexByte(s, ']')
	if end <= 1 {
		return "", "", fmt.Errorf("a bracket is empty or not closed")
	}
	if inner := s[1:end]; strings.HasPrefix(inner, "Symbol(") {
		return "[" + inner + "]", s[end+1:], nil
	}
	return s[1:end], s[end+1:], nil
}

// ErrAccessor says that a property has a function in place of a value.
var ErrAccessor = errors.New("it is an accessor, whose value only the program could compute")

// ErrComputed says that V8 computes a property's value, such as the stack of an error.
var ErrComputed = errors.New("is computed by V8 when it is asked for")

// ErrPrimitive says that a value is no object: its members, such as a string's length, are V8's own.
var ErrPrimitive = errors.New("has no members")

// Member follows a path of names, as Path splits it, from the value s: own
// properties and elements, then inherited data. A proxy stands for its target.
func (r *Members) Member(s Slot, path []string) (Slot, error) {
	for i, name := range path {
		next, err := r.memberOf(s, name)
		if err != nil {
			return Slot{}, fmt.Errorf("%s: %w", strings.Join(path[:i+1], "."), err)
		}
		s = next
	}
	return s, nil
}

func (r *Members) memberOf(s Slot, name string) (Slot, error) {
	if s.Raw || !s.Word.IsHeap() || !r.IsReceiver(s.Word) {
		return Slot{}, fmt.Errorf("%s %w", r.describeSlot(s), ErrPrimitive)
	}
	o := r.throughProxies(s.Word)
	if i, err := strconv.ParseUint(name, 10, 32); err == nil && strconv.FormatUint(i, 10) == name {
		if found, ok := r.ElementAt(o, i); ok {
			return found, nil
		}
	}
	var found *Property
	var failed error
	r.Prototypes(o, func(p layout.Tagged) bool {
		list, _, err := r.Properties(p, MaxDictionary)
		if failed == nil {
			failed = err
		}
		for i := range list {
			if list[i].Key.String() == name {
				found = &list[i]
				return false
			}
		}
		return true
	})
	switch {
	case found == nil && failed != nil:
		return Slot{}, failed
	case found == nil:
		return Slot{}, fmt.Errorf("no such property of %v", core.Addr(o))
	}
	return r.propertyValue(o, found)
}

// propertyValue is the value of a property of o, as far as it can be had
// without running the program.
func (r *Members) propertyValue(o layout.Tagged, p *Property) (Slot, error) {
	switch {
	case p.Accessor:
		if s, ok := r.plainGetter(p.Getter); ok {
			return s, nil
		}
		if s, ok := r.nodeGetter(p.Getter, p.Key.Word); ok {
			return s, nil
		}
		return Slot{}, ErrAccessor
	case p.Native:
		return r.nativeSlot(o, p)
	}
	return p.Value, nil
}

// plainGetter returns the value of a getter that only returns a variable it closes over, as the getter of
// globalThis.process does.
func (r *Members) plainGetter(getter layout.Tagged) (Slot, bool) {
	name, ok := r.returned(getter)
	if !ok || !IsKeyName(name) {
		return Slot{}, false
	}
	list, _ := r.Contexts(getter)
	for _, c := range list {
		for _, x := range c.Variables {
			if x.Name == name {
				return x.Slot, true
			}
		}
	}
	return Slot{}, false
}

// nodeGetter returns the value of a getter whose source is missing, if it is a getter that Node's bootstrap
// makes. Node's own scripts have no source without the node binary. The getter is a short one for x in whose
// nearest context the variable _x is (lib/internal/bootstrap/node.js, _process and _Buffer).
func (r *Members) nodeGetter(getter, key layout.Tagged) (Slot, bool) {
	const longest = 64
	script, start, end := r.textOf(getter)
	if script == 0 || start < 0 || end-start > longest || !r.IsString(key) {
		return Slot{}, false
	}
	if _, err := r.Source(script, start, end, longest); err == nil {
		return Slot{}, false
	}
	list, _ := r.Contexts(getter)
	if len(list) == 0 {
		return Slot{}, false
	}
	for _, x := range list[0].Variables {
		if x.Name == "_"+r.Text(key) {
			return x.Slot, true
		}
	}
	return Slot{}, false
}

// nativeSlot is the value of a property that V8 computes, if it is a word.
func (r *Members) nativeSlot(o layout.Tagged, p *Property) (Slot, error) {
	switch {
	case p.Name == "length" && r.TypeNamed(o, "JS_ARRAY_TYPE"):
		if f, ok := r.SlotNumber(o, r.Layout.JSArray.Length); ok {
			return RawSlot(f), nil
		}
	case p.Name == "prototype":
		if t, ok := r.FunctionPrototype(o); ok {
			return Slot{Word: t}, nil
		}
	}
	if t, ok := r.ModuleExport(o, p.Word); ok {
		return Slot{Word: t}, nil
	}
	return Slot{}, ErrComputed
}

func (r *Members) throughProxies(o layout.Tagged) layout.Tagged {
	for range MaxPrototypes {
		switch {
		case r.Is(o, r.Types.JSProxy):
			o, _ = r.Field(o, r.Layout.JSProxy.Target)
		case r.Is(o, r.Types.JSGlobalProxy):
			g, ok := r.GlobalOf(o)
			if !ok {
				return o
			}
			o = g
		default:
			return o
		}
	}
	return o
}

// ElementAt returns the element of o with the given index.
func (r *Members) ElementAt(o layout.Tagged, index uint64) (Slot, bool) {
	if w, err := r.View(o); err == nil && w.ElementType != "" {
		return r.typedSlot(w, index)
	}
	s, err := r.Shape(o)
	if err != nil {
		return Slot{}, false
	}
	e, err := r.ElementsOf(o, s)
	if err != nil {
		return Slot{}, false
	}
	var found Slot
	ok := false
	_ = r.EachElement(e, func(i uint64, p Property) bool {
		if i == index && !p.Accessor {
			found, ok = p.Value, true
		}
		return i < index
	})
	return found, ok
}

// describeSlot says in a word what a value is, for messages.
func (r *Members) describeSlot(s Slot) string {
	switch {
	case s.Raw || s.Word.IsSmi():
		return "a number"
	case r.IsString(s.Word):
		return "a string"
	}
	if k := r.OddballKind(s.Word); k != "" {
		return string(k)
	}
	t, err := r.TypeOf(s.Word)
	if err != nil {
		return core.Addr(s.Word).String()
	}
	return "a " + t.Name
}

// IsKeyName matches /^[a-zA-Z_][a-zA-Z_0-9]*$/.
func IsKeyName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

// Global finds a global by name: a property of the global object, or a
// binding that a script made with let, const or class.
func (r *Members) Global(native layout.Tagged, name string) (Slot, error) {
	g, p, err := r.findGlobal(native, name)
	if err != nil {
		return Slot{}, err
	}
	return r.propertyValue(g, p)
}

// Version returns the version of Node that runs in the process, with its
// patch level as Build, from process.version. It fails if the core does not
// hold that.
func (r *Members) NodeVersion() (layout.Version, bool) {
	r.caches.node.Do(func() {
		realms, err := r.Realms(context.Background(), nil)
		if err != nil {
			return
		}
		for _, native := range realms {
			p, err := r.Global(native, "process")
			if err == nil {
				p, err = r.Member(p, []string{"version"})
			}
			var ver layout.Version
			if err != nil || p.Raw || !r.IsString(p.Word) {
				continue
			}
			if n, _ := fmt.Sscanf(r.Text(p.Word), "v%d.%d.%d", &ver.Major, &ver.Minor, &ver.Build); n == 3 {
				r.caches.version = ver
				return
			}
		}
	})
	return r.caches.version, r.caches.version != layout.Version{}
}

// ArrayValues returns Array.prototype.values of the realm of o.
func (r *Members) ArrayValues(o layout.Tagged) (layout.Tagged, bool) {
	native, ok := r.realmOf(o)
	if !ok {
		return 0, false
	}
	array, err := r.Global(native, "Array")
	if err != nil || !r.IsFunction(array.Word) {
		return 0, false
	}
	proto, ok := r.FunctionPrototype(array.Word)
	if !ok {
		return 0, false
	}
	p, ok := r.OwnProperty(proto, "values")
	return p.Value, ok && r.IsFunction(p.Value)
}

// ModuleExport returns the value of a module namespace's export: its cell in
// the module's table (objects/module.tq).
func (r *Members) ModuleExport(o, name layout.Tagged) (layout.Tagged, bool) {
	module, ok := r.moduleOf(o)
	if !ok {
		return 0, false
	}
	exports, ok := r.Field(module, r.Layout.Module.Exports)
	if !ok || !exports.IsHeap() {
		return 0, false
	}
	t, err := r.hashTable(exports, 0, 2)
	if err != nil {
		return 0, false
	}
	for i := range t.capacity {
		if key, ok := r.tableKey(t, i); !ok || key != name {
			continue
		}
		cell, ok := r.WordAt(exports, t.first+i*t.entry+1)
		if !ok || !cell.IsHeap() {
			return 0, false
		}
		return r.Field(cell, r.Layout.Cell.Value)
	}
	return 0, false
}
