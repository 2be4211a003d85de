package art

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
)

// A dexScene is a heapScene whose classes come from testdata/collections.dex,
// which smali assembles from testdata/collections: the collections of java.util
// with the fields that matter, named as libcore names them.
type dexScene struct {
	*heapScene
	f      *dex.File
	cache  core.Addr
	fields map[core.Addr]map[string]core.Addr // offsets by class and name
	sizes  map[core.Addr]uint32
}

const dexSceneAt core.Addr = 0x31000000

func newDexScene(t testing.TB, arch *core.Arch, l *layout.Layout) *dexScene {
	h := newHeapScene(t, arch, l)
	b, err := os.ReadFile(filepath.Join("testdata", "collections.dex"))
	if err != nil {
		t.Fatal(err)
	}
	s := &dexScene{heapScene: h, fields: map[core.Addr]map[string]core.Addr{}, sizes: map[core.Addr]uint32{}}
	if s.f, err = dex.Parse(b); err != nil {
		t.Fatal(err)
	}
	h.mem[dexSceneAt] = b
	at := h.nativeAlloc(0x400)
	h.ptr(off(at, l.DexFile.Begin), dexSceneAt)
	h.ptr(off(at, l.DexFile.Size), core.Addr(len(b)))
	h.str(off(at, l.DexFile.Location), "c.dex")
	s.cache = h.alloc(h.class["java.lang.Object"], 64)
	h.put(off(s.cache, l.DexCache.DexFile), 8, uint64(at))
	h.newArrayClass("java.lang.Object", object.NotPrimitive)
	h.newArrayClass("int", object.Int)
	h.newArrayClass("char", object.Char)
	return s
}

// load lays a class of the dex file with its ArtFields, and its super classes.
func (s *dexScene) load(name string) core.Addr {
	if c := s.class[name]; c != 0 {
		return c
	}
	i, err := s.f.FindClass("L" + strings.ReplaceAll(name, ".", "/") + ";")
	if err != nil {
		s.t.Fatal(err)
	}
	def, err := s.f.ClassDef(i)
	if err != nil {
		s.t.Fatal(err)
	}
	descriptor, _ := s.f.Type(def.Superclass)
	super := s.load(dex.TypeName(descriptor))
	var data dex.ClassData
	if def.ClassData != 0 {
		if data, err = s.f.ClassData(def.ClassData); err != nil {
			s.t.Fatal(err)
		}
	}
	fields, next := map[string]core.Addr{}, max(s.sizes[super], 8)
	for n, o := range s.fields[super] {
		fields[n] = o
	}
	c := s.alloc(javaLangClass, 128)
	list := s.nativeAlloc(core.Addr(4 + 16*len(data.InstanceFields)))
	s.u32(list, uint32(len(data.InstanceFields)))
	for k, d := range data.InstanceFields {
		f := list + 4 + core.Addr(16*k)
		s.u32(f, uint32(c))
		s.u32(f+4, d.AccessFlags)
		s.u32(f+8, d.Index)
		s.u32(f+12, next)
		id, _ := s.f.Field(d.Index)
		fields[id.Name] = core.Addr(next)
		next += 4
	}
	m := &s.l.Mirror.Class
	ifields := m.IFields
	if m.Fields != layout.Unknown {
		ifields = m.Fields
	}
	s.put(off(c, ifields), 8, uint64(list))
	s.u32(off(c, m.ClassSize), 128)
	s.u32(off(c, m.ObjectSize), next)
	s.u32(off(c, s.l.Class.SuperClass), uint32(super))
	s.u32(off(c, s.l.Class.DexCache), uint32(s.cache))
	s.u32(off(c, s.l.Class.TypeIdx), def.Class)
	s.class[name], s.fields[c], s.sizes[c] = c, fields, next
	return c
}

// obj lays an object with fields: name, value, name, value, …
func (s *dexScene) obj(class string, fields ...any) core.Addr {
	c := s.load(class)
	at := s.alloc(c, uint64(s.sizes[c]))
	for i := 0; i < len(fields); i += 2 {
		f, ok := s.fields[c][fields[i].(string)]
		if !ok {
			s.t.Fatalf("%s has no field %v", class, fields[i])
		}
		s.u32(at+f, uint32(s.value(fields[i+1])))
	}
	return at
}

