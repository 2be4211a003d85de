package heap

import (
	"context"
	"io"
	"math/bits"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/heap/heapsnapshot"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/text"
)

// WriteSnapshot writes the heaps of the process as V8's own snapshots have them
// (profiler/heap-snapshot-generator.cc, V8HeapExplorer).
func (h *Snapshot) WriteSnapshot(ctx context.Context, w io.Writer) error {
	g, err := h.Graph(ctx)
	if err != nil {
		return err
	}
	s := g.Source().(*source)
	x := &exporter{source: s, objects: s.Reader().(*graphReader), stores: s.Reader().(*graphReader),
		fields: map[fieldKey]*heapsnapshot.Name{}, functions: map[layout.Tagged]*heapsnapshot.Name{},
		trivial: map[core.Addr]bool{},
		ofMap:   heapsnapshot.Name{Text: "map"}, proto: heapsnapshot.Name{Text: "__proto__"}}
	x.shapes = make([]*shapeNames, len(x.objects.maps))
	x.arrays, x.transitions, x.shared = h.v.arrayTypes(), x.transitionsField(), h.v.Layout.Snapshot.SharedAreFree == 1
	return heapsnapshot.Write(ctx, w, g, x)
}

// An exporter describes objects as V8's snapshots do.
type exporter struct {
	*source
	objects, stores *graphReader
	shapes          []*shapeNames // by type number
	fields          map[fieldKey]*heapsnapshot.Name
	functions       map[layout.Tagged]*heapsnapshot.Name // by SharedFunctionInfo
	trivial         map[core.Addr]bool                   // constants: whether they do not matter
	recent          [64]constant                         // the last ones
	// the types of FixedArrays, from the first to before the second
	arrays       [2]int
	transitions  int         // where maps have these
	shared       bool        // all isolates share the read-only pages
	types        [64]mapType // of maps that were asked for last
	ofMap, proto heapsnapshot.Name
	indices      []*heapsnapshot.Name // "0", "1", as far as they were asked for
	own          heapsnapshot.Name    // what is named once
}

// A constant is an object that nothing needs to keep alive.
type constant struct {
	at      core.Addr
	trivial bool
}

// once returns a name that is good until the next one.
func (x *exporter) once(text string) *heapsnapshot.Name {
	x.own = heapsnapshot.Name{Text: text}
	return &x.own
}

// maxIndices bounds the numbers that have names of their own.
const maxIndices = 1 << 10

// index returns the name of a number, which is good until the next one.
func (x *exporter) index(i int) *heapsnapshot.Name {
	if i < 0 || i >= maxIndices {
		return x.once(strconv.Itoa(i))
	}
	for i >= len(x.indices) {
		x.indices = append(x.indices, &heapsnapshot.Name{Text: strconv.Itoa(len(x.indices))})
	}
	return x.indices[i]
}

// A mapType is what objects with a map are.
type mapType struct {
	word  layout.Tagged // the map
	array bool          // a FixedArray, of whatever kind
}

// typeOf returns what an object is by its map.
func (x *exporter) typeOf(o layout.Tagged) *mapType {
	m, _ := x.h.v.MapOf(o)
	t := &x.types[uint64(m)>>3%uint64(len(x.types))]
	if t.word != m || m == 0 {
		*t = mapType{word: m, array: x.h.v.TypeNamed(o, "FIXED_ARRAY_TYPE")}
	}
	return t
}

// shapeNames are what the objects of a map have in common.
type shapeNames struct {
	kind       heapsnapshot.NodeType
	name       heapsnapshot.Name
	named      func(o layout.Tagged) *heapsnapshot.Name // where each has a name of its own; nil else
	receiver   bool
	shift      uint8 // a tagged field has 1<<shift bytes
	dictionary bool
	function   bool
	proxy      bool
	bound      bool
	array      bool                 // of JavaScript
	ofObject   []property           // in the object, by the number of the word; without Offset where there is none
	others     []property           // in the PropertyArray, and in descriptors
	fields     []*heapsnapshot.Name // of the exporter, by the number of the word; nil until they are needed
	elements   bool                 // in an array of tagged words, or in a dictionary
	prototype  core.Addr
	numbered   bool // words are numbered as references that V8 names
	// boilerplate is set for descriptions of object literals. A constant marks values to come there; it was
	// an Oddball, and is a Hole from V8 12 on, which snapshots show.
	boilerplate bool
}

// A property is where objects have one, and its name in the snapshot.
type property struct {
	object.FieldPlace
	name heapsnapshot.Name
}

type fieldKey struct{ typ, offset int }

