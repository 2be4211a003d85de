package heap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Ref is a place on the heap that refers to an object.
type Ref struct {
	Holder layout.Tagged // the object that refers to it, as a program sees it
	// Kind says how: "property", "element", "variable", "bound argument",
	// "map key", "map value", "set value", "weak map key", "weak map value",
	// "promise reaction", "string part", "prototype" or "internal".
	Kind string
	Name string // of a property or a variable, the index of an element
	Weak bool
	// Target is the requested object that is referred to.
	Target layout.Tagged
	// Via are objects of V8's own between holder and target, from the target
	// on: a PropertyArray, a Context.
	Via []layout.Tagged
}

// A hit is a word of the heap that refers to one of the objects looked for.
type hit struct {
	holder layout.Tagged
	offset int // in bytes from the holder's start
	typ    int
	target layout.Tagged
	weak   bool
}

// maxHits bounds the references that one scan collects; some of V8's own
// objects have millions.
const maxHits = 1 << 18

// ErrManyRefs is returned with the references found so far.
var ErrManyRefs = fmt.Errorf("v8: more than %d references: the rest is left out", maxHits)

// scanRefs finds all words of live pages that refer to one of the targets, on
// all processors: first the words, then, on the pages that have any, the
// objects that they belong to. Free space and dead copies do not count.
func (h *Heap) scanRefs(ctx context.Context, targets []layout.Tagged) ([]hit, error) {
	want := make(map[layout.Tagged]bool, len(targets))
	var filter [1 << 10]uint64
	for _, t := range targets {
		t &^= 2
		want[t] = true
		filter[refHash(t)>>6] |= 1 << (refHash(t) & 63)
	}
	found := make([][]hit, len(h.Pages))
	var total atomic.Int64
	begin := func() *pageWalker { return NewPageWalker(h.v.Reader, h.Maps, h.Gaps) }
	err := eachPage(ctx, len(h.Pages), begin, func(w *pageWalker, i int) {
		p := &h.Pages[i]
		if p.FromSpace || total.Load() >= maxHits {
			return
		}
		list := h.scanPage(p, func(t layout.Tagged) bool {
			return filter[refHash(t)>>6]>>(refHash(t)&63)&1 == 1 && want[t]
		})
		if len(list) > 0 {
			found[i] = h.holders(w, p, list)
			total.Add(int64(len(found[i])))
		}
	})
	if err == nil && total.Load() >= maxHits {
		err = ErrManyRefs
	}
	return slices.Concat(found...), err
}

func refHash(t layout.Tagged) uint { return uint(t>>2*0x9e3779b97f4a7c15>>48) & 0xffff }

// scanPage returns the addresses of the words of a page that match.
func (h *Heap) scanPage(p *Page, match func(layout.Tagged) bool) []core.Addr {
	var out []core.Addr
	step := h.v.SlotSize()
	for at := p.AreaStart; at < p.AreaEnd && len(out) < maxHits; {
		data, err := h.v.Space.Slice(at, int(min(p.AreaEnd-at, layout.ChunkSize)))
		data = data[:len(data)&^(step-1)]
		for i := 0; i < len(data); i += step {
			w := h.v.Tagged(data[i:], at)
			if w&1 == 1 && match(w&^2) {
				out = append(out, at+core.Addr(i))
			}
		}
		at += core.Addr(len(data))
		if err != nil || len(data) == 0 {
			at = h.v.skipFault(at, p.AreaEnd)
		}
	}
	return out
}

// holders finds the objects of a page that contain the words at the given addresses, which are in order.
func (h *Heap) holders(w *pageWalker, p *Page, list []core.Addr) []hit {
	var out []hit
	w.Stopped = false
	w.Each = func(a core.Addr, m *MapInfo, size int) bool {
		for len(list) > 0 && list[0] < a+core.Addr(size) {
			if list[0] >= a && !m.free && !h.v.rawBytes(m.Typ) {
				x, _ := h.v.TaggedAt(list[0])
				out = append(out, hit{holder: layout.Tag(a), offset: int(list[0] - a), typ: m.Typ, target: x &^ 2, weak: x&2 != 0})
			}
			list = list[1:]
		}
		return len(list) > 0
	}
	w.Walk(p)
	w.Each, w.Stopped = nil, false
	return out
}

// rawBytes reports whether objects of a type hold bytes and no references:
// what looks like one is chance.
func (hs *Heaps) rawBytes(typ int) bool {
	if typ < hs.Layout.String.FirstNonstringType {
		return typ&hs.Layout.String.RepresentationMask == hs.Layout.String.SeqTag
	}
	switch hs.Types.Names[typ] {
	case "BYTE_ARRAY_TYPE", "TRUSTED_BYTE_ARRAY_TYPE", "FIXED_DOUBLE_ARRAY_TYPE", "HEAP_NUMBER_TYPE":
		return true
	}
	return typ == hs.Types.BigInt
}

