package java

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
)

// boxes are the classes of boxed values with their field's type.
var boxes = map[string]Primitive{
	"java.lang.Boolean": Boolean, "java.lang.Byte": Byte, "java.lang.Character": Char, "java.lang.Short": Short,
	"java.lang.Integer": Int, "java.lang.Long": Long, "java.lang.Float": Float, "java.lang.Double": Double,
	"java.util.concurrent.atomic.AtomicInteger": Int, "java.util.concurrent.atomic.AtomicLong": Long,
	"java.util.concurrent.atomic.AtomicBoolean": Int,
}

// plain returns an object that stands for a plain value: boxed numbers, enums,
// builders of strings. It returns nil for others.
func (i *inspector) plain(o Object, v *Value) *Value {
	if p, ok := boxes[o.Class.Name]; ok {
		f, ok := o.Class.Member("value")
		if !ok {
			return nil
		}
		x := i.primitive(o.Addr+core.Addr(f.Offset), p)
		if o.Class.Name == "java.util.concurrent.atomic.AtomicBoolean" && x.Kind == ValueNumber {
			x.Text = Boolean.Format(x.Raw)
		}
		x.Type, x.Addr = o.Class.Name, o.Addr
		return x
	}
	switch {
	case o.Class.Access&AccEnum != 0 || slices.Contains(o.Class.Super, "java.lang.Enum"):
		name, ok := i.h.RefField(o, "name")
		if !ok || !i.h.IsString(name) {
			return nil
		}
		s, err := i.h.Text(name, i.o.MaxString)
		if err != nil {
			return nil
		}
		v.Kind, v.Text = ValueEnum, s.Value
		// A constant with a body of its own has a class below the enum's.
		for n, super := range o.Class.Super {
			if super == "java.lang.Enum" && n > 0 {
				v.Type = o.Class.Super[n-1]
			}
		}
		return v
	case o.Class.Name == "java.lang.StringBuilder" || o.Class.Name == "java.lang.StringBuffer":
		return i.builder(o, v)
	case strings.HasPrefix(o.Class.Name, "java.nio.Direct") && o.Class.IsA("java.nio.Buffer"):
		return i.direct(o, v)
	case o.Class.Name == "java.util.UUID":
		most, ok1 := i.h.IntField(o, "mostSigBits")
		least, ok2 := i.h.IntField(o, "leastSigBits")
		if !ok1 || !ok2 {
			return nil
		}
		hi, lo := uint64(most), uint64(least)
		v.Kind, v.Text = ValueText, fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff,
			lo>>48, lo&(1<<48-1))
		return v
	}
	if text, ok := i.words(o); ok {
		v.Kind, v.Text = ValueText, text
		return v
	}
	return nil
}

// direct fills in the place of a buffer that is outside of the heap. The numbers of a buffer count its elements.
func (i *inspector) direct(o Object, v *Value) *Value {
	address, ok := i.h.IntField(o, "address")
	var n [3]int64
	for k, name := range [...]string{"position", "limit", "capacity"} {
		var found bool
		n[k], found = i.h.IntField(o, name)
		ok = ok && found && n[k] >= 0
	}
	if !ok || address == 0 {
		return nil
	}
	v.Kind, v.Text = ValueText, fmt.Sprintf("in native memory at %v, position %d, limit %d, capacity %d",
		core.Addr(address), n[0], n[1], n[2])
	if whole, _ := i.h.RefField(o, "att"); whole != 0 {
		v.Text += fmt.Sprintf(", part of %v", whole)
	}
	return v
}

// builder fills in the text of a StringBuilder: value, a char[] or, with coder, a byte[]. Its field
// count is the number of characters that are used.
func (i *inspector) builder(o Object, v *Value) *Value {
	at, ok1 := i.h.RefField(o, "value")
	count, ok2 := i.h.IntField(o, "count")
	r, err := i.h.Array(at)
	if !ok1 || !ok2 || err != nil || count < 0 {
		return nil
	}
	width := int64(1)
	if coder, ok := i.h.IntField(o, "coder"); r.Element == Char || ok && coder == 1 {
		width = 2
	}
	if uint64(count*width) > r.Length*r.Class.ElementSize {
		return nil
	}
	n := min(count, int64(max(i.o.MaxString, 0)))
	var units []uint16
	for k := range n {
		p := Byte
		if width == 2 {
			p = Char
		}
		c, ok := i.h.PrimitiveAt(r.At(0)+core.Addr(k*width), p)
		if !ok {
			return nil
		}
		if p == Byte {
			c &= 0xff
		}
		units = append(units, uint16(c))
	}
	v.Kind, v.Text, v.Length, v.More = ValueString, UTF16(units), int(count), int(count-n)
	return v
}

