package heap

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A PathStep is an object on a way from a root.
type PathStep struct {
	Object layout.Tagged
	// Class is the class of a program's object. For V8's own objects it is a description in parentheses:
	// "(scope)", "(properties)".
	Class string
	// Reference says how the previous object refers to this one: "property p", "map value 1", "its elements".
	// It is "" for the first object, and if no word of the previous one refers to it.
	Reference string
}

// Steps describes each object on a path, and how the previous one refers to it.
func (h *Heap) Steps(path []layout.Tagged) []PathStep {
	steps := make([]PathStep, len(path))
	for i, o := range path {
		s := &steps[i]
		s.Object = o
		if i > 0 {
			s.Reference = h.between(path, i-1)
		}
		s.Class = h.classOn(o, s.Reference)
	}
	return steps
}

// stores are what objects keep their parts in, by how they refer to it.
var stores = map[string]string{"its properties": "(properties)", "its elements": "(elements)", "its entries": "(entries)"}

// internalWords are what V8's own objects are to a program, by a part of the name of
// their type, where typeClasses is too coarse.
var internalWords = [][2]string{
	{"DESCRIPTOR_ARRAY", "(property descriptions)"}, {"ACCESSOR_PAIR", "(accessor)"}, {"PROPERTY_CELL", "(global variable)"},
	{"PROPERTY_ARRAY", "(properties)"}, {"PROMISE_REACTION", "(promise reaction)"}, {"SCRIPT_TYPE", "(script)"},
	{"WEAK_CELL", "(finalization)"}, {"CONTEXT_CELL", "(variable)"}, {"CELL", "(cell)"}, {"CALL_SITE", "(captured frame)"},
	{"STACK", "(captured stack)"}, {"MICROTASK", "(microtask)"}, {"_TASK", "(microtask)"}, {"MODULE", "(module)"},
}

// classOn names an object of a way.
func (h *Heap) classOn(o layout.Tagged, reference string) string {
	hs := h.v
	typ, ok := hs.InstanceType(o)
	switch {
	case !ok:
		return "?"
	case typ >= hs.Types.FirstReceiver:
		if name := hs.objects.Class(o); name != "" {
			return name
		}
		return hs.objects.ConstructorName(o) // of an object without a prototype it is Object
	case stores[reference] != "":
		return stores[reference]
	case typ == hs.Types.MapType:
		return "(hidden class)"
	case hs.objects.IsContext(o):
		if c, err := hs.objects.Context(o); err == nil && c.Native {
			return "(realm)"
		}
		return "(scope)"
	}
	if class := internalClass(hs.Types.Names[typ]); class != "" {
		return class
	}
	return h.typeClass(typ, o)
}

// internalClass returns what objects of a type of V8's own are to a program; "" if internalWords
// does not have it.
func internalClass(name string) string {
	for _, w := range internalWords {
		if strings.Contains(name, w[0]) {
			return w[1]
		}
	}
	return ""
}

// between says how step i of a way refers to the next one, in a few words: through a
// store of V8's own as what it is to the object that owns the store.
func (h *Heap) between(path []layout.Tagged, i int) string {
	first, ok := h.hitBetween(path[i], path[i+1])
	if !ok {
		if h.isEphemeron(path[i], path[i+1]) {
			return "weak map value"
		}
		return ""
	}
	if i > 0 && first.offset != 0 && first.typ < h.v.Types.FirstReceiver {
		if x, ok := h.hitBetween(path[i-1], path[i]); ok && x.typ >= h.v.Types.FirstReceiver && x.offset != 0 {
			if r, ok := h.explain(x, first, path[i:i+1]); ok && r.Kind != "internal" {
				return strings.TrimSpace(r.Kind + " " + r.Name)
			}
		}
	}
	if first.offset != 0 {
		if r, ok := h.explain(first, first, nil); ok && r.Kind != "internal" {
			if r.Kind == "promise result" && !h.v.IsReceiver(first.target) && first.target.IsHeap() {
				return "its reactions" // or a primitive; either is what its word holds
			}
			return strings.TrimSpace(r.Kind + " " + r.Name)
		}
	}
	return h.partOf(first)
}