// References returns the referrers of o: objects of JavaScript, and with internal V8's own objects too. A
// reference through V8's stores is followed to the object that owns the store, at most depth times. The result
// is ordered by address. The error is ctx's, or ErrManyRefs.
func (h *Heap) References(ctx context.Context, o layout.Tagged, depth int, internal bool) ([]Ref, error) {
	type pending struct {
		target layout.Tagged // of the first step
		first  hit
		via    []layout.Tagged
	}
	hits, err := h.scanRefs(ctx, []layout.Tagged{o})
	if err != nil && !errors.Is(err, ErrManyRefs) {
		return nil, err
	}
	many := err
	var out []Ref
	open := map[layout.Tagged][]pending{}
	take := func(x hit, p pending) {
		if x.offset == 0 {
			return // an instance of a map
		}
		if r, ok := h.explain(x, p.first, p.via); ok {
			r.Target = o
			if internal || r.Kind != "internal" {
				out = append(out, r)
			}
			return
		}
		if len(p.via) < depth && !slices.Contains(p.via, x.holder) {
			p.via = append(slices.Clone(p.via), x.holder)
			open[x.holder] = append(open[x.holder], p)
		} else if internal {
			out = append(out, Ref{Holder: x.holder, Kind: "internal", Target: o, Weak: x.weak, Name: h.place(x), Via: p.via})
		}
	}
	for i, x := range hits {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		take(x, pending{o, x, nil})
	}
	for len(open) > 0 {
		stores := make([]layout.Tagged, 0, len(open))
		for s := range open {
			stores = append(stores, s)
		}
		slices.Sort(stores)
		last := open
		open = map[layout.Tagged][]pending{}
		hits, err := h.scanRefs(ctx, stores)
		if err != nil && !errors.Is(err, ErrManyRefs) {
			return nil, err
		}
		many = cmp.Or(many, err)
		for i, x := range hits {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, p := range last[x.target] {
				take(x, p)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Ref) int {
		return cmp.Or(cmp.Compare(a.Holder, b.Holder), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return slices.CompactFunc(out, func(a, b Ref) bool {
		return a.Holder == b.Holder && a.Kind == b.Kind && a.Name == b.Name
	}), many
}

// place says where in the holder a reference is.
func (h *Heap) place(x hit) string {
	return h.v.Types.Name(x.typ) + "+" + strconv.Itoa(x.offset)
}

// explain says what a reference means to a program. It fails for a store of
// V8's own: the holder has to be looked for.
func (h *Heap) explain(x, first hit, via []layout.Tagged) (Ref, bool) {
	hs := h.v
	r := Ref{Holder: x.holder, Weak: first.weak, Via: via}
	switch {
	case x.typ >= hs.Types.FirstReceiver:
		h.explainReceiver(&r, x, first, via)
		return r, true
	case x.typ < hs.Layout.String.FirstNonstringType:
		r.Kind = "string part"
		return r, true
	case hs.objects.IsContext(x.holder):
		r.Kind, r.Name = "variable", ""
		if c, err := hs.objects.Context(x.holder); err == nil {
			for _, y := range c.Variables {
				if hs.Layout.Context.Data+hs.Slots(y.Index) == x.offset {
					r.Name = y.Name
				}
			}
			if r.Name == "" {
				r.Kind, r.Name = "internal", h.place(x)
			}
		}
		return r, true
	case x.typ == hs.Types.MapType:
		r.Kind, r.Name = "internal", h.place(x)
		if x.offset == hs.Layout.Map.Prototype {
			r.Kind, r.Name = "prototype", "of a map"
		}
		return r, true
	case hs.Types.Names[x.typ] == "PROPERTY_CELL_TYPE" && x.offset == hs.Layout.PropertyCell.Value:
		r.Kind = "global"
		if k, ok := hs.Field(x.holder, hs.Layout.PropertyCell.Name); ok {
			r.Name = hs.keyName(k)
		}
		return r, true
	}
	return r, false
}

func (hs *Heaps) keyName(k layout.Tagged) string {
	key := object.Key{Word: k}
	if !hs.objects.NameKey(&key) {
		return ""
	}
	return key.String()
}

// explainReceiver says which part of an object of JavaScript the reference is.
func (h *Heap) explainReceiver(r *Ref, x, first hit, via []layout.Tagged) {
	hs := h.v
	r.Kind, r.Name = "internal", h.place(x)
	store := first.holder
	direct := len(via) == 0
	index := (first.offset - hs.Layout.FixedArray.Data) / hs.SlotSize()
	is := func(names ...string) bool { return slices.Contains(names, hs.Types.Names[x.typ]) }
	switch {
	case x.offset == hs.Layout.JSReceiver.Properties && !direct, direct && x.offset > hs.Layout.JSObject.Elements:
		if name, ok := h.propertyWith(x.holder, first.target); ok {
			r.Kind, r.Name = "property", name
			return
		}
	case x.offset == hs.Layout.JSObject.Elements && !direct && store == via[0]:
		r.Kind, r.Name = "element", strconv.Itoa(h.elementIndex(x.holder, store, index))
		return
	}
	k := hs.objects.KindOf(x.holder, h.shapeOf(x.holder))
	switch {
	case k == object.KindMap || k == object.KindSet || k == object.KindWeakMap || k == object.KindWeakSet:
		if !direct && x.offset == hs.Layout.JSCollection.Table {
			h.explainEntry(r, k, store, index)
		}
	case is("JS_BOUND_FUNCTION_TYPE"):
		switch {
		case !direct:
			r.Kind, r.Name = "bound argument", strconv.Itoa(index)
		case x.offset == hs.Layout.JSBoundFunction.This:
			r.Kind, r.Name = "bound this", ""
		case x.offset == hs.Layout.JSBoundFunction.Target:
			r.Kind, r.Name = "bound function", ""
		}
	case k == object.KindPromise && x.offset == hs.Layout.JSPromise.Reactions:
		r.Kind, r.Name = "promise result", ""
		if !direct {
			r.Kind = "promise reaction"
		}
	case k == object.KindProxy && direct:
		r.Kind, r.Name = "proxy handler", ""
		if x.offset == hs.Layout.JSProxy.Target {
			r.Kind = "proxy target"
		}
	case k == object.KindGenerator && !direct:
		r.Kind, r.Name = "generator", "local "+strconv.Itoa(index)
	case k == object.KindGenerator && x.offset == hs.Layout.JSGeneratorObject.Receiver:
		r.Kind, r.Name = "generator", "this"
	case k == object.KindWeakRef && direct:
		r.Kind, r.Name, r.Weak = "weak reference", "", true
	case k == object.KindFunction && direct && x.offset == hs.Layout.ObjectLayout.JSFunction.PrototypeOrInitialMap:
		r.Kind, r.Name = "property", "prototype"
	}
}

// shapeOf returns the shape of o, empty if it cannot be read.
func (h *Heap) shapeOf(o layout.Tagged) *object.Shape {
	if s, err := h.v.objects.Shape(o); err == nil {
		return s
	}
	return &object.Shape{}
}

// propertyWith finds the own property of o that holds t.
func (h *Heap) propertyWith(o, t layout.Tagged) (string, bool) {
	list, _, _ := h.v.objects.Properties(o, object.MaxDictionary)
	for _, p := range list {
		if p.Value.Word&^2 == t || p.Getter == t || p.Setter == t {
			return p.Key.String(), true
		}
	}
	return "", false
}

// elementIndex turns the index of a word in an element store into the index of its element. In a dictionary
// this is the key before the word.
func (h *Heap) elementIndex(o, store layout.Tagged, index int) int {
	hs := h.v
	s := h.shapeOf(o)
	if s.Elements != hs.Layout.ElementsKind.Dictionary {
		return index
	}
	d := &hs.Layout.NumberDictionary
	at := 3 + d.Prefix + (index-3-d.Prefix)/d.Entry*d.Entry
	if k, ok := hs.objects.WordAt(store, at); ok {
		if f, ok := hs.Number(k); ok {
			return int(f)
		}
	}
	return index
}

// explainEntry says which part of a collection's entry word index of its table
// is.
func (h *Heap) explainEntry(r *Ref, k object.Kind, table layout.Tagged, index int) {
	hs := h.v
	switch k {
	case object.KindSet, object.KindMap:
		buckets, ok := hs.objects.WordAt(table, 2)
		if !ok || !buckets.IsSmi() {
			return
		}
		r.Kind, r.Name = "set value", ""
		if k == object.KindMap {
			words := []string{"map key", "map value", "internal"}
			if i := (index - 3 - int(buckets.Smi())) % 3; i >= 0 {
				r.Kind = words[i]
			}
			if r.Kind == "map value" {
				key, _ := hs.objects.WordAt(table, index-1)
				r.Name = hs.brief(key)
			}
		}
	case object.KindWeakSet:
		r.Kind, r.Name, r.Weak = "weak set value", "", true
	case object.KindWeakMap:
		if (index-3)%2 == 0 {
			r.Kind, r.Name, r.Weak = "weak map key", "", true
			return
		}
		r.Kind, r.Name = "weak map value", ""
	}
}

// brief writes a key of a collection in a few characters.
func (hs *Heaps) brief(t layout.Tagged) string {
	switch {
	case t.IsSmi():
		return strconv.FormatInt(t.Smi(), 10)
	case hs.objects.IsString(t):
		return strconv.Quote(object.Clip(hs.objects.Text(t), 40))
	}
	if f, ok := hs.Number(t); ok {
		return layout.FormatNumber(f)
	}
	return core.Addr(t).String()
}
