package heap

import (
	"strconv"
	"strings"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heapsnapshot"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// property visits one property; constants are no exception. A reference without a name is not a property to
// DevTools.
func (x *exporter) property(from core.Addr, name *heapsnapshot.Name, to layout.Tagged, visit func(heapsnapshot.Edge)) {
	if !to.IsHeap() {
		return
	}
	e := heapsnapshot.Edge{Type: heapsnapshot.PropertyEdge, Name: name, From: from, To: (to &^ 2).Addr()}
	if name.Text == "" {
		e.Type = heapsnapshot.InternalEdge
	}
	visit(e)
}

// accessor visits the pair of a getter and a setter, and both as properties of the
// object; what V8 computes itself is none.
func (x *exporter) accessor(from core.Addr, name *heapsnapshot.Name, pair layout.Tagged,
	visit func(heapsnapshot.Edge)) {
	hs := x.h.v
	if !hs.Is(pair, hs.Types.AccessorPair) {
		return
	}
	text := name.Text
	x.property(from, name, pair, visit)
	for _, half := range []struct {
		what string
		at   int
	}{{"get ", hs.Layout.AccessorPair.Getter}, {"set ", hs.Layout.AccessorPair.Setter}} {
		if f, ok := hs.Field(pair, half.at); ok && f.IsHeap() && hs.objects.OddballKind(f) == "" {
			if strings.HasPrefix(text, "<symbol ") {
				half.what = "" // only strings are put together
			}
			x.property(from, x.once(half.what+text), f, visit)
		}
	}
}

// properties visits the properties outside an object, whose bytes are data, its elements, and its prototype.
func (x *exporter) properties(n *shapeNames, o layout.Tagged, data []byte, visit func(heapsnapshot.Edge)) {
	hs, at := x.h.v, o.Addr()
	if n.proxy {
		return
	}
	add := func(name *heapsnapshot.Name, accessor bool, t layout.Tagged) {
		if accessor {
			x.accessor(at, name, t, visit)
		} else {
			x.property(at, name, t, visit)
		}
	}
	if n.dictionary {
		hs.objects.Entries(o, func(name string, accessor bool, t layout.Tagged) { add(x.once(name), accessor, t) })
	} else if len(n.others) > 0 {
		store, ok := x.field(o, data, hs.Layout.JSReceiver.Properties)
		for i := range n.others {
			f := &n.others[i]
			if f.Constant != 0 {
				add(&f.name, f.Accessor, f.Constant)
			} else if ok && store.IsHeap() {
				t, _ := hs.objects.WordAt(store, f.Index)
				add(&f.name, f.Accessor, t)
			}
		}
	}
	if n.prototype != 0 {
		x.property(at, &x.proto, layout.Tag(n.prototype), visit)
	}
	if n.function {
		if p, ok := hs.objects.FunctionPrototype(o); ok {
			x.property(at, x.once("prototype"), p, visit)
		}
	}
	if n.bound {
		x.boundArguments(o, visit)
	}
	if n.elements {
		x.elements(n, o, data, visit)
	}
}

// field reads a field of an object, whose bytes are data.
func (x *exporter) field(o layout.Tagged, data []byte, offset int) (layout.Tagged, bool) {
	if offset >= 0 && offset+x.h.v.SlotSize() <= len(data) {
		return x.h.v.Tagged(data[offset:], o.Addr()), true
	}
	return x.h.v.Field(o, offset)
}

// boundArguments visits the arguments of a bound function, which its array has, too.
func (x *exporter) boundArguments(o layout.Tagged, visit func(heapsnapshot.Edge)) {
	hs := x.h.v
	list, ok := hs.Field(o, hs.Layout.JSBoundFunction.Arguments)
	if !ok {
		return
	}
	count, _ := hs.objects.FixedLength(list)
	for i := range count {
		t, ok := hs.objects.WordAt(list, i)
		if !ok {
			return
		}
		if t.IsHeap() {
			visit(heapsnapshot.Edge{Type: heapsnapshot.ShortcutEdge, Name: x.once("bound_argument_" + strconv.Itoa(i)),
				From: o.Addr(), To: t.Addr()})
		}
	}
}

// elements visits an object's elements in an array of tagged words, up to the length of the array and without
// holes, or in a dictionary.
func (x *exporter) elements(of *shapeNames, o layout.Tagged, object []byte, visit func(heapsnapshot.Edge)) {
	hs := x.h.v
	store, ok := x.field(o, object, hs.Layout.JSObject.Elements)
	if !ok || !store.IsHeap() || x.empty(store) {
		return
	}
	e := heapsnapshot.Edge{Type: heapsnapshot.ElementEdge, From: o.Addr()}
	if !x.typeOf(store).array {
		x.numbered(o, store, visit)
		return
	}
	n, ok := hs.objects.FixedLength(store)
	if !ok || n <= 0 || n > maxStore {
		return
	}
	if of.array {
		if length, ok := x.field(o, object, hs.Layout.JSArray.Length); ok && length.IsSmi() {
			n = min(n, int(length.Smi()))
		}
	}
	data := x.stores.bytes(store.Addr(), uint64(hs.Layout.FixedArray.Data+hs.Slots(n)))
	for i := range n {
		off := hs.Layout.FixedArray.Data + hs.Slots(i)
		if off+hs.SlotSize() > len(data) {
			return
		}
		t := hs.Tagged(data[off:], store.Addr()) &^ 2
		if t.IsHeap() && !(x.empty(t) && hs.objects.IsHole(t)) {
			e.Index, e.To = i, t.Addr()
			visit(e)
		}
	}
}

// numbered visits the elements of an object that has them in a dictionary.
func (x *exporter) numbered(o, store layout.Tagged, visit func(heapsnapshot.Edge)) {
	s, err := x.h.v.objects.Shape(o)
	if err != nil || s.Elements != x.h.v.Layout.ElementsKind.Dictionary || !x.isFixedArrayObject(store) {
		return
	}
	list, err := x.h.v.objects.ElementsOf(o, s)
	if err != nil {
		return
	}
	x.h.v.objects.EachElement(list, func(index uint64, p object.Property) bool {
		if t := p.Value.Word; !p.Value.Raw && t.IsHeap() {
			visit(heapsnapshot.Edge{Type: heapsnapshot.ElementEdge, Index: int(index), From: o.Addr(), To: t.Addr()})
		}
		return true
	})
}

func (x *exporter) isFixedArrayObject(o layout.Tagged) bool {
	typ, ok := x.h.v.InstanceType(o)
	return ok && x.isFixedArray(typ)
}

// variables returns the variables of a context, by offset. Variables that the compiler made for itself are
// included, variables of blocks are not.
func (x *exporter) variables(o layout.Tagged) map[int]string {
	c, err := x.h.v.objects.Context(o)
	if err != nil || c.Native || !c.Declares && !c.Body {
		return nil
	}
	out := make(map[int]string, len(c.Locals))
	for _, v := range c.Locals {
		out[x.h.v.Layout.Context.Data+x.h.v.Slots(v.Index)] = v.Name
	}
	return out
}

// pair names the value of an entry of a WeakMap, as DevTools knows it by.
func (x *exporter) pair(table, key core.Addr, value layout.Tagged) string {
	text := func(a core.Addr) string {
		return x.h.names.ClassOn(layout.Tag(a), graph.Reference{}) + " @" + strconv.FormatUint(uint64(a)|1, 10)
	}
	return strings.Join([]string{"1 / part of key (", text(key), ") -> value (", text(value.Addr()),
		") pair in WeakMap (table @",
		strconv.FormatUint(uint64(table)|1, 10), ")"}, "")
}
