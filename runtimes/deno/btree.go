package deno

import "coredbg/core"

// A treeForm gives the places of the parts of a node of a Rust BTreeMap
// (library/alloc/src/collections/btree/node.rs: LeafNode, InternalNode). Rust orders the parts of a
// leaf by their alignment, and parts of one alignment as it likes; the edges to children follow it.
type treeForm struct {
	keys, values, count, edges core.Addr
	key, value                 core.Addr // bytes of one
}

// Limits for trees.
const (
	nodeEntries = 11 // CAPACITY
	maxHeight   = 12
	maxEntries  = 1 << 20
)

// treeForms returns how the nodes of a map may be laid out whose keys and values have the given
// sizes: the arrays and the parent's address in any order that keeps what is aligned more first.
func treeForms(key, keyAlign, value core.Addr) (out []treeForm) {
	keys, values := nodeEntries*key, nodeEntries*value
	counts := (keys+values+8+3)&^3 + 2 // parent_idx, len
	edges := (counts + 2 + 7) &^ 7
	add := func(k, v core.Addr) {
		out = append(out, treeForm{keys: k, values: v, count: counts, edges: edges, key: key, value: value})
	}
	if keyAlign < 8 {
		add(values+8, 0) // values, parent, keys
		add(values+8, 8) // parent, values, keys
		return out
	}
	add(values+8, 0)
	add(values, 0)
	add(8, keys+8)
	add(0, keys)
	add(0, keys+8)
	add(8+values, 8)
	return out
}

// A tree reads the entries of one BTreeMap: visit gets the addresses of a key and of its value, and
// says whether they are what is looked for.
type tree struct {
	*rustMemory
	form  treeForm
	n     int
	visit func(key, value core.Addr) bool
}

// treeAt reads the map at an address: the root's address, its height, and how many entries there
// are. It reports whether there is one with these entries in a form; begin is called before each.
func (dr *rustMemory) treeAt(at core.Addr, forms []treeForm, begin func(), visit func(key, value core.Addr) bool) bool {
	root, ok1 := dr.Word(at)
	height, ok2 := dr.Word(at + 8)
	length, ok3 := dr.Word(at + 16)
	if !ok1 || !ok2 || !ok3 || root&7 != 0 || root < core.TracePage || height > maxHeight || length == 0 ||
		length > maxEntries {
		return false
	}
	for _, form := range forms {
		begin()
		t := tree{rustMemory: dr, form: form, visit: visit}
		if t.walk(core.Addr(root), int(height)) && t.n == int(length) {
			return true
		}
	}
	return false
}

// walk visits the entries of a node and of those below it, in order.
func (t *tree) walk(at core.Addr, height int) bool {
	count, ok := t.U16(at + t.form.count)
	n := core.Addr(count)
	if !ok || n == 0 || n > nodeEntries || t.n > maxEntries {
		return false
	}
	for i := range n + 1 {
		if height > 0 {
			child, ok := t.Word(at + t.form.edges + 8*i)
			if !ok || child&7 != 0 || !t.walk(core.Addr(child), height-1) {
				return false
			}
		}
		if i == n {
			break
		}
		if t.n++; !t.visit(at+t.form.keys+t.form.key*i, at+t.form.values+t.form.value*i) {
			return false
		}
	}
	return true
}