// collection fills in an object that is one of the collections of java.util or
// Android's, found by its class and its fields' names. It reports false if the
// object's fields are not what the class should have.
func (i *inspector) collection(o Object, v *Value, level int) bool {
	read := readerFor(o.Class)
	if read == nil {
		return false
	}
	g := &gatherer{i: i, v: v, level: level}
	if !read(g, o) {
		v.Items, v.More = nil, 0
		return false
	}
	v.Length = g.count
	if v.Kind == ValueObject {
		v.Kind = ValueList
	}
	v.More = g.count - g.taken
	return true
}

// A gatherer takes the elements or entries of a collection.
type gatherer struct {
	i            *inspector
	v            *Value
	level        int
	count, taken int
	depth        int // of collections within that only pass on
}

// maxNodes is how many nodes of a collection are counted.
const maxNodes = 1 << 24

// take adds an element.
func (g *gatherer) take(refs ...core.Addr) bool {
	g.count++
	if g.taken < g.i.o.MaxItems && g.i.left > 0 {
		g.taken++
		for _, r := range refs {
			g.v.Items = append(g.v.Items, g.i.object(r, g.level+1))
		}
	}
	if len(refs) == 2 {
		g.v.Kind = ValueMap
	}
	return g.count < maxNodes
}

// asMap marks a collection that has no entry yet as one of pairs.
func (g *gatherer) asMap() { g.v.Kind = ValueMap }

// ref returns the reference in the first of the fields that the object has.
func (g *gatherer) ref(o Object, names ...string) (core.Addr, bool) {
	for _, n := range names {
		if r, ok := g.i.h.RefField(o, n); ok {
			return r, true
		}
	}
	return 0, false
}

// refs returns the references in fields of an object; nil and false if it lacks one of them.
func (g *gatherer) refs(o Object, names []string) ([]core.Addr, bool) {
	var refs []core.Addr
	for _, n := range names {
		r, ok := g.i.h.RefField(o, n)
		if !ok {
			return nil, false
		}
		refs = append(refs, r)
	}
	return refs, true
}

// node returns the object that a reference leads to.
func (g *gatherer) node(r core.Addr) (Object, bool) {
	o, err := g.i.h.Object(r)
	return o, err == nil
}

// elements takes count elements of an array from first on, going round at its end.
func (g *gatherer) elements(at core.Addr, first, count int64, skipNull bool) bool {
	if at == 0 {
		return count == 0
	}
	r, err := g.i.h.Array(at)
	if err != nil || r.Element != NotPrimitive || count < 0 || uint64(count) > r.Length || first < 0 ||
		uint64(first) > r.Length {
		return false
	}
	for k := range uint64(count) {
		if g.taken >= g.i.o.MaxItems && !skipNull {
			g.count += int(uint64(count) - k)
			return true
		}
		x, ok := g.i.h.Ref(r.At((uint64(first) + k) % max(r.Length, 1)))
		if !ok {
			return false
		}
		if x != 0 || !skipNull {
			g.take(x)
		}
	}
	return true
}

// A collectionReader takes what a collection holds.
type collectionReader func(g *gatherer, o Object) bool

// readerFor returns the reader of a class or of its nearest superclass that has one; nil if there is no
// such class.
func readerFor(c *Class) collectionReader {
	for _, name := range append([]string{c.Name}, c.Super...) {
		if read := readerOf(name); read != nil {
			return read
		}
	}
	return nil
}

// readerOf returns the reader of a class of collections; nil for other classes. Names of fields come
// from libcore (OpenJDK 8 to 21, Android 8 to 16) and frameworks/base/core/java/android.
func readerOf(class string) collectionReader {
	for _, of := range []func(string) collectionReader{listReaderOf, setReaderOf, mapReaderOf, wrapperReaderOf} {
		if r := of(class); r != nil {
			return r
		}
	}
	return viewReaderOf(class)
}

// listReaderOf is readerOf for lists and queues.
func listReaderOf(class string) collectionReader {
	switch class {
	case "java.util.ArrayList":
		return sized("elementData", "size")
	case "java.util.Vector":
		return sized("elementData", "elementCount")
	case "java.util.PriorityQueue", "java.util.concurrent.PriorityBlockingQueue":
		return sized("queue", "size")
	case "java.util.Arrays$ArrayList":
		return whole("a", false)
	case "java.util.concurrent.CopyOnWriteArrayList":
		return whole("elements", false, "array")
	case "java.util.ImmutableCollections$ListN":
		return whole("elements", false)
	case "java.util.ImmutableCollections$List12", "java.util.ImmutableCollections$Set12":
		return pair("e0", "e1")
	case "java.util.ArrayDeque":
		return readDeque
	case "java.util.LinkedList":
		return readLinked
	case "java.util.concurrent.LinkedBlockingQueue", "java.util.concurrent.ConcurrentLinkedQueue",
		"java.util.concurrent.ConcurrentLinkedDeque",
		"java.util.concurrent.LinkedTransferQueue":
		return readQueue
	case "java.util.concurrent.ArrayBlockingQueue":
		return readRing
	case "java.util.concurrent.LinkedBlockingDeque":
		return readLinked
	case "java.util.ArrayList$SubList":
		return readSubList
	}
	return nil
}