// partOf says which part of its holder a reference is, where a program has no name for
// it.
func (h *Heap) partOf(x hit) string {
	hs, l := h.v, h.v.Layout
	name := hs.Types.Names[x.typ]
	switch {
	case x.offset == 0:
		return "its hidden class"
	case x.typ >= hs.Types.FirstReceiver:
		return h.partOfReceiver(x)
	case x.typ == hs.Types.MapType:
		return h.partOfMap(x)
	case hs.objects.IsContext(x.holder):
		return h.partOfContext(x)
	case strings.Contains(name, "DESCRIPTOR_ARRAY") && x.offset >= l.DescriptorArray.Header:
		entry := (x.offset - l.DescriptorArray.Header) / hs.Slots(l.DescriptorArray.EntryWords)
		key, _ := hs.Field(x.holder, l.DescriptorArray.Header+hs.Slots(entry*l.DescriptorArray.EntryWords+l.DescriptorArray.Key))
		return "property " + hs.keyName(key)
	case name == "ACCESSOR_PAIR_TYPE" && x.offset == l.AccessorPair.Getter:
		return "getter"
	case name == "ACCESSOR_PAIR_TYPE" && x.offset == l.AccessorPair.Setter:
		return "setter"
	case name == "ALLOCATION_SITE_TYPE" && hs.IsReceiver(x.target):
		return "what a literal copies"
	case strings.Contains(name, "WEAK_CELL") && hs.TypeNamed(x.target, "WEAK_CELL"):
		return "a further registration"
	case strings.Contains(name, "WEAK_CELL") && !hs.TypeNamed(x.target, "FINALIZATION_REGISTRY"):
		return "held value"
	case hs.TypeNamed(x.target, "PROPERTY_CELL"):
		key, _ := hs.Field(x.target, l.PropertyCell.Name)
		return "variable " + hs.keyName(key)
	case strings.Contains(name, "HASH_TABLE") && hs.TypeNamed(x.target, "CELL_TYPE"):
		if key := exportOf(hs, x); key != "" {
			return "variable " + key
		}
	case h.typeClass(x.typ, x.holder) == "(array)":
		return fmt.Sprintf("element %d", (x.offset-l.FixedArray.Data)/hs.SlotSize())
	}
	return h.fieldOf(x)
}

// exportOf returns the exported name of the variable whose cell a table refers to: SourceTextModule::exports
// has names and cells by turns.
func exportOf(hs *Heaps, x hit) string {
	key, ok := hs.Field(x.holder, x.offset-hs.SlotSize())
	if !ok || !hs.objects.IsString(key) {
		return ""
	}
	return object.Clip(hs.objects.Text(key), 60)
}

func (h *Heap) partOfReceiver(x hit) string {
	hs, l := h.v, h.v.Layout
	k := hs.objects.KindOf(x.holder, h.shapeOf(x.holder))
	g := &l.JSGeneratorObject
	switch off := x.offset; {
	case off == l.JSReceiver.Properties:
		return "its properties"
	case off == l.JSObject.Elements:
		return "its elements"
	case (k == object.KindMap || k == object.KindSet || k == object.KindWeakMap || k == object.KindWeakSet) && off == l.JSCollection.Table:
		return "its entries"
	case hs.objects.IsBound(x.holder) && off == l.JSBoundFunction.Arguments:
		return "its bound arguments"
	case k == object.KindFunction && off == l.JSFunction.Context, k == object.KindGenerator && off == g.Context:
		return "its scope"
	case k == object.KindFunction && off == l.JSFunction.Shared:
		return "its function info"
	case k == object.KindFunction && off == l.ObjectLayout.JSFunction.PrototypeOrInitialMap:
		return "its initial hidden class"
	case k == object.KindGenerator && off == g.Function:
		return "its function"
	case k == object.KindGenerator && off == g.Promise:
		return "its promise"
	case k == object.KindGenerator && !hs.IsReceiver(x.target):
		return "its variables"
	case k == object.KindPromise && off == l.JSPromise.Reactions:
		return "its reactions"
	case hs.TypeNamed(x.target, "WEAK_CELL"):
		return "its registrations"
	}
	return h.fieldOf(x)
}

