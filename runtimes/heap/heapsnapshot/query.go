package heapsnapshot

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// An edgeReader answers queries about nodes and their edges. Small integers, booleans, null and
// undefined have no node, so fields that hold them are not in a snapshot, and other numbers have their
// value there only if V8 was asked for it.
var (
	_ heap.StringReader = (*edgeReader)(nil)
	_ heap.ArrayReader  = (*edgeReader)(nil)
	_ heap.ShapeReader  = (*edgeReader)(nil)
	_ heap.FieldReader  = (*edgeReader)(nil)
)

// kindOf returns the type of a node.
func (s *Snapshot) kindOf(n int32) string { return s.node.kinds[s.kind[n]] }

// IsString reports whether a class has strings with characters of their own.
func (r *edgeReader) IsString(typ int32) bool { return r.classes[typ].Class == "(string)" }

// cutUnits is how many units of a string V8 writes.
const cutUnits = 1024

var (
	errCut    = errors.New("heap snapshot: the string is cut")
	errNumber = errors.New("heap snapshot: the value of the number is not in it")
)

// stringHead is the maximum size of a string's header, in bytes.
const stringHead = 40

// ReadString reads a string, unless it was cut: that its writer could not read is empty.
// A string that is smaller than its text has it elsewhere.
func (r *edgeReader) ReadString(at core.Addr, from uint64, units []uint16) (uint64, error) {
	n, ok := r.nodeAt(at)
	if !ok {
		return 0, heap.ErrNoField
	}
	u := utf16.Encode([]rune(r.stringAt(r.name[n])))
	switch {
	case r.size[n] < uint64(len(u)):
		return 0, heap.ErrElsewhere
	case len(u) >= cutUnits, r.size[n] > uint64(2*len(u)+stringHead):
		return 0, errCut
	}
	copy(units, u[min(from, uint64(len(u))):])
	return uint64(len(u)), nil
}

// IsArray reports whether a class has stores, or the memory of ArrayBuffers outside the heap.
func (r *edgeReader) IsArray(_ int32, t *heap.Type) bool {
	return t.Class == "(array)" || t.Class == "system / JSArrayBufferData"
}

// Array says whose store a node is, by the edge of its holder.
func (r *edgeReader) Array(at core.Addr, _ int32, holder core.Addr) heap.Array {
	a := heap.Array{Length: -1, Capacity: -1, Used: -1}
	of, ok1 := r.nodeAt(holder)
	n, ok2 := r.nodeAt(at)
	if !ok1 || !ok2 || r.kindOf(of) != "object" {
		return a
	}
	for e := r.first[of]; e < r.first[of+1]; e++ {
		if r.to[e] != n || !r.internal[r.edgeKind[e]] {
			continue
		}
		switch r.stringAt(r.edgeName[e]) {
		case "elements", "properties", "table", "backing_store":
			a.Owner = holder
		}
	}
	return a
}

// Shape returns the class of a node and its map.
func (r *edgeReader) Shape(at core.Addr, typ int32) (key string, own bool) {
	key = strconv.Itoa(int(typ))
	n, ok := r.nodeAt(at)
	if !ok || r.kindOf(n) != "object" {
		return key, false
	}
	for e := r.first[n]; e < r.first[n+1]; e++ {
		if r.internal[r.edgeKind[e]] && !r.numbered[r.edgeKind[e]] && r.stringAt(r.edgeName[e]) == "map" {
			return key + " " + strconv.FormatUint(r.id[r.to[e]], 10), true
		}
	}
	return key, true
}

// IsInstance reports true: a snapshot does not say what V8 keeps as templates.
func (r *edgeReader) IsInstance(core.Addr, int32) bool { return true }

// Field follows edges that are properties or elements.
func (r *edgeReader) Field(at core.Addr, path []string) (heap.Value, error) {
	n, ok := r.nodeAt(at)
	for _, name := range path {
		if !ok {
			return heap.Value{}, heap.ErrNoField
		}
		n, ok = r.follow(n, name)
	}
	if !ok {
		return heap.Value{}, heap.ErrNoField
	}
	return r.value(n)
}

// follow returns the node that a property or element leads to.
func (r *edgeReader) follow(n int32, name string) (int32, bool) {
	for e := r.first[n]; e < r.first[n+1]; e++ {
		switch kind := r.edge.kinds[r.edgeKind[e]]; {
		case kind == "element" && strconv.FormatUint(uint64(r.edgeName[e]), 10) == name,
			kind == "property" && !r.numbered[r.edgeKind[e]] && r.stringAt(r.edgeName[e]) == name:
			return r.to[e], true
		}
	}
	return 0, false
}

// value says what a node is.
func (r *edgeReader) value(n int32) (heap.Value, error) {
	name := r.stringAt(r.name[n])
	switch r.kindOf(n) {
	case "string", "concatenated string", "sliced string":
		return heap.Value{Kind: heap.Text, Text: name, Cut: len(name) >= cutUnits}, nil
	case "number", "bigint":
		for e := r.first[n]; e < r.first[n+1]; e++ {
			if r.internal[r.edgeKind[e]] && !r.numbered[r.edgeKind[e]] && r.stringAt(r.edgeName[e]) == "value" {
				name = r.stringAt(r.name[r.to[e]])
			}
		}
		f, err := strconv.ParseFloat(strings.TrimSuffix(name, "n"), 64)
		if err != nil {
			return heap.Value{}, errNumber
		}
		return heap.Value{Kind: heap.Number, Num: f}, nil
	}
	return heap.Value{Kind: heap.Object, At: addr(n)}, nil
}
