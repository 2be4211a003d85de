package java

import "coredbg/core"

// sized reads an array whose first elements count.
func sized(array, size string) collectionReader {
	return func(g *gatherer, o Object) bool {
		at, ok1 := g.ref(o, array)
		n, ok2 := g.i.h.IntField(o, size)
		return ok1 && ok2 && g.elements(at, 0, n, false)
	}
}

// whole reads an array that is full, or whose null elements do not count.
func whole(array string, skipNull bool, older ...string) collectionReader {
	return func(g *gatherer, o Object) bool {
		at, ok := g.ref(o, append([]string{array}, older...)...)
		if !ok || at == 0 {
			return false
		}
		n, ok := g.i.h.ArrayLength(at)
		return ok && g.elements(at, 0, int64(n), skipNull)
	}
}

// single reads an element, or a pair, that is in fields; the fields'
// values are all there is.
func single(names ...string) collectionReader {
	return func(g *gatherer, o Object) bool {
		refs, ok := g.refs(o, names)
		if len(refs) > 0 {
			g.take(refs...)
		}
		return ok
	}
}

// pair reads a collection of one or two elements: the second is itself, or
// ImmutableCollections.EMPTY, an Object, if there is none.
func pair(first, second string) collectionReader {
	return func(g *gatherer, o Object) bool {
		e0, ok1 := g.i.h.RefField(o, first)
		e1, ok2 := g.i.h.RefField(o, second)
		if !ok1 || !ok2 {
			return false
		}
		g.take(e0)
		if x, err := g.i.h.Object(e1); e1 != 0 && e1 != o.Addr && err == nil && x.Class.Name != "java.lang.Object" {
			g.take(e1)
		}
		return true
	}
}

// within reads what another collection holds, which it only dresses.
func within(field string) collectionReader {
	return func(g *gatherer, o Object) bool {
		r, ok := g.ref(o, field)
		inner, found := g.node(r)
		if !ok || !found || g.depth > 8 {
			return false
		}
		g.depth++
		defer func() { g.depth-- }()
		read := readerFor(inner.Class)
		return read != nil && read(g, inner)
	}
}

// keysOf reads a set that keeps its elements as the keys of a map.
func keysOf(field string) collectionReader {
	return func(g *gatherer, o Object) bool {
		if !within(field)(g, o) {
			return false
		}
		g.v.Kind = ValueList
		keys := g.v.Items[:0]
		for k := 0; k < len(g.v.Items); k += 2 {
			keys = append(keys, g.v.Items[k])
		}
		g.v.Items = keys
		return true
	}
}

// alternating reads an array of keys and values in turn, where null stands for
// no key.
func alternating(table string) collectionReader {
	return func(g *gatherer, o Object) bool {
		g.asMap()
		at, _ := g.ref(o, table)
		r, err := g.i.h.Array(at)
		if err != nil || r.Element != NotPrimitive {
			return false
		}
		for k := uint64(0); k+1 < r.Length; k += 2 {
			key, ok1 := g.i.h.Ref(r.At(k))
			value, ok2 := g.i.h.Ref(r.At(k + 1))
			if !ok1 || !ok2 {
				return false
			}
			if key != 0 && !g.take(key, value) {
				break
			}
		}
		return true
	}
}

// buckets reads a hash table: an array of lists of nodes. A node without a key
// of a ConcurrentHashMap leads to a tree's list (first) or to the next table.
func buckets(key, value, next string) collectionReader {
	return func(g *gatherer, o Object) bool {
		g.asMap()
		at, ok := g.ref(o, "table")
		if !ok {
			return false
		}
		if at == 0 {
			return true // made on first use
		}
		return g.table(at, key, value, next, 0)
	}
}

func (g *gatherer) table(at core.Addr, key, value, next string, moved int) bool {
	r, err := g.i.h.Array(at)
	if err != nil || r.Element != NotPrimitive {
		return false
	}
	for k := uint64(0); k < r.Length && g.count < maxNodes; k++ {
		head, ok := g.i.h.Ref(r.At(k))
		if !ok {
			return false
		}
		if head != 0 && !g.list(head, key, value, next, moved) {
			return false
		}
	}
	return true
}

// list takes the nodes of a bucket.
func (g *gatherer) list(at core.Addr, key, value, next string, moved int) bool {
	seen := map[core.Addr]bool{}
	for at != 0 && !seen[at] && len(seen) < maxNodes {
		seen[at] = true
		n, ok := g.node(at)
		if !ok {
			return false
		}
		if table, is := g.i.h.RefField(n, "nextTable"); is {
			return moved > 0 || table == 0 || g.table(table, key, value, next, moved+1)
		}
		if first, is := g.i.h.RefField(n, "first"); is {
			at = first
			continue
		}
		k, ok1 := g.i.h.RefField(n, key)
		v, ok2 := g.i.h.RefField(n, value)
		if !ok1 || !ok2 {
			return false
		}
		if !g.take(k, v) {
			return true
		}
		at, _ = g.i.h.RefField(n, next)
	}
	return true
}