// value is a reference, a number, or a text, which becomes a String.
func (s *dexScene) value(v any) core.Addr {
	switch v := v.(type) {
	case core.Addr:
		return v
	case string:
		return s.newString(v)
	case int:
		return core.Addr(v)
	}
	return 0
}

// arr lays an Object[].
func (s *dexScene) arr(values ...any) core.Addr {
	var refs []core.Addr
	for _, v := range values {
		refs = append(refs, s.value(v))
	}
	at := s.newArray("java.lang.Object[]", 4, len(refs))
	for i, r := range refs {
		s.u32(at+12+core.Addr(4*i), uint32(r))
	}
	return at
}

// TestCollections shows each collection with the elements that were put into it.
func TestCollections(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		s := newDexScene(t, h.arch, h.l)
		node := func(key, value string, next core.Addr) core.Addr {
			return s.obj("java.util.HashMap$Node", "key", key, "value", value, "next", next)
		}
		const shared = "java.util.concurrent.ConcurrentHashMap"
		list := s.obj("java.util.ArrayList", "elementData", s.arr("a", nil, "c", "rest"), "size", 3)
		third := s.obj("java.util.LinkedList$Node", "item", "z")
		second := s.obj("java.util.LinkedList$Node", "item", "y", "next", third)
		table := s.obj("java.util.HashMap", "table", s.arr(nil, node("k", "v", node("k2", "v2", 0))), "size", 2)
		e2 := s.obj("java.util.LinkedHashMap$LinkedHashMapEntry", "key", "n", "value", "2")
		e1 := s.obj("java.util.LinkedHashMap$LinkedHashMapEntry", "key", "m", "value", "1", "after", e2)
		low := s.obj("java.util.TreeMap$TreeMapEntry", "key", "a", "value", "1")
		high := s.obj("java.util.TreeMap$TreeMapEntry", "key", "c", "value", "3")
		tree := s.obj("java.util.TreeMap", "root", s.obj("java.util.TreeMap$TreeMapEntry", "key", "b", "value", "2",
			"left", low, "right", high))
		bin := s.obj(shared+"$TreeBin", "first", s.obj(shared+"$Node", "key", "t", "val", "u"))
		moved := s.obj(shared+"$ForwardingNode", "nextTable", s.arr(s.obj(shared+"$Node", "key", "x", "val", "y")))
		keys := s.newArray("int[]", 4, 4)
		s.u32(keys+12, 7)
		text := s.newArray("char[]", 2, 4)
		s.put(text+12, 2, 'h')
		s.put(text+14, 2, 0xef)
		plain := s.obj("java.lang.Integer", "value", 5)
		for at, want := range map[core.Addr]string{
			list: `java.util.ArrayList(3) ["a", null, "c"]`,
			s.obj("java.util.Stack", "elementData", s.arr("a", "b"), "elementCount",
				1): `java.util.Stack(1) ["a"]`,
			s.obj("java.util.PriorityQueue", "queue", s.arr("a", nil), "size",
				1): `java.util.PriorityQueue(1) ["a"]`,
			s.obj("java.util.Arrays$ArrayList", "a",
				s.arr("a", nil)): `java.util.Arrays$ArrayList(2) ["a", null]`,
			s.obj("java.util.concurrent.CopyOnWriteArraySet", "al", s.obj("java.util.concurrent.CopyOnWriteArrayList",
				"elements", s.arr("a"))): `java.util.concurrent.CopyOnWriteArraySet(1) ["a"]`,
			s.obj("java.util.ImmutableCollections$ListN", "elements",
				s.arr("a", "b")): `java.util.ImmutableCollections$ListN(2) ["a", "b"]`,
			s.obj("java.util.ImmutableCollections$SetN", "elements",
				s.arr("a", nil)): `java.util.ImmutableCollections$SetN(1) ["a"]`,
			s.obj("java.util.ImmutableCollections$List12", "e0", "a", "e1",
				s.newObject("java.lang.Object")): `java.util.ImmutableCollections$List12(1) ["a"]`,
			s.obj("java.util.ImmutableCollections$Map1", "k0", "k", "v0",
				"v"): `java.util.ImmutableCollections$Map1(1) { "k": "v" }`,
			s.obj("java.util.ImmutableCollections$MapN", "table", s.arr(nil, nil, "k",
				"v")): `java.util.ImmutableCollections$MapN(1) { "k": "v" }`,
			s.obj("java.util.ArrayDeque", "elements", s.arr("c", nil, "a", "b"), "head", 2, "tail",
				1): `java.util.ArrayDeque(3) ["a", "b", "c"]`,
			s.obj("java.util.LinkedList", "first", s.obj("java.util.LinkedList$Node", "item", "x", "next",
				second)): `java.util.LinkedList(3) ["x", "y", "z"]`,
			table:                                    `java.util.HashMap(2) { "k": "v", "k2": "v2" }`,
			s.obj("java.util.HashMap"):               `java.util.HashMap(0) {}`,
			s.obj("java.util.HashSet", "map", table): `java.util.HashSet(2) ["k", "k2"]`,
			s.obj("java.util.LinkedHashMap", "head", e1): `java.util.LinkedHashMap(2) { "m": "1", "n": "2" }`,
			tree:                                  `java.util.TreeMap(3) { "a": "1", "b": "2", "c": "3" }`,
			s.obj("java.util.TreeSet", "m", tree): `java.util.TreeSet(3) ["a", "b", "c"]`,
			s.obj(shared, "table", s.arr(bin, moved, s.obj(shared+"$Node", "key", "p", "val", "q"))): shared +
				`(3) { "t": "u", "x": "y", "p": "q" }`,
			s.obj("java.util.IdentityHashMap", "table",
				s.arr(nil, nil, "k", "v")): `java.util.IdentityHashMap(1) { "k": "v" }`,
			s.obj("java.util.EnumMap", "keyUniverse", s.arr("RED", "GREEN"), "vals",
				s.arr(nil, "g")): `java.util.EnumMap(1) { "GREEN": "g" }`,
			s.obj("java.util.Optional", "value",
				plain): `java.util.Optional(1) [Integer 5]`,
			s.obj("java.util.Collections$UnmodifiableCollection", "c",
				list): `java.util.Collections$UnmodifiableCollection(3) ["a", null, "c"]`,
			s.obj("android.util.ArrayMap", "mArray", s.arr("k", "v", nil, nil), "mSize",
				1): `android.util.ArrayMap(1) { "k": "v" }`,
			s.obj("android.util.SparseArray", "mKeys", keys, "mValues", s.arr("seven", nil), "mSize",
				1): `android.util.SparseArray(1) { 7: "seven" }`,
			s.obj("java.lang.StringBuilder", "value", text, "count", 2): `java.lang.StringBuilder "hï"`,
			s.obj("app.Color", "name", "RED"):                           `Color.RED`,
			plain:                                                       `Integer 5`,
			// A corrupt collection is shown by its fields.
			s.obj("java.util.ArrayList", "elementData", s.arr("a"), "size",
				9): `java.util.ArrayList { elementData: java.lang.Object[1] { "a" }, size: 9 }`,
			s.obj("java.util.ArrayDeque", "elements", s.arr(), "head", 1, "tail",
				1): `java.util.ArrayDeque { elements: java.lang.Object[0] {}, head: 1, tail: 1 }`,
			s.obj("java.util.LinkedList", "first",
				list): `java.util.LinkedList { first: java.util.ArrayList(3) ["a", null, "c"], last: null, size: 0 }`,
		} {
			if got := s.art().Inspect(at, java.Default()).Format(java.FormatOptions{OneLine: true}); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
		// Lists and buckets that lead back into themselves end.
		s.u32(third+s.fields[s.class["java.util.LinkedList$Node"]]["next"], uint32(second))
		ring := s.obj("java.util.LinkedList", "first", second)
		if v := s.art().Inspect(ring, java.Default()); v.Length != 2 {
			t.Errorf("a circle has %d elements", v.Length)
		}
	})
}