// Schema returns the schema of V8's version.
func (x *exporter) Schema() heapsnapshot.Schema {
	t := &x.h.v.Layout.Snapshot
	s := heapsnapshot.Schema{NodeFields: []string{"type", "name", "id", "self_size", "edge_count"},
		NodeTypes: []string{"hidden", "array", "string", "object", "code", "closure", "regexp", "number",
			"native", "synthetic",
			"concatenated string", "sliced string", "symbol", "bigint"}, Extra: t.Extra == 1}
	if t.TraceIDs == 1 {
		s.NodeFields = append(s.NodeFields, "trace_node_id")
	}
	if t.Detachedness == 1 {
		s.NodeFields = append(s.NodeFields, "detachedness")
	}
	if t.Shapes == 1 {
		s.NodeTypes = append(s.NodeTypes, "object shape")
	}
	return s
}

// Roots names roots as RootVisitor::RootName does, where V8 has that kind.
func (x *exporter) Roots(kind string) string {
	switch RootKind(kind) {
	case RootHandle:
		return "(Global handles)"
	case RootTraced:
		return "(Traced handles)"
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

// Held puts internalized strings below the table of them, which V8 has outside its heaps
// from 8.6 on: its snapshots say that the table keeps them.
func (x *exporter) Held(typ int32) string {
	const notInternalized = 1 << 5
	t := x.objects.maps[typ].Typ
	if x.h.v.Layout.Snapshot.StringTable == 0 || t >= x.h.v.Layout.String.FirstNonstringType || t&notInternalized != 0 {
		return ""
	}
	return "(Internalized strings)"
}

// Keeper names tables whose keys are weak.
func (x *exporter) Keeper(typ int32) bool { return x.objects.maps[typ].Typ == x.kinds.ephemerons }

// Node describes an object. In later versions objects of read-only pages have no size, as
// all isolates share them, and the size of an external string includes its memory outside
// of the heap.
func (x *exporter) Node(at core.Addr, size uint64, typ int32) (heapsnapshot.NodeType, *heapsnapshot.Name, uint64) {
	n := x.shape(at, typ)
	if x.shared && x.constant(at) {
		size = 0
	}
	if x.shared && n.kind == heapsnapshot.String {
		size += x.outside(layout.Tag(at))
	}
	if n.kind == heapsnapshot.Symbol && x.private(layout.Tag(at)) {
		return heapsnapshot.Hidden, x.once("private symbol"), size
	}
	if n.named != nil {
		return n.kind, n.named(layout.Tag(at)), size
	}
	return n.kind, &n.name, size
}

// outside returns the bytes of an external string that are not in the heap.
func (x *exporter) outside(o layout.Tagged) uint64 {
	info, err := x.h.v.objects.StringInfo(o)
	switch {
	case err != nil || info.Kind != text.ExternalString:
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
	n := &shapeNames{receiver: m.Receiver, shift: uint8(bits.TrailingZeros(uint(x.h.v.SlotSize())))}
	if !m.Receiver {
		x.internalShape(n, m.Typ, o)
		return n
	}
	n.kind, n.name.Text = heapsnapshot.Object, x.Type(typ, o.Addr()).Class
	switch {
	case m.Typ == hs.Types.JSProxy:
		n.proxy = true
		return n
	case hs.objects.IsBound(o):
		n.kind, n.name.Text, n.bound = heapsnapshot.Closure, "native_bind", true
	case hs.objects.IsFunction(o):
		n.kind, n.named = heapsnapshot.Closure, x.functionName
	case hs.Types.Names[m.Typ] == "JS_REG_EXP_TYPE" || hs.Types.Names[m.Typ] == "JS_REGEXP_TYPE":
		n.kind, n.named = heapsnapshot.RegExp, func(o layout.Tagged) *heapsnapshot.Name {
			t, _ := hs.Field(o, hs.Layout.JSRegExp.Source)
			return x.once(hs.objects.Text(t))
		}
	default:
		if name := hs.objects.ConstructorName(o); name != "" {
			n.name.Text = name
		}
	}
	n.function = hs.objects.IsFunction(o)
	n.array, n.dictionary = hs.Types.Names[m.Typ] == "JS_ARRAY_TYPE", hs.objects.Dictionary(o)
	n.place(hs.objects.FieldPlaces(o))
	if s, err := hs.objects.Shape(o); err == nil {
		n.elements = s.Elements < hs.Layout.ElementsKind.FirstDouble || s.Elements == hs.Layout.ElementsKind.Dictionary
	}
	if p, ok := hs.Field(m.Word, hs.Layout.Map.Prototype); ok && p.IsHeap() {
		n.prototype = p.Addr()
	}
	return n
}

// maxInObject bounds the words of an object that have properties: the map has its size in
// words in a byte.
const maxInObject = 1 << 8

// place sorts properties by where they are.
func (n *shapeNames) place(list []object.FieldPlace) {
	for _, f := range list {
		p := property{FieldPlace: f, name: heapsnapshot.Name{Text: f.Name}}
		switch word := f.Offset >> n.shift; {
		case f.Offset <= 0:
			n.others = append(n.others, p)
		case f.Offset&(1<<n.shift-1) == 0 && word < maxInObject:
			if word >= len(n.ofObject) {
				n.ofObject = append(n.ofObject, make([]property, word+1-len(n.ofObject))...)
			}
			n.ofObject[word] = p
		}
	}
}

// at returns the property in the word at an offset.
func (n *shapeNames) at(offset int) (*property, bool) {
	if word := offset >> n.shift; word < len(n.ofObject) && n.ofObject[word].Offset > 0 {
		return &n.ofObject[word], true
	}
	return nil, false
}

// internalShape says what V8's own objects are (V8HeapExplorer::AddEntry).
func (x *exporter) internalShape(n *shapeNames, typ int, o layout.Tagged) {
	hs := x.h.v
	name := hs.Types.Names[typ]
	n.name.Text, n.boilerplate = "system / "+camel(hs.Types.Name(typ)), name == "OBJECT_BOILERPLATE_DESCRIPTION_TYPE"
	n.numbered = x.isFixedArray(typ) || strings.Contains(name, "DESCRIPTOR_ARRAY") ||
		strings.HasPrefix(name, "WEAK_") ||
		name == "TRANSITION_ARRAY_TYPE" && hs.Layout.Snapshot.NumberedTransitions == 1
	switch class := x.h.TypeClass(typ, o); {
	case typ < hs.Layout.String.FirstNonstringType:
		x.stringShape(n, o)
	case class == "(number)":
		n.kind, n.name.Text = heapsnapshot.Number, "heap number"
	case class == "(bigint)":
		n.kind, n.name.Text = heapsnapshot.BigInt, "bigint"
	case class == "(symbol)":
		n.kind, n.name.Text = heapsnapshot.Symbol, "symbol"
	case isArray(name, class):
		n.kind, n.name.Text = heapsnapshot.Array, ""
	case class == "(object shape)" || strings.HasPrefix(name, "WEAK_"):
		n.kind = heapsnapshot.ObjectShape
	case class == "(context)" && (typ == x.kinds.nativeContext || x.nativeContext(o)):
		n.name.Text, n.numbered = "system / NativeContext", true
	case class == "(context)":
		n.kind, n.name.Text = heapsnapshot.Object, "system / Context"
	case hs.objects.IsSharedFunctionInfo(o):
		n.kind = heapsnapshot.Code
		n.named = func(o layout.Tagged) *heapsnapshot.Name { return x.once(hs.objects.OwnName(o)) }
	case name == "SCRIPT_TYPE" || name == "CODE_TYPE" || hs.Layout.Snapshot.InternalCode == 1 && ofCode(class, name):
		n.kind = heapsnapshot.Code
	}
}

// ofCode reports whether an object of V8's belongs to code.
func ofCode(class, name string) bool {
	return class == "(code)" || class == "(feedback)" || class == "(function info)" ||
		class == "(array)" && trusted(name)
}

// stringShape says what kind of string o is.
func (x *exporter) stringShape(n *shapeNames, o layout.Tagged) {
	n.kind, n.named = heapsnapshot.String, x.text
	switch info, err := x.h.v.objects.StringInfo(o); {
	case err != nil:
	case info.Kind == text.ConsString:
		n.kind, n.name.Text, n.named = heapsnapshot.ConcatenatedString, "(concatenated string)", nil
	case info.Kind == text.SlicedString:
		n.kind, n.name.Text, n.named = heapsnapshot.SlicedString, "(sliced string)", nil
	}
}

// nativeContext reports whether a context is a native context, the context of a realm.
func (x *exporter) nativeContext(o layout.Tagged) bool {
	c, err := x.h.v.objects.Context(o)
	return err == nil && c.Native
}

// Global returns the global object of a native context, from V8 14.6 on the context
// itself (V8HeapExplorer::SetUserGlobalReference).
func (x *exporter) Global(at core.Addr, typ int32) (core.Addr, bool) {
	o := layout.Tag(at)
	if t := x.objects.maps[typ].Typ; t >= x.h.v.Types.FirstReceiver || !x.h.v.objects.IsContext(o) ||
		!x.nativeContext(o) {
		return 0, false
	}
	if x.h.v.Layout.Snapshot.ContextIsGlobal == 1 {
		return at, true
	}
	g, err := x.h.v.objects.GlobalObject(o)
	return g.Addr(), err == nil
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
func (x *exporter) text(o layout.Tagged) *heapsnapshot.Name {
	const most = 1024
	t, _ := x.h.v.objects.String(o, most)
	return x.once(t)
}

func (x *exporter) functionName(o layout.Tagged) *heapsnapshot.Name {
	shared, ok := x.h.v.objects.ClosureShared(o)
	if !ok {
		return x.once("")
	}
	name, ok := x.functions[shared]
	if !ok {
		name = &heapsnapshot.Name{Text: x.h.v.objects.OwnName(shared)}
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