// readLinkedMap reads a LinkedHashMap in the order of its list.
func readLinkedMap(g *gatherer, o Object) bool {
	at, ok := g.ref(o, "head", "eldest")
	if !ok {
		return buckets("key", "value", "next")(g, o)
	}
	g.asMap()
	return g.chain(at, "after", "key", "value")
}

// readLinked reads a LinkedList.
func readLinked(g *gatherer, o Object) bool {
	at, ok := g.ref(o, "first")
	return ok && g.chain(at, "next", "item")
}

// readQueue reads a queue of linked nodes, whose head has given its item away.
func readQueue(g *gatherer, o Object) bool {
	at, ok := g.ref(o, "head")
	return ok && g.chain(at, "next", "item")
}

// chain takes fields of nodes that are linked. Items that are null are none.
func (g *gatherer) chain(at core.Addr, next string, fields ...string) bool {
	seen := map[core.Addr]bool{}
	for at != 0 && !seen[at] && len(seen) < maxNodes {
		seen[at] = true
		n, ok := g.node(at)
		if !ok {
			return false
		}
		refs, ok := g.refs(n, fields)
		if !ok {
			return false
		}
		if (len(fields) > 1 || refs[0] != 0) && !g.take(refs...) {
			break
		}
		at, _ = g.i.h.RefField(n, next)
	}
	return true
}

// readDeque reads an ArrayDeque: elements from head up to tail, round the end.
func readDeque(g *gatherer, o Object) bool {
	at, ok := g.ref(o, "elements")
	head, ok1 := g.i.h.IntField(o, "head")
	tail, ok2 := g.i.h.IntField(o, "tail")
	n, ok3 := g.i.h.ArrayLength(at)
	if !ok || !ok1 || !ok2 || !ok3 || n == 0 || head < 0 || tail < 0 {
		return false
	}
	return g.elements(at, head, (tail-head+int64(n))%int64(n), false)
}

// readTree reads a TreeMap in the order of its keys.
func readTree(g *gatherer, o Object) bool {
	g.asMap()
	at, ok := g.ref(o, "root")
	var path []Object
	for steps := 0; ok && (at != 0 || len(path) > 0) && steps < maxNodes; steps++ {
		for at != 0 {
			n, found := g.node(at)
			if !found || len(path) > 128 {
				return false
			}
			path = append(path, n)
			if at, ok = g.i.h.RefField(n, "left"); !ok {
				return false
			}
		}
		n := path[len(path)-1]
		path = path[:len(path)-1]
		k, ok1 := g.i.h.RefField(n, "key")
		v, ok2 := g.i.h.RefField(n, "value")
		if !ok1 || !ok2 {
			return false
		}
		if !g.take(k, v) {
			return true
		}
		at, ok = g.i.h.RefField(n, "right")
	}
	return ok
}

// readEnumMap reads an EnumMap: values by the ordinals of keys.
func readEnumMap(g *gatherer, o Object) bool {
	g.asMap()
	keys, ok1 := g.ref(o, "keyUniverse")
	values, ok2 := g.ref(o, "vals")
	if !ok1 || !ok2 {
		return false
	}
	k, err1 := g.i.h.ArrayRefs(keys, maxNodes)
	v, err2 := g.i.h.ArrayRefs(values, maxNodes)
	if err1 != nil || err2 != nil || len(k) != len(v) {
		return false
	}
	for n := range k {
		if v[n] != 0 {
			g.take(k[n], g.nullOf(v[n]))
		}
	}
	return true
}

// readArrayMap reads Android's ArrayMap: mArray holds keys and values in turn.
func readArrayMap(g *gatherer, o Object) bool {
	g.asMap()
	at, ok := g.ref(o, "mArray")
	n, ok1 := g.i.h.IntField(o, "mSize")
	if !ok || !ok1 || n < 0 {
		return false
	}
	refs, err := g.i.h.ArrayRefs(at, int(min(2*n, maxNodes)))
	if err != nil && n > 0 {
		return false
	}
	for k := 0; k+1 < len(refs); k += 2 {
		g.take(refs[k], refs[k+1])
	}
	return int64(len(refs)) == 2*n
}

// readSparse reads Android's SparseArray and LongSparseArray: numbers in mKeys,
// objects in mValues.
func readSparse(g *gatherer, o Object) bool {
	g.asMap()
	keys, _ := g.ref(o, "mKeys")
	values, _ := g.ref(o, "mValues")
	n, ok := g.i.h.IntField(o, "mSize")
	k, err1 := g.i.h.Array(keys)
	v, err2 := g.i.h.ArrayRefs(values, maxNodes)
	if !ok || err1 != nil || err2 != nil || n < 0 || uint64(n) > k.Length || n > int64(len(v)) {
		return false
	}
	for j := range n {
		if g.count++; g.taken < g.i.o.MaxItems && g.i.left > 0 {
			g.taken++
			g.v.Items = append(g.v.Items, g.i.primitive(k.At(uint64(j)), k.Element), g.i.object(v[j], g.level+1))
		}
	}
	return true
}
