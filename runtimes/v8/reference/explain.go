package reference

import (
	"strconv"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/text"
)

// A Ref is a place on the heap that refers to an object.
type Ref struct {
	graph.Reference
	Holder layout.Tagged // the object that refers to it, as a program sees it
	Weak   bool
	// Target is the requested object that is referred to.
	Target layout.Tagged
	// Via are objects of V8's own between holder and target, from the target
	// on: a PropertyArray, a Context.
	Via []layout.Tagged
}

// A Word is a word of the heap that refers to one of the objects looked for.
type Word struct {
	Holder layout.Tagged
	Offset int // in bytes from the holder's start
	Type   int // the instance type of the holder
	Target layout.Tagged
	Weak   bool
}

// Place says where in the holder a reference is.
func (n *Namer) Place(x Word) string {
	return n.Types.Name(x.Type) + "+" + strconv.Itoa(x.Offset)
}

// Explain says what a reference means to a program. It fails for a store of
// V8's own: the holder has to be looked for.
func (n *Namer) Explain(x, first Word, via []layout.Tagged) (Ref, bool) {
	r := Ref{Holder: x.Holder, Weak: first.Weak, Via: via}
	switch {
	case x.Type >= n.Types.FirstReceiver:
		n.explainReceiver(&r, x, first, via)
		return r, true
	case x.Type < n.Layout.String.FirstNonstringType:
		r.Kind = StringPart
		return r, true
	case n.IsContext(x.Holder):
		r.Kind, r.Name = graph.Variable, ""
		if c, err := n.Context(x.Holder); err == nil {
			for _, y := range c.Variables {
				if n.Layout.Context.Data+n.Slots(y.Index) == x.Offset {
					r.Name = y.Name
				}
			}
			if r.Name == "" {
				r.Kind, r.Name = Internal, n.Place(x)
			}
		}
		return r, true
	case x.Type == n.Types.MapType:
		r.Kind, r.Name = Internal, n.Place(x)
		if x.Offset == n.Layout.Map.Prototype {
			r.Kind, r.Name = Prototype, "of a map"
		}
		return r, true
	case n.Types.Names[x.Type] == "PROPERTY_CELL_TYPE" && x.Offset == n.Layout.PropertyCell.Value:
		r.Kind = graph.Global
		if k, ok := n.Field(x.Holder, n.Layout.PropertyCell.Name); ok {
			r.Name = n.keyName(k)
		}
		return r, true
	}
	return r, false
}

func (n *Namer) keyName(k layout.Tagged) string {
	key := object.Key{Word: k}
	if !n.NameKey(&key) {
		return ""
	}
	return key.String()
}

// explainReceiver says which part of an object of JavaScript the reference is.
func (n *Namer) explainReceiver(r *Ref, x, first Word, via []layout.Tagged) {
	r.Kind, r.Name = Internal, n.Place(x)
	store := first.Holder
	direct := len(via) == 0
	index := (first.Offset - n.Layout.FixedArray.Data) / n.SlotSize()
	switch {
	case x.Offset == n.Layout.JSReceiver.Properties && !direct, direct && x.Offset > n.Layout.JSObject.Elements:
		if name, ok := n.propertyWith(x.Holder, first.Target); ok {
			r.Kind, r.Name = graph.Property, name
			return
		}
	case x.Offset == n.Layout.JSObject.Elements && !direct && store == via[0]:
		r.Kind, r.Name = graph.Element, strconv.Itoa(n.elementIndex(x.Holder, store, index))
		return
	}
	switch k := n.KindOf(x.Holder, n.ShapeOf(x.Holder)); {
	case isCollection(k):
		if !direct && x.Offset == n.Layout.JSCollection.Table {
			n.explainEntry(r, k, store, index)
		}
	case n.Types.Names[x.Type] == "JS_BOUND_FUNCTION_TYPE":
		n.explainBound(r, x.Offset, direct, index)
	case k == object.KindGenerator && !direct:
		r.Kind, r.Name = graph.Local, strconv.Itoa(index)
	default:
		n.explainField(r, k, x.Offset, direct)
	}
}

// isCollection reports whether objects of the kind have a table of entries.
func isCollection(k object.Kind) bool {
	return k == object.KindMap || k == object.KindSet || k == object.KindWeakMap || k == object.KindWeakSet
}

