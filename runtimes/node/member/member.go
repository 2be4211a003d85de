// Package member reads properties of objects and variables of closures, as scripts of Node's own name them.
package member

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/text"
)

// maxStrings bounds an array of strings.
const maxStrings = 1 << 12

// A Reader reads properties of objects and variables of functions as scripts of Node's own do.
type Reader struct {
	mem     *layout.Memory
	objects *object.Reader
}

// New returns a reader of the properties of objects.
func New(r *object.Reader) *Reader { return &Reader{r.Memory, r} }

// ClosureVariable finds a variable that the function fn closes over by name.
func (r *Reader) ClosureVariable(fn layout.Tagged, name string) (object.Slot, bool) {
	list, _ := r.objects.Contexts(fn)
	for _, c := range list {
		for _, x := range c.Variables {
			if x.Name == name {
				return x.Slot, true
			}
		}
	}
	return object.Slot{}, false
}

// Word reads a property of the object itself, not of its prototypes.
func (r *Reader) Word(o layout.Tagged, name string) (layout.Tagged, bool) {
	p, ok := r.objects.OwnProperty(o, name)
	return p.Value, ok
}

// Number reads a property of the object or its prototypes that is a number.
func (r *Reader) Number(o layout.Tagged, name string) (float64, bool) {
	s, err := r.objects.Member(object.Slot{Word: o}, []string{name})
	if err != nil {
		return 0, false
	}
	if s.Raw {
		return s.Double, true
	}
	return r.mem.Number(s.Word)
}

// KeyName returns the key of a property: a string, at most 60 characters of it, or a symbol as a program writes it.
func (r *Reader) KeyName(key layout.Tagged) string {
	if r.objects.IsString(key) {
		return text.Clip(r.objects.Text(key), 60)
	}
	return "Symbol(" + r.objects.SymbolDescription(key) + ")"
}

// Strings reads an array of strings.
func (r *Reader) Strings(root object.Slot, name string) []string {
	s, err := r.objects.Member(root, []string{name})
	if err != nil || s.Raw || !r.mem.IsReceiver(s.Word) {
		return nil
	}
	var out []string
	_ = r.objects.Elements(s.Word, func(_ uint64, e object.Slot) bool {
		if !e.Raw && r.objects.IsString(e.Word) {
			out = append(out, r.objects.Text(e.Word))
		}
		return len(out) < maxStrings
	})
	return out
}
