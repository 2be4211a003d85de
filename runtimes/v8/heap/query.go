package heap

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/page"
	"coredbg/runtimes/v8/text"
)

// A graphReader answers queries about objects, except about their references.
var (
	_ graph.StringReader = (*graphReader)(nil)
	_ graph.ArrayReader  = (*graphReader)(nil)
	_ graph.ShapeReader  = (*graphReader)(nil)
	_ graph.FieldReader  = (*graphReader)(nil)
)

// mapOf returns the map with a number, nil if there is none.
func (r *graphReader) mapOf(typ int32) *page.MapInfo {
	if int(typ) >= len(r.maps) {
		return nil
	}
	return r.maps[typ]
}

// IsString reports whether objects of a map are sequential strings. Ropes, slices, thin
// and external strings have their characters elsewhere.
func (r *graphReader) IsString(typ int32) bool {
	m, l := r.mapOf(typ), &r.h.v.Layout.String
	return m != nil && m.Typ < l.FirstNonstringType && m.Typ&l.RepresentationMask == l.SeqTag
}

// ReadString reads characters, of one byte or of two.
func (r *graphReader) ReadString(at core.Addr, from uint64, units []uint16) (uint64, error) {
	info, err := r.h.v.objects.StringInfo(layout.Tag(at))
	if err != nil {
		return 0, err
	}
	if info.Kind != text.SeqString {
		return 0, graph.ErrElsewhere
	}
	length := uint64(info.Length)
	units = units[:min(uint64(len(units)), length-min(from, length))]
	if info.OneByte {
		b, err := core.ReadBytes(r.h.v.Space, info.Data+core.Addr(from), uint64(len(units)))
		for i, c := range b {
			units[i] = uint16(c)
		}
		return length, err
	}
	b, err := core.ReadBytes(r.h.v.Space, info.Data+core.Addr(2*from), 2*uint64(len(units)))
	for i := range len(b) / 2 {
		units[i] = r.h.v.Order.Uint16(b[2*i:])
	}
	return length, err
}

// IsArray reports whether objects of a map are stores or ArrayBuffers.
func (r *graphReader) IsArray(typ int32, t *graph.Type) bool {
	m := r.mapOf(typ)
	return m != nil && (!m.Receiver && t.Class == "(array)" || m.Typ == r.h.v.TypeNumber("JS_ARRAY_BUFFER_TYPE"))
}

// Array says whose store an array is, and how it is filled.
func (r *graphReader) Array(at core.Addr, typ int32, holder core.Addr) graph.Array {
	a := graph.Array{Length: -1, Capacity: -1, Used: -1}
	hs, o, of := r.h.v, layout.Tag(at), layout.Tag(holder)
	if b, err := hs.objects.ArrayBuffer(o); err == nil {
		if a.Length = int64(b.Length); b.Resizable {
			a.Capacity = int64(b.MaxLength)
		}
		if w, err := hs.objects.View(of); holder != 0 && err == nil && w.Buffer == o {
			a.Owner = holder
		}
		return a
	}
	if n, ok := hs.objects.FixedLength(o); ok {
		a.Capacity = int64(n)
	}
	if holder == 0 || !hs.IsReceiver(of) {
		return a
	}
	for _, off := range []int{hs.Layout.JSObject.Elements, hs.Layout.JSReceiver.Properties,
		hs.Layout.JSCollection.Table} {
		if w, ok := hs.Field(of, off); !ok || w != o {
			continue
		}
		a.Owner = holder
		if n, ok := countOf(r.h, of); ok {
			a.Length = int64(n)
		}
		if off == hs.Layout.JSObject.Elements {
			r.elements(of, &a)
		} else {
			a.Capacity = -1 // a hash table
		}
		break
	}
	return a
}

// elements counts the elements of an object.
func (r *graphReader) elements(o layout.Tagged, a *graph.Array) {
	hs := r.h.v
	if w, err := hs.objects.View(o); err == nil && w.ElementType != "" {
		a.Length, a.Capacity = int64(w.Length), -1
		return
	}
	s, err := hs.objects.Shape(o)
	if err != nil {
		return
	}
	e, err := hs.objects.ElementsOf(o, s)
	if err != nil {
		return
	}
	if s.Elements == hs.Layout.ElementsKind.Dictionary {
		a.Capacity = -1
	}
	used := int64(0)
	if err := hs.objects.EachElement(e, func(uint64, object.Property) bool { used++; return true }); err == nil {
		a.Used = used
	}
}