// explainBound says which part of a bound function the reference is.
func (n *Namer) explainBound(r *Ref, off int, direct bool, index int) {
	switch {
	case !direct:
		r.Kind, r.Name = BoundArgument, strconv.Itoa(index)
	case off == n.Layout.JSBoundFunction.This:
		r.Kind, r.Name = BoundThis, ""
	case off == n.Layout.JSBoundFunction.Target:
		r.Kind, r.Name = BoundFunction, ""
	}
}

// explainField says which field of an object of the language the reference is.
func (n *Namer) explainField(r *Ref, k object.Kind, off int, direct bool) {
	switch {
	case k == object.KindPromise && off == n.Layout.JSPromise.Reactions:
		r.Kind, r.Name = PromiseResult, ""
		if !direct {
			r.Kind = PromiseReaction
		}
	case k == object.KindProxy && direct:
		r.Kind, r.Name = ProxyHandler, ""
		if off == n.Layout.JSProxy.Target {
			r.Kind = ProxyTarget
		}
	case k == object.KindGenerator && off == n.Layout.JSGeneratorObject.Receiver:
		r.Kind, r.Name = Generator, "this"
	case k == object.KindWeakRef && direct:
		r.Kind, r.Name, r.Weak = WeakReference, "", true
	case k == object.KindFunction && direct && off == n.Layout.ObjectLayout.JSFunction.PrototypeOrInitialMap:
		r.Kind, r.Name = graph.Property, "prototype"
	}
}

// ShapeOf returns the shape of o, empty if it cannot be read.
func (n *Namer) ShapeOf(o layout.Tagged) *object.Shape {
	if s, err := n.Shape(o); err == nil {
		return s
	}
	return &object.Shape{}
}

// propertyWith finds the own property of o that holds t.
func (n *Namer) propertyWith(o, t layout.Tagged) (string, bool) {
	list, _, _ := n.Properties(o, object.MaxDictionary)
	for _, p := range list {
		if p.Value.Word&^2 == t || p.Getter == t || p.Setter == t {
			return p.Key.String(), true
		}
	}
	return "", false
}

// elementIndex turns the index of a word in an element store into the index of its element. In a dictionary
// this is the key before the word.
func (n *Namer) elementIndex(o, store layout.Tagged, index int) int {
	s := n.ShapeOf(o)
	if s.Elements != n.Layout.ElementsKind.Dictionary {
		return index
	}
	d := &n.Layout.NumberDictionary
	at := 3 + d.Prefix + (index-3-d.Prefix)/d.Entry*d.Entry
	if k, ok := n.WordAt(store, at); ok {
		if f, ok := n.Number(k); ok {
			return int(f)
		}
	}
	return index
}

// explainEntry says which part of a collection's entry word index of its table
// is.
func (n *Namer) explainEntry(r *Ref, k object.Kind, table layout.Tagged, index int) {
	switch k {
	case object.KindSet, object.KindMap:
		buckets, ok := n.WordAt(table, 2)
		if !ok || !buckets.IsSmi() {
			return
		}
		r.Kind, r.Name = SetValue, ""
		if k == object.KindMap {
			words := []graph.ReferenceKind{MapKey, MapValue, Internal}
			if i := (index - 3 - int(buckets.Smi())) % 3; i >= 0 {
				r.Kind = words[i]
			}
			if r.Kind == MapValue {
				key, _ := n.WordAt(table, index-1)
				r.Name = n.Brief(key)
			}
		}
	case object.KindWeakSet:
		r.Kind, r.Name, r.Weak = WeakSetValue, "", true
	case object.KindWeakMap:
		if (index-3)%2 == 0 {
			r.Kind, r.Name, r.Weak = WeakMapKey, "", true
			return
		}
		r.Kind, r.Name = WeakMapValue, ""
	}
}

// Brief writes a key of a collection in a few characters.
func (n *Namer) Brief(t layout.Tagged) string {
	switch {
	case t.IsSmi():
		return strconv.FormatInt(t.Smi(), 10)
	case n.IsString(t):
		return strconv.Quote(text.Clip(n.Text(t), 40))
	}
	if f, ok := n.Number(t); ok {
		return layout.FormatNumber(f)
	}
	return core.Addr(t).String()
}
