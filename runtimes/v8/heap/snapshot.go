package heap

import (
	"context"
	"io"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/heap/heapsnapshot"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// WriteSnapshot writes the heaps of the process as V8's own snapshots have them
// (profiler/heap-snapshot-generator.cc, V8HeapExplorer).
func (h *Heap) WriteSnapshot(ctx context.Context, w io.Writer) error {
	g, err := h.Graph(ctx)
	if err != nil {
		return err
	}
	s := g.Source().(*source)
	x := &exporter{source: s, objects: s.Reader().(*graphReader), stores: s.Reader().(*graphReader), shapes: map[int32]*shapeNames{},
		fields: map[fieldKey]string{}, functions: map[layout.Tagged]string{}}
	return heapsnapshot.Write(ctx, w, g, x)
}

// An exporter says what V8's snapshots say of objects.
type exporter struct {
	*source
	objects, stores *graphReader
	shapes          map[int32]*shapeNames // by type number
	fields          map[fieldKey]string
	functions       map[layout.Tagged]string // names by SharedFunctionInfo
}

// shapeNames are what the objects of a map have in common.
type shapeNames struct {
	kind       heapsnapshot.NodeType
	name       string
	named      func(o layout.Tagged) string // where each has a name of its own; nil else
	receiver   bool
	dictionary bool
	ofObject   map[int]string // properties by offset
	ofStore    []object.FieldPlace
	prototype  core.Addr
}

type fieldKey struct{ typ, offset int }

// Schema returns that of the version of V8.
func (x *exporter) Schema() heapsnapshot.Schema {
	v := x.h.v.Layout.Version
	s := heapsnapshot.Schema{NodeFields: []string{"type", "name", "id", "self_size", "edge_count"},
		NodeTypes: []string{"hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native", "synthetic",
			"concatenated string", "sliced string", "symbol", "bigint"}, Extra: !v.Before(13, 0)}
	if v.Before(13, 0) {
		s.NodeFields = append(s.NodeFields, "trace_node_id")
	}
	if !v.Before(8, 6) {
		s.NodeFields = append(s.NodeFields, "detachedness")
	}
	if !v.Before(11, 0) {
		s.NodeTypes = append(s.NodeTypes, "object shape")
	}
	return s
}

// Roots names roots as RootVisitor::RootName does, where V8 has that kind.
func (x *exporter) Roots(kind string) string {
	switch RootKind(kind) {
	case RootHandle:
		return "(Global handles)"
	case RootScope:
		return "(Handle scope)"
	case RootIsolate:
		return "(Strong root list)"
	case RootEternal:
		return "(Eternal handles)"
	case RootCache:
		return "(Startup object cache)"
	case RootCompilation:
		return "(Compilation cache)"
	case RootFrame, RootStack:
		return "(Stack roots)"
	case "read-only":
		return "(Read-only roots)"
	}
	return "(" + kind + ")"
}

// Keeper names tables whose keys are weak.
func (x *exporter) Keeper(typ int32) bool { return x.objects.maps[typ].Typ == x.kinds.ephemerons }

// Node says what an object is. Objects of read-only pages have no size from V8 13 on:
// all isolates share them. From then on the size of an external string is with what it
// has outside.
func (x *exporter) Node(at core.Addr, size uint64, typ int32) (heapsnapshot.NodeType, string, uint64) {
	n := x.shape(at, typ)
	if x.h.v.Layout.Version.AtLeast(13, 0) && x.constant(at) {
		size = 0
	}
	if n.kind == heapsnapshot.String && x.h.v.Layout.Version.AtLeast(13, 0) {
		size += x.outside(layout.Tag(at))
	}
	if n.kind == heapsnapshot.Symbol && x.private(layout.Tag(at)) {
		return heapsnapshot.Hidden, "private symbol", size
	}
	if n.named != nil {
		return n.kind, n.named(layout.Tag(at)), size
	}
	return n.kind, n.name, size
}

// outside returns the bytes of an external string that are not in the heap.
func (x *exporter) outside(o layout.Tagged) uint64 {
	info, err := x.h.v.objects.StringInfo(o)
	switch {
	case err != nil || info.Kind != object.ExternalString:
		return 0
	case info.OneByte:
		return uint64(info.Length)
	}
	return 2 * uint64(info.Length)
}

// shape returns what the objects of a type have in common.
func (x *exporter) shape(at core.Addr, typ int32) *shapeNames {
	if n := x.shapes[typ]; n != nil {
		return n
	}
	n := x.newShape(layout.Tag(at), typ)
	x.shapes[typ] = n
	return n
}

func (x *exporter) newShape(o layout.Tagged, typ int32) *shapeNames {
	hs, m := x.h.v, x.objects.maps[typ]
	n := &shapeNames{receiver: m.Receiver}
	if !m.Receiver {
		x.internalShape(n, m.Typ, o)
		return n
	}
	n.kind, n.name = heapsnapshot.Object, x.Type(typ, o.Addr()).Class
	switch {
	case hs.objects.IsBound(o):
		n.kind, n.name = heapsnapshot.Closure, "native_bind"
	case hs.objects.IsFunction(o):
		n.kind, n.named = heapsnapshot.Closure, x.functionName
	case hs.Types.Names[m.Typ] == "JS_REG_EXP_TYPE" || hs.Types.Names[m.Typ] == "JS_REGEXP_TYPE":
		n.kind, n.named = heapsnapshot.RegExp, func(o layout.Tagged) string {
			t, _ := hs.Field(o, hs.Layout.JSRegExp.Source)
			return hs.objects.Text(t)
		}
	}
	n.ofObject, n.dictionary = map[int]string{}, hs.objects.Dictionary(o)
	for _, f := range hs.objects.FieldPlaces(o) {
		if f.Offset > 0 {
			n.ofObject[f.Offset] = f.Name
		} else {
			n.ofStore = append(n.ofStore, f)
		}
	}
	if p, ok := hs.Field(m.word, hs.Layout.Map.Prototype); ok && p.IsHeap() && hs.IsReceiver(p) {
		n.prototype = p.Addr()
	}
	return n
}

// internalShape says what V8's own objects are (V8HeapExplorer::AddEntry).
func (x *exporter) internalShape(n *shapeNames, typ int, o layout.Tagged) {
	hs := x.h.v
	n.name = "system / " + camel(hs.Types.Name(typ))
	switch class := x.h.typeClass(typ, o); {
	case typ < hs.Layout.String.FirstNonstringType:
		n.kind, n.named = heapsnapshot.String, x.text
		switch info, err := hs.objects.StringInfo(o); {
		case err != nil:
		case info.Kind == object.ConsString:
			n.kind, n.name, n.named = heapsnapshot.ConcatenatedString, "(concatenated string)", nil
		case info.Kind == object.SlicedString:
			n.kind, n.name, n.named = heapsnapshot.SlicedString, "(sliced string)", nil
		}
	case class == "(number)":
		n.kind, n.name = heapsnapshot.Number, "heap number"
	case class == "(bigint)":
		n.kind, n.name = heapsnapshot.BigInt, "bigint"
	case class == "(symbol)":
		n.kind, n.name = heapsnapshot.Symbol, "symbol"
	case isArray(hs.Types.Names[typ], class):
		n.kind, n.name = heapsnapshot.Array, ""
	case class == "(object shape)" || strings.HasPrefix(hs.Types.Names[typ], "WEAK_"):
		n.kind = heapsnapshot.ObjectShape
	case class == "(context)" && typ == x.kinds.nativeContext:
		n.name = "system / NativeContext"
	case class == "(context)":
		n.kind, n.name = heapsnapshot.Object, "system / Context"
	case hs.objects.IsSharedFunctionInfo(o):
		n.kind, n.named = heapsnapshot.Code, hs.objects.OwnName
	case hs.Types.Names[typ] == "SCRIPT_TYPE" || hs.Types.Names[typ] == "CODE_TYPE":
		n.kind = heapsnapshot.Code
	case (class == "(code)" || class == "(feedback)" || class == "(function info)" || class == "(array)" && trusted(hs.Types.Names[typ])) &&
		!hs.Layout.Version.Before(10, 0):
		n.kind = heapsnapshot.Code
	}
}

// isArray reports whether V8's snapshots have a type as an array: FixedArrays, tables,
// and arrays of bytes and of numbers.
func isArray(typ, class string) bool {
	return class == "(array)" && !trusted(typ) && !strings.HasPrefix(typ, "WEAK_") && typ != "PROPERTY_ARRAY_TYPE"
}

// trusted reports whether objects of a type belong to code.
func trusted(typ string) bool {
	return strings.HasPrefix(typ, "TRUSTED_") || strings.HasPrefix(typ, "PROTECTED_")
}

// External names what is outside the heap: backing stores of ArrayBuffers.
func (x *exporter) External() (name, reference string) {
	return "system / JSArrayBufferData", "backing_store"
}

// private reports whether a symbol is not one of a program.
func (x *exporter) private(o layout.Tagged) bool {
	k := object.Key{Word: o}
	return !x.h.v.objects.NameKey(&k) || k.Private
}

// text is a string, cut as V8 cuts it.
func (x *exporter) text(o layout.Tagged) string {
	const most = 1024
	t, _ := x.h.v.objects.String(o, most)
	return t
}

func (x *exporter) functionName(o layout.Tagged) string {
	shared, ok := x.h.v.objects.ClosureShared(o)
	if !ok {
		return ""
	}
	name, ok := x.functions[shared]
	if !ok {
		name = x.h.v.objects.OwnName(shared)
		x.functions[shared] = name
	}
	return name
}

// camel turns MAP_TYPE into Map.
func camel(typ string) string {
	var b strings.Builder
	for _, w := range strings.Split(strings.TrimSuffix(typ, "_TYPE"), "_") {
		if w != "" {
			b.WriteString(w[:1] + strings.ToLower(w[1:]))
		}
	}
	return b.String()
}

// Edges visits the references of an object with the names that V8 gives them. A
// property in a store is one of the object, and the store refers to it as well.
func (x *exporter) Edges(at core.Addr, size uint64, typ int32, visit func(heapsnapshot.Edge)) {
	n, m := x.shape(at, typ), x.objects.maps[typ]
	o := layout.Tag(at)
	var variables map[int]string
	if n.kind == heapsnapshot.Object && !n.receiver {
		variables = x.variables(o)
	}
	x.h.eachEdge(&x.kinds, at, m.Typ, x.objects.bytes(at, size), func(w wordEdge) {
		e := heapsnapshot.Edge{Type: heapsnapshot.InternalEdge, From: w.from, To: w.to.Addr()}
		switch name, ok := n.ofObject[w.offset]; {
		case w.from != at:
			e.Name = x.pair(at, w.from, w.to)
			visit(e)
			e.From = at
		case ok && w.strength == edgeStrong:
			e.Type, e.Name = heapsnapshot.PropertyEdge, name
		case variables[w.offset] != "":
			e.Type, e.Name = heapsnapshot.ContextEdge, variables[w.offset]
		default:
			x.nameField(&e, n, m.Typ, o, w)
		}
		visit(e)
	})
	if n.receiver {
		x.properties(n, o, visit)
	}
}

// nameField names a word that no program has a name for.
func (x *exporter) nameField(e *heapsnapshot.Edge, n *shapeNames, typ int, o layout.Tagged, w wordEdge) {
	switch {
	case w.offset == 0:
		e.Name = "map"
	case n.kind == heapsnapshot.Array:
		e.Name = strconv.Itoa((w.offset - x.h.v.Layout.FixedArray.Data) / 8)
	default:
		key := fieldKey{typ, w.offset}
		name, ok := x.fields[key]
		if !ok {
			if f := x.h.fieldOf(hit{holder: o, offset: w.offset, typ: typ, target: w.to}); strings.HasPrefix(f, "its ") && !strings.Contains(f, " word at ") {
				name = strings.ReplaceAll(f[len("its "):], " ", "_")
			}
			switch {
			case n.receiver && w.offset == x.h.v.Layout.JSReceiver.Properties:
				name = "properties"
			case n.receiver && w.offset == x.h.v.Layout.JSObject.Elements:
				name = "elements"
			case name == "shared_function_info":
				name = "shared"
			}
			x.fields[key] = name
		}
		if e.Name = name; name == "" {
			e.Type, e.Index = heapsnapshot.HiddenEdge, w.offset/8
		}
	}
	if w.strength == edgeWeak {
		if e.Type, e.Index = heapsnapshot.WeakEdge, 0; e.Name == "" {
			e.Name = strconv.Itoa(w.offset / 8)
		}
	}
}

// variables are those of a context, by offset.
func (x *exporter) variables(o layout.Tagged) map[int]string {
	c, err := x.h.v.objects.Context(o)
	if err != nil || c.Native {
		return nil
	}
	out := make(map[int]string, len(c.Variables))
	for _, v := range c.Variables {
		out[x.h.v.Layout.Context.Data+8*v.Index] = v.Name
	}
	return out
}

// pair names the value of an entry of a WeakMap, as DevTools knows it by.
func (x *exporter) pair(table, key core.Addr, value layout.Tagged) string {
	text := func(a core.Addr) string {
		return x.h.classOn(layout.Tag(a), "") + " @" + strconv.FormatUint(uint64(a)|1, 10)
	}
	return "1 / part of key (" + text(key) + ") -> value (" + text(value.Addr()) + ") pair in WeakMap (table @" +
		strconv.FormatUint(uint64(table)|1, 10) + ")"
}

// properties visits those that an object does not have in itself, its elements, and its
// prototype.
func (x *exporter) properties(n *shapeNames, o layout.Tagged, visit func(heapsnapshot.Edge)) {
	hs := x.h.v
	e := heapsnapshot.Edge{Type: heapsnapshot.PropertyEdge, From: o.Addr()}
	add := func(name string, t layout.Tagged) {
		if t.IsHeap() {
			e.Name, e.To = name, (t &^ 2).Addr()
			visit(e)
		}
	}
	switch {
	case n.dictionary:
		list, _, _ := hs.objects.Properties(o, object.MaxDictionary)
		for _, p := range list {
			if !p.Accessor && !p.Value.Raw {
				add(p.Key.Name, p.Value.Word)
			}
		}
	case len(n.ofStore) > 0:
		if store, ok := hs.Field(o, hs.Layout.JSReceiver.Properties); ok && store.IsHeap() {
			for _, f := range n.ofStore {
				t, _ := hs.objects.WordAt(store, f.Index)
				add(f.Name, t)
			}
		}
	}
	if n.prototype != 0 {
		add("__proto__", layout.Tag(n.prototype))
	}
	x.elements(o, visit)
}

// elements visits those of an object that are in an array of tagged words.
func (x *exporter) elements(o layout.Tagged, visit func(heapsnapshot.Edge)) {
	hs := x.h.v
	store, ok := hs.Field(o, hs.Layout.JSObject.Elements)
	if !ok || !hs.TypeNamed(store, "FIXED_ARRAY") {
		return
	}
	n, ok := hs.objects.FixedLength(store)
	if !ok || n <= 0 || n > maxBetween {
		return
	}
	data := x.stores.bytes(store.Addr(), uint64(hs.Layout.FixedArray.Data+8*n))
	e := heapsnapshot.Edge{Type: heapsnapshot.ElementEdge, From: o.Addr()}
	for i := range n {
		off := hs.Layout.FixedArray.Data + 8*i
		if off+8 > len(data) {
			return
		}
		if t := layout.Tagged(hs.Order.Uint64(data[off:])); t.IsHeap() {
			e.Index, e.To = i, (t &^ 2).Addr()
			visit(e)
		}
	}
}
