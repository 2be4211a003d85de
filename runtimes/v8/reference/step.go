// Package reference says what a reference from one object to another is to a program: a property and its name, an
// element, a variable of a scope, a key or a value of a collection, an argument that is bound; and for objects of
// V8's own, which part of them it is.
//
// The chain: a Word is the place in an object that refers to another (explain.go). A store of V8's own, as a
// PropertyArray, stands for the object that owns it. A reference without a name in a program is a part of its holder
// (part.go), and a field has the name that V8 gives it. Steps names a way through several objects (step.go). The kinds
// of references are in kind.go.
//
// The package knows no heap: a Heap gives it the sizes and classes of objects. Upstream: V8HeapExplorer in
// profiler/heap-snapshot-generator.cc names references for snapshots.
// Versions: V8 7.4 to 14.6.
//
// LIMITATIONS: of several words that refer to the same object, the first one with a name counts. A value of a WeakMap
// is referred to by the table alone, and named as such.
package reference

import (
	"strings"

	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Heap is where the objects are.
type Heap interface {
	// SizeOf returns the bytes of the object o; false if no object begins there.
	SizeOf(o layout.Tagged) (uint64, bool)
	// TypeClass returns what objects of an instance type are: "(array)". If the type has no name, one of them may
	// show it.
	TypeClass(typ int, first layout.Tagged) string
	// IsEphemeron reports whether some WeakMap has an entry with that key and value.
	IsEphemeron(key, value layout.Tagged) bool
}

// A Namer names references between objects.
type Namer struct {
	*object.Reader
	heap Heap
}

// New returns a Namer of the objects of a heap, which r reads.
func New(r *object.Reader, heap Heap) *Namer { return &Namer{r, heap} }

// A Step is an object on a way from a root.
type Step struct {
	Object layout.Tagged
	// Class is the class of a program's object. For V8's own objects it is a description in parentheses:
	// "(scope)", "(properties)".
	Class string
	// Reference says how the previous object refers to this one. It is the zero Reference for the first object,
	// and if no word of the previous one refers to it.
	Reference graph.Reference
}

// Steps describes each object on a path, and how the previous one refers to it.
func (n *Namer) Steps(path []layout.Tagged) []Step {
	steps := make([]Step, len(path))
	for i, o := range path {
		s := &steps[i]
		s.Object = o
		if i > 0 {
			s.Reference = n.between(path, i-1)
		}
		s.Class = n.ClassOn(o, s.Reference)
	}
	return steps
}

// internalWords are what V8's own objects are to a program, by a part of the name of
// their type, where the class of the type is too coarse.
var internalWords = [][2]string{
	{"DESCRIPTOR_ARRAY", "(property descriptions)"}, {"ACCESSOR_PAIR", "(accessor)"},
	{"PROPERTY_CELL", "(global variable)"},
	{"PROPERTY_ARRAY", "(properties)"}, {"PROMISE_REACTION", "(promise reaction)"}, {"SCRIPT_TYPE", "(script)"},
	{"WEAK_CELL", "(finalization)"}, {"CONTEXT_CELL", "(variable)"}, {"CELL", "(cell)"},
	{"CALL_SITE", "(captured frame)"},
	{"STACK", "(captured stack)"}, {"MICROTASK", "(microtask)"}, {"_TASK", "(microtask)"}, {"MODULE", "(module)"},
}

// ClassOn names an object that another refers to in the way that by says, if that is known.
func (n *Namer) ClassOn(o layout.Tagged, by graph.Reference) string {
	typ, ok := n.InstanceType(o)
	switch {
	case !ok:
		return "?"
	case typ >= n.Types.FirstReceiver:
		if name := n.Class(o); name != "" {
			return name
		}
		return n.ConstructorName(o) // of an object without a prototype it is Object
	case stores[by] != "":
		return stores[by]
	case typ == n.Types.MapType:
		return "(hidden class)"
	case n.IsContext(o):
		if c, err := n.Context(o); err == nil && c.Native {
			return "(realm)"
		}
		return "(scope)"
	}
	if class := InternalClass(n.Types.Names[typ]); class != "" {
		return class
	}
	return n.heap.TypeClass(typ, o)
}

// InternalClass returns what objects of a type of V8's own are to a program; "" if internalWords
// does not have it.
func InternalClass(name string) string {
	for _, w := range internalWords {
		if strings.Contains(name, w[0]) {
			return w[1]
		}
	}
	return ""
}

// between says how step i of a way refers to the next one, in a few words: through a
// store of V8's own as what it is to the object that owns the store.
func (n *Namer) between(path []layout.Tagged, i int) graph.Reference {
	first, ok := n.wordBetween(path[i], path[i+1])
	if !ok {
		if n.heap.IsEphemeron(path[i], path[i+1]) {
			return graph.Reference{Kind: WeakMapValue}
		}
		return graph.Reference{}
	}
	if i > 0 && first.Offset != 0 && first.Type < n.Types.FirstReceiver {
		if x, ok := n.wordBetween(path[i-1], path[i]); ok && x.Type >= n.Types.FirstReceiver && x.Offset != 0 {
			if r, ok := n.Explain(x, first, path[i:i+1]); ok && r.Kind != Internal {
				return r.Reference
			}
		}
	}
	if first.Offset != 0 {
		if r, ok := n.Explain(first, first, nil); ok && r.Kind != Internal {
			if r.Kind == PromiseResult && !n.IsReceiver(first.Target) && first.Target.IsHeap() {
				return part("reactions") // or a primitive; either is what its word holds
			}
			return r.Reference
		}
	}
	return n.PartOf(first)
}

// wordBetween finds the word of an object that refers to another: of several the one
// that a program has a name for.
func (n *Namer) wordBetween(from, to layout.Tagged) (Word, bool) {
	typ, ok := n.InstanceType(from)
	size, found := n.heap.SizeOf(from)
	if !ok || !found {
		return Word{}, false
	}
	var first Word
	step := n.SlotSize()
	for off, seen := 0, 0; off+step <= int(min(size, maxBetween)) && seen < maxNamed; off += step {
		w, ok := n.Field(from, off)
		if !ok || !w.IsHeap() || w&^2 != to&^2 {
			continue
		}
		x := Word{Holder: from, Offset: off, Type: typ, Target: to, Weak: w&2 != 0}
		if seen++; first.Holder == 0 {
			first = x
		}
		if r, ok := n.Explain(x, x, nil); ok && off != 0 && r.Kind != Internal {
			return x, true
		}
	}
	return first, first.Holder != 0
}

const (
	// maxBetween bounds the bytes of an object that are looked at for a reference,
	// maxNamed the references to one object that a name is looked for.
	maxBetween = 64 << 20
	maxNamed   = 16
)
