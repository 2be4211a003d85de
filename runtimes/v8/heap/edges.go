package heap

import (
	"context"
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
)

// An edgeStrength says whether a collector follows a reference.
type edgeStrength uint8

const (
	edgeStrong edgeStrength = iota
	edgeWeak
)

// A wordEdge is a word of an object that refers to another.
type wordEdge struct {
	from     core.Addr // the object, or the key of an ephemeron
	offset   int       // of the word in the object, in bytes
	to       layout.Tagged
	strength edgeStrength
}

// edgeKinds are the types that do not hold references in all words, or that hold them weakly without the tag
// that says so; -1 for types that this V8 does not have.
type edgeKinds struct {
	ref, cell, ephemerons, site, bytecode, code, stream, nativeContext int
	// raw are the types of bytes without references; a word there looks like a reference only by chance.
	// unnamed are the types whose references have no name that a program would know.
	raw, unnamed page.TypeSet
	dispatch     *dispatchTable
}

func (h *Snapshot) edgeKinds() edgeKinds {
	hs := h.v
	k := edgeKinds{
		ref: hs.TypeNumber("JS_WEAK_REF_TYPE"), cell: hs.TypeNumber("WEAK_CELL_TYPE"),
		ephemerons: h.ephemeronType(), site: hs.TypeNumber("ALLOCATION_SITE_TYPE"),
		bytecode: hs.Types.BytecodeArray, code: hs.Types.Code, stream: hs.TypeNumber("INSTRUCTION_STREAM_TYPE"),
		nativeContext: hs.TypeNumber("NATIVE_CONTEXT_TYPE"), dispatch: h.dispatch(),
	}
	for typ := range hs.Types.FirstReceiver {
		if hs.rawBytes(typ) {
			k.raw.Add(typ)
		}
		switch h.TypeClass(typ, 0) {
		case "(feedback)", "(code)", "(function info)":
			k.unnamed.Add(typ)
		}
	}
	return k
}

// ephemeronType returns the instance type of tables with weak keys: the table of a WeakMap or a WeakSet. In
// some versions no constant names it.
func (h *Snapshot) ephemeronType() int {
	hs := h.v
	for _, g := range h.Groups() {
		if g.Prototype || g.Constructor != "WeakMap" && g.Constructor != "WeakSet" {
			continue
		}
		for _, a := range h.Objects(&g) {
			t, ok := hs.Field(layout.Tag(a), hs.Layout.JSCollection.Table)
			if typ, isObject := hs.InstanceType(t); ok && isObject && typ < hs.Types.FirstReceiver {
				return typ
			}
		}
	}
	return hs.TypeNumber("EPHEMERON_HASH_TABLE_TYPE")
}

// eachEdge visits the references in the bytes of an object of a type.
func (h *Snapshot) eachEdge(k *edgeKinds, at core.Addr, typ int, data []byte, visit func(wordEdge)) {
	hs := h.v
	step := hs.SlotSize()
	if len(data) < step {
		return
	}
	e := wordEdge{from: at, to: hs.Tagged(data, at)}
	if e.to.IsHeap() {
		visit(e)
	}
	if k.raw.Has(typ) {
		return
	}
	if at := hs.Layout.JSFunction.DispatchHandle; at != layout.Unknown && len(data) >= at+step &&
		k.dispatch.functions.Has(typ) {
		if code, ok := k.dispatch.code(hs.handleWord(data[at:])); ok {
			visit(wordEdge{from: e.from, offset: at, to: code})
		}
	}
	size, weakFrom, weakTo := len(data), len(data), len(data)
	switch typ {
	case k.bytecode:
		size = min(size, hs.Layout.BytecodeArray.Data)
	case k.code, k.stream:
		if hs.Layout.Code.Body > 0 && (typ == k.stream || hs.Layout.Code.FromBody == layout.Unknown) {
			size = min(size, hs.Layout.Code.Body)
		}
	case k.ephemerons:
		h.ephemerons(at, data, visit)
		return
	case k.ref, k.site:
		// The target of a WeakRef, and the link between sites: the last word.
		weakFrom = size - step
	case k.nativeContext:
		weakFrom = hs.nextContextLink(data, at)
	case k.cell: // target and unregister token
		weakFrom = hs.Layout.WeakCell.Target
		weakTo = weakFrom + 2*step
	}
	order, compressed := hs.Order, hs.Compressed() // this is where time goes
	for off := step; off+step <= size; off += step {
		var w layout.Tagged
		if compressed {
			w = hs.Tagged(data[off:], at)
		} else {
			w = layout.Tagged(order.Uint64(data[off:]))
		}
		if w&1 == 0 {
			continue
		}
		e.offset, e.to, e.strength = off, w&^2, edgeStrong
		if w&2 != 0 || off >= weakFrom && off < weakTo {
			if w == 3 {
				continue // a weak reference that was cleared
			}
			e.strength = edgeWeak
		}
		visit(e)
	}
}

// nextContextLink returns the offset of the word that links a native context to the next one:
// the last slot. Only a pointer to a queue of microtasks comes after it (objects/contexts.h:
// NEXT_CONTEXT_LINK, NativeContext::microtask_queue).
func (hs *Walker) nextContextLink(data []byte, at core.Addr) int {
	step, length := hs.SlotSize(), hs.Slots(1)
	if len(data) < length+step {
		return len(data)
	}
	n := hs.Tagged(data[length:], at)
	if !n.IsSmi() {
		return len(data)
	}
	slots := int(n.Smi()) & hs.Layout.Context.LengthMask
	if slots < 1 || slots > len(data)/step {
		return len(data)
	}
	return hs.Layout.Context.Data + hs.Slots(slots-1)
}

// ephemerons visits the entries of a table whose keys are weak: a hash table with
// entries of key and value (objects/hash-table.h). A value is kept by its key, as in
// V8's own snapshots (V8HeapExplorer::ExtractEphemeronHashTableReferences).
func (h *Snapshot) ephemerons(at core.Addr, data []byte, visit func(wordEdge)) {
	hs := h.v
	count, ok := hs.objects.FixedLength(layout.Tag(at))
	if !ok {
		return
	}
	for i := 3; i+1 < count && hs.Layout.FixedArray.Data+hs.Slots(i+2) <= len(data); i += 2 {
		off := hs.Layout.FixedArray.Data + hs.Slots(i)
		key, value := hs.Tagged(data[off:], at), hs.Tagged(data[off+hs.SlotSize():], at)
		if !key.IsHeap() {
			continue
		}
		visit(wordEdge{from: at, offset: off, to: key, strength: edgeWeak})
		if value.IsHeap() {
			visit(wordEdge{from: key.Addr(), offset: off + hs.SlotSize(), to: value})
		}
	}
}

// IsEphemeron reports whether some WeakMap has an entry with that key and value.
func (h *Snapshot) IsEphemeron(key, value layout.Tagged) bool {
	tables, err := h.OfType(context.Background(), h.ephemeronType())
	if err != nil {
		return false
	}
	found := false
	for _, t := range tables {
		n, ok := h.v.objects.FixedLength(t)
		size := uint64(h.v.Layout.FixedArray.Data + h.v.Slots(n))
		if !ok || size > maxStore {
			continue
		}
		data, _ := core.ReadBytes(h.v.Space, t.Addr(), size)
		h.ephemerons(t.Addr(), data, func(e wordEdge) {
			found = found || e.from == key.Addr() && e.to == value&^2
		})
	}
	return found
}

// maxStore bounds the bytes of a table or a store that is read at once.
const maxStore = 64 << 20