// setReaderOf is readerOf for sets.
func setReaderOf(class string) collectionReader {
	switch class {
	case "java.util.concurrent.CopyOnWriteArraySet":
		return within("al")
	case "java.util.ImmutableCollections$SetN":
		return whole("elements", true)
	case "java.util.HashSet", "java.util.concurrent.ConcurrentHashMap$KeySetView":
		return keysOf("map")
	case "java.util.TreeMap$KeySet",
		"java.util.TreeSet", "java.util.concurrent.ConcurrentSkipListSet", "java.util.Collections$SetFromMap":
		return keysOf("m")
	case "java.util.RegularEnumSet", "java.util.JumboEnumSet":
		return readEnumSet
	case "java.util.BitSet":
		return readBitSet
	case "android.util.ArraySet":
		return sized("mArray", "mSize")
	}
	return nil
}

// mapReaderOf is readerOf for maps.
func mapReaderOf(class string) collectionReader {
	switch class {
	case "java.util.ImmutableCollections$Map1":
		return single("k0", "v0")
	case "java.util.ImmutableCollections$MapN", "java.util.IdentityHashMap":
		return alternating("table")
	case "java.util.Properties":
		return readProperties
	case "java.util.HashMap", "java.util.Hashtable":
		return buckets("key", "value", "next")
	case "java.util.LinkedHashMap":
		return readLinkedMap
	case "java.util.WeakHashMap":
		return buckets("referent", "value", "next")
	case "java.util.concurrent.ConcurrentHashMap":
		return buckets("key", "val", "next")
	case "java.util.TreeMap":
		return readTree
	case "java.util.EnumMap":
		return readEnumMap
	case "java.util.concurrent.ConcurrentSkipListMap":
		return readSkipList
	case "android.util.ArrayMap":
		return readArrayMap
	case "android.util.SparseArray", "android.util.LongSparseArray":
		return readSparse
	case "android.os.BaseBundle":
		return within("mMap")
	}
	return nil
}

// wrapperReaderOf is readerOf for classes that hold one value or another collection.
func wrapperReaderOf(class string) collectionReader {
	switch class {
	case "java.util.Collections$UnmodifiableCollection", "java.util.Collections$SynchronizedCollection",
		"java.util.Collections$CheckedCollection":
		return within("c")
	case "java.util.Collections$UnmodifiableMap", "java.util.Collections$SynchronizedMap",
		"java.util.Collections$CheckedMap":
		return within("m")
	case "java.util.Collections$SingletonList", "java.util.Collections$SingletonSet":
		return single("element")
	case "java.util.Collections$SingletonMap":
		return single("k", "v")
	case "java.util.Collections$EmptyList", "java.util.Collections$EmptySet":
		return single()
	case "java.util.concurrent.atomic.AtomicReference":
		return single("value")
	case "java.util.Optional":
		return readOptional
	case "java.util.OptionalInt", "java.util.OptionalLong", "java.util.OptionalDouble":
		return readOptionalNumber
	}
	return nil
}

// viewReaderOf is readerOf for views of maps and for arrays in an object.
func viewReaderOf(class string) collectionReader {
	switch class {
	case "java.util.HashMap$KeySet", "java.util.LinkedHashMap$LinkedKeySet":
		return keysOf("this$0")
	case "java.util.HashMap$EntrySet", "java.util.LinkedHashMap$LinkedEntrySet", "java.util.TreeMap$EntrySet":
		return within("this$0")
	case "java.util.HashMap$Values", "java.util.LinkedHashMap$LinkedValues", "java.util.TreeMap$Values":
		return valuesOf("this$0")
	case "java.util.concurrent.ConcurrentHashMap$EntrySetView":
		return within("map")
	case "java.util.concurrent.ConcurrentHashMap$ValuesView":
		return valuesOf("map")
	case "java.util.Collections$EmptyMap":
		return func(g *gatherer, _ Object) bool { g.asMap(); return true }
	case "java.util.concurrent.atomic.AtomicIntegerArray", "java.util.concurrent.atomic.AtomicLongArray":
		return readNumbers
	case "java.util.concurrent.atomic.AtomicReferenceArray":
		return whole("array", false)
	}
	return nil
}