// Shape returns constructor and names of properties, whatever their order and how they
// are kept. Objects in dictionary mode have names of their own.
func (r *graphReader) Shape(at core.Addr, typ int32) (key string, own bool) {
	m, o := r.mapOf(typ), layout.Tag(at)
	if m == nil || !m.Receiver {
		return "map " + strconv.Itoa(int(typ)), false
	}
	g := r.h.describe(m, o)
	if g.Dictionary {
		g.Props = r.names(o)
	}
	slices.Sort(g.Props)
	parts := append([]string{g.Constructor, ""}, g.Props...)
	template := r.h.templates()[at]
	switch {
	case template:
		parts[1] = "boilerplate"
	case g.Prototype:
		parts[1] = "prototype"
	}
	return strings.Join(parts, "\x00"), g.Dictionary || template || r.hasTemplates(m)
}

// names returns the names of an object's properties.
func (r *graphReader) names(o layout.Tagged) []string {
	list, _, _ := r.h.v.objects.Properties(o, maxGroupProps)
	var out []string
	for _, p := range list {
		if !p.Native {
			out = append(out, p.Key.String())
		}
	}
	return out
}

// templates returns the boilerplates, which V8 copies for literals.
func (h *Snapshot) templates() map[core.Addr]bool {
	h.boilerplates.once.Do(func() {
		b := &h.boilerplates
		b.all, b.maps = map[core.Addr]bool{}, map[layout.Tagged]bool{}
		for _, m := range h.Maps.List {
			if !m.Boilerplate {
				continue
			}
			b.maps[m.Word] = true
			for _, a := range h.Of(m.ID) {
				b.all[a] = true
			}
		}
	})
	return h.boilerplates.all
}

// hasTemplates reports whether objects of a map are boilerplates.
func (r *graphReader) hasTemplates(m *page.MapInfo) bool {
	r.h.templates()
	return r.h.boilerplates.maps[m.Word]
}

// IsInstance reports whether an object is neither a boilerplate nor the prototype of a
// function.
func (r *graphReader) IsInstance(at core.Addr, typ int32) bool {
	m := r.mapOf(typ)
	if m == nil || !m.Receiver {
		return m != nil
	}
	if r.h.templates()[at] {
		return false
	}
	kind, ok := r.protos[typ]
	if !ok {
		bits, _ := r.h.v.U32Field(m.Word, r.h.v.Layout.Map.BitField3)
		switch {
		case bits>>uint(r.h.v.Layout.Map.PrototypeMapShift)&1 == 1:
			kind = someProtos
		case r.h.allPrototypes(m.ID):
			kind = allProtos
		}
		if r.protos == nil {
			r.protos = map[int32]protos{}
		}
		r.protos[typ] = kind
	}
	return kind == noProtos || kind == someProtos && !r.h.v.isPrototype(layout.Tag(at))
}

// protos says which objects of a map are prototypes of functions.
type protos uint8

const (
	noProtos protos = iota
	someProtos
	allProtos
)

// Field follows own properties and elements.
func (r *graphReader) Field(at core.Addr, path []string) (graph.Value, error) {
	s := object.Slot{Word: layout.Tag(at)}
	for _, name := range path {
		var err error
		if s, err = r.h.v.objects.Own(s, name); err != nil {
			if errors.Is(err, object.ErrNoProperty) {
				err = graph.ErrNoField
			}
			return graph.Value{}, err
		}
	}
	return r.value(s)
}

// value reads what a word says.
func (r *graphReader) value(s object.Slot) (graph.Value, error) {
	objects := r.h.v.objects
	if s.Raw {
		return graph.Value{Kind: graph.Number, Num: s.Double}, nil
	}
	if f, ok := objects.Number(s.Word); ok {
		return graph.Value{Kind: graph.Number, Num: f}, nil
	}
	typ, ok := r.h.v.InstanceType(s.Word)
	switch {
	case !ok:
		return graph.Value{}, r.h.v.Fault(s.Word, 0)
	case typ < r.h.v.Layout.String.FirstNonstringType:
		chars, err := objects.String(s.Word, graph.MaxText)
		if cut := (*text.StringError)(nil); errors.As(err, &cut) && cut.Got == graph.MaxText {
			return graph.Value{Kind: graph.Text, Text: chars, Cut: true}, nil
		}
		return graph.Value{Kind: graph.Text, Text: chars}, err
	case typ == objects.Types.BigInt:
		digits, err := objects.BigInt(s.Word)
		if long := (*text.LongBigIntError)(nil); errors.As(err, &long) { // beyond all that can be asked for
			sign := 1
			if long.Negative {
				sign = -1
			}
			return graph.Value{Kind: graph.Number, Num: math.Inf(sign)}, nil
		}
		return graph.DigitsValue(digits), err
	}
	switch k := objects.OddballKind(s.Word); k {
	case object.KindUndefined:
		return graph.Value{}, nil
	case object.KindNull:
		return graph.Value{Kind: graph.Null}, nil
	case object.KindBoolean:
		return graph.Value{Kind: graph.Bool, Bool: objects.Oddball(s.Word) == "true"}, nil
	case object.KindHole:
		return graph.Value{}, graph.ErrNoField
	}
	return graph.Value{Kind: graph.Object, At: s.Word.Addr()}, nil
}