func (h *Heap) partOfMap(x hit) string {
	l, targetMap := h.v.Layout, h.v.IsMap(x.target)
	switch {
	case x.offset == l.Map.Prototype:
		return "prototype"
	case x.offset == l.Map.Descriptors:
		return "its property descriptions"
	case x.offset == l.Map.Constructor && targetMap:
		return "the hidden class that it comes from"
	case x.offset == l.Map.Constructor:
		return "constructor"
	case targetMap || h.v.TypeNamed(x.target, "TRANSITION"):
		return "hidden classes that come of it"
	}
	return h.fieldOf(x)
}

func (h *Heap) partOfContext(x hit) string {
	hs := h.v
	slot := (x.offset - hs.Layout.Context.Data) / hs.SlotSize()
	c, err := hs.objects.Context(x.holder)
	switch {
	case x.offset == hs.Layout.Context.Previous:
		return "the scope around"
	case err == nil && c.Native && (hs.TypeNamed(x.target, "JS_GLOBAL_OBJECT") || hs.TypeNamed(x.target, "JS_GLOBAL_PROXY")):
		return "the global object"
	case slot == 0:
		return "its variables' names"
	}
	return fmt.Sprintf("slot %d", slot)
}

// isEphemeron reports whether some WeakMap has an entry with that key and value.
func (h *Heap) isEphemeron(key, value layout.Tagged) bool {
	tables, err := h.OfType(context.Background(), h.ephemeronType())
	if err != nil {
		return false
	}
	found := false
	for _, t := range tables {
		n, ok := h.v.objects.FixedLength(t)
		size := uint64(h.v.Layout.FixedArray.Data + h.v.Slots(n))
		if !ok || size > maxBetween {
			continue
		}
		data, _ := core.ReadBytes(h.v.Space, t.Addr(), size)
		h.ephemerons(t.Addr(), data, func(e wordEdge) {
			found = found || e.from == key.Addr() && e.to == value&^2
		})
	}
	return found
}

// fieldOf names a field as V8 does, or by its place.
func (h *Heap) fieldOf(x hit) string {
	class, err := h.v.objects.ClassOf(x.holder)
	if err != nil {
		return ""
	}
	classes := h.v.objects.Classes()
	for class != "" {
		i, ok := slices.BinarySearchFunc(classes, class, func(c object.ClassInfo, name string) int { return strings.Compare(c.Name, name) })
		if !ok {
			break
		}
		for _, f := range classes[i].Fields {
			if f.Offset == x.offset && f.Tagged() {
				return "its " + strings.ReplaceAll(f.Name, "_", " ")
			}
		}
		class = classes[i].Parent
	}
	return fmt.Sprintf("its word at +%#x", x.offset)
}

// hitBetween finds the word of an object that refers to another: of several the one
// that a program has a name for.
func (h *Heap) hitBetween(from, to layout.Tagged) (hit, bool) {
	hs := h.v
	typ, ok := hs.InstanceType(from)
	l, found := h.Locate(from.Addr())
	if !ok || !found || l.Object == 0 {
		return hit{}, false
	}
	var first hit
	step := hs.SlotSize()
	for off, n := 0, 0; off+step <= int(min(l.Size, maxBetween)) && n < maxNamed; off += step {
		w, ok := hs.Field(from, off)
		if !ok || !w.IsHeap() || w&^2 != to&^2 {
			continue
		}
		x := hit{holder: from, offset: off, typ: typ, target: to, weak: w&2 != 0}
		if n++; first.holder == 0 {
			first = x
		}
		if r, ok := h.explain(x, x, nil); ok && off != 0 && r.Kind != "internal" {
			return x, true
		}
	}
	return first, first.holder != 0
}

const (
	// maxBetween bounds the bytes of an object that are looked at for a reference,
	// maxNamed the references to one object that a name is looked for.
	maxBetween = 64 << 20
	maxNamed   = 16
)
