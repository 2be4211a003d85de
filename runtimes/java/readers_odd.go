package java

import (
	"math/bits"
	"strconv"

	"coredbg/core"
)

// readOptional reads an Optional, which holds nothing or one object.
func readOptional(g *gatherer, o Object) bool {
	r, ok := g.ref(o, "value")
	if ok && r != 0 {
		g.take(r)
	}
	return ok
}

// readOptionalNumber reads an OptionalInt and the like.
func readOptionalNumber(g *gatherer, o Object) bool {
	present, ok := g.i.h.IntField(o, "isPresent")
	f, known := o.Class.Member("value")
	if !ok || !known {
		return false
	}
	if present != 0 {
		g.add(g.i.primitive(o.Addr+core.Addr(f.Offset), PrimitiveOf(f.Type)))
	}
	return true
}

// add takes an element that is no object.
func (g *gatherer) add(v *Value) {
	g.count++
	if g.taken < g.i.o.MaxItems && g.i.left > 0 {
		g.taken++
		g.i.left--
		g.v.Items = append(g.v.Items, v)
	}
}

// eachBit calls yield for the numbers of the bits that are set in a field, a long or an array of
// long; it reports false if there is no such field.
func (g *gatherer) eachBit(o Object, field string, words int64, yield func(int) bool) bool {
	f, ok := o.Class.Member(field)
	if !ok {
		return false
	}
	if PrimitiveOf(f.Type) != NotPrimitive {
		w, ok := g.i.h.IntField(o, field)
		return ok && eachBitOf(uint64(w), 0, yield)
	}
	at, _ := g.i.h.RefField(o, field)
	r, err := g.i.h.Array(at)
	if err != nil || r.Element != Long || words > int64(r.Length) {
		return false
	}
	if words < 0 {
		words = int64(r.Length)
	}
	for k := range min(words, maxNodes/64) {
		w, ok := g.i.h.PrimitiveAt(r.At(uint64(k)), Long)
		if !ok || !eachBitOf(w, 64*int(k), yield) {
			return false
		}
	}
	return true
}

func eachBitOf(word uint64, from int, yield func(int) bool) bool {
	for ; word != 0; word &= word - 1 {
		if !yield(from + bits.TrailingZeros64(word)) {
			return false
		}
	}
	return true
}

// readEnumSet reads an EnumSet: a bit for each constant of universe.
func readEnumSet(g *gatherer, o Object) bool {
	at, ok := g.ref(o, "universe")
	all, err := g.i.h.ArrayRefs(at, maxNodes)
	return ok && err == nil && g.eachBit(o, "elements", -1, func(n int) bool {
		if n >= len(all) {
			return false
		}
		g.take(all[n])
		return true
	})
}

// readBitSet reads a BitSet as the numbers of its bits.
func readBitSet(g *gatherer, o Object) bool {
	words, ok := g.i.h.IntField(o, "wordsInUse")
	return ok && words >= 0 && g.eachBit(o, "words", words, func(n int) bool {
		g.add(&Value{Kind: ValueNumber, Type: "int", Raw: uint64(n), Text: strconv.Itoa(n)})
		return true
	})
}

// maxSkipLevels bounds the levels of a skip list.
const maxSkipLevels = 64

// readSkipList reads a ConcurrentSkipListMap: from the head of its indexes down to the lowest
// level, then the nodes of that one. A node without key or value, or that is its own value, has
// been deleted, marks one that has, or is the head (value until OpenJDK 8, val since).
func readSkipList(g *gatherer, o Object) bool {
	g.asMap()
	at, ok := g.ref(o, "head")
	if !ok || at == 0 {
		return ok // made on first use
	}
	for range maxSkipLevels {
		index, found := g.node(at)
		down, has := g.i.h.RefField(index, "down")
		if !found || !has {
			return false
		}
		if down != 0 {
			at = down
			continue
		}
		node, has := g.i.h.RefField(index, "node")
		return has && g.skipNodes(node)
	}
	return false
}

func (g *gatherer) skipNodes(at core.Addr) bool {
	seen := map[core.Addr]bool{}
	for at != 0 && !seen[at] && len(seen) < maxNodes {
		seen[at] = true
		n, ok := g.node(at)
		if !ok {
			return false
		}
		key, ok1 := g.i.h.RefField(n, "key")
		value, ok2 := g.ref(n, "value", "val")
		if !ok1 || !ok2 {
			return false
		}
		if key != 0 && value != 0 && value != at && !g.take(key, value) {
			break
		}
		at, _ = g.i.h.RefField(n, "next")
	}
	return true
}

// readRing reads an ArrayBlockingQueue: count items from takeIndex on, round the end.
func readRing(g *gatherer, o Object) bool {
	at, ok := g.ref(o, "items")
	from, ok1 := g.i.h.IntField(o, "takeIndex")
	n, ok2 := g.i.h.IntField(o, "count")
	return ok && ok1 && ok2 && g.elements(at, from, n, false)
}

// readSubList reads a part of an ArrayList. The list is root, or until OpenJDK 8 the outer object.
func readSubList(g *gatherer, o Object) bool {
	list, ok := g.ref(o, "root", "this$0")
	from, ok1 := g.i.h.IntField(o, "offset")
	n, ok2 := g.i.h.IntField(o, "size")
	root, found := g.node(list)
	if !ok || !ok1 || !ok2 || !found {
		return false
	}
	at, ok := g.ref(root, "elementData")
	all, known := g.i.h.IntField(root, "size")
	return ok && known && from >= 0 && n >= 0 && from <= all-n && g.elements(at, from, n, false)
}

// readProperties reads Properties: a Hashtable, since OpenJDK 9 one that keeps all in a map.
func readProperties(g *gatherer, o Object) bool {
	if at, ok := g.ref(o, "map"); ok && at != 0 {
		return within("map")(g, o)
	}
	return buckets("key", "value", "next")(g, o)
}

// readNumbers reads an array of numbers in a field, as AtomicIntegerArray has it.
func readNumbers(g *gatherer, o Object) bool {
	at, ok := g.ref(o, "array")
	r, err := g.i.h.Array(at)
	if !ok || err != nil || r.Element == NotPrimitive {
		return false
	}
	for k := range min(r.Length, maxNodes) {
		if g.taken >= g.i.o.MaxItems {
			g.count += int(min(r.Length, maxNodes) - k)
			break
		}
		g.add(g.i.primitive(r.At(k), r.Element))
	}
	return true
}

// valuesOf reads the values of a map.
func valuesOf(field string) collectionReader {
	return func(g *gatherer, o Object) bool {
		if !within(field)(g, o) {
			return false
		}
		g.v.Kind = ValueList
		values := []*Value{}
		for k := 1; k < len(g.v.Items); k += 2 {
			values = append(values, g.v.Items[k])
		}
		g.v.Items = values
		return true
	}
}

// nullOf returns 0 for the object that an EnumMap keeps for null.
func (g *gatherer) nullOf(at core.Addr) core.Addr {
	if x, err := g.i.h.Object(at); err == nil && x.Class.Name == "java.util.EnumMap$1" {
		return 0
	}
	return at
}
