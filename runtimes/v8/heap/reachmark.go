package heap

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A marker follows references.
type marker struct {
	r     *Reach
	w     *pageWalker
	queue []core.Addr // found, not looked at yet
	// late are those of queue that wait until nothing else is left: a program has no
	// names for what they refer to. unnamed are their types.
	late    []core.Addr
	unnamed typeSet
	tables  []core.Addr // ephemeron hash tables met
	loose   bool        // only RootMemory is left
	weak    weakTypes
}

// weakTypes are the types that hold some of their references weakly without the
// tag that says so.
type weakTypes struct {
	ref, cell, ephemerons, site, bytecode, code, stream, nativeContext int
}

func (r *Reach) mark(ctx context.Context) error {
	hs := r.h.v
	m := &marker{r: r, w: NewPageWalker(hs.Reader, r.h.Maps, r.h.Gaps), weak: weakTypes{
		ref: hs.TypeNumber("JS_WEAK_REF_TYPE"), cell: hs.TypeNumber("WEAK_CELL_TYPE"),
		ephemerons: r.h.ephemeronType(), site: hs.TypeNumber("ALLOCATION_SITE_TYPE"),
		bytecode: hs.Types.BytecodeArray, code: hs.Types.Code, stream: hs.TypeNumber("INSTRUCTION_STREAM_TYPE"),
		nativeContext: hs.TypeNumber("NATIVE_CONTEXT_TYPE"),
	}}
	for typ := range hs.Types.FirstReceiver {
		switch r.h.typeClass(typ, 0) {
		case "(feedback)", "(code)", "(function info)":
			m.unnamed.add(typ)
		}
	}
	f := rootFinder{r: r}
	finders := []func(context.Context, func(Root)) error{f.handles, f.isolates, f.scopes, f.stacks, f.memory}
	for i, find := range finders {
		m.loose = i == len(finders)-1
		if err := find(ctx, m.root); err != nil {
			return err
		}
		if err := m.drain(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ephemeronType returns the instance type of tables whose keys are weak, which no
// constant names in some versions: that of the table of a WeakMap or a WeakSet.
func (h *Heap) ephemeronType() int {
	hs := h.v
	for _, g := range h.Groups() {
		if g.Prototype || g.Constructor != "WeakMap" && g.Constructor != "WeakSet" {
			continue
		}
		for _, a := range h.Objects(&g) {
			t, ok := hs.Field(layout.Tagged(a), hs.Layout.JSCollection.Table)
			if typ, isObject := hs.InstanceType(t); ok && isObject && typ < hs.Types.FirstReceiver {
				return typ
			}
		}
	}
	return hs.TypeNumber("EPHEMERON_HASH_TABLE_TYPE")
}

// root takes a root.
func (m *marker) root(x Root) {
	r := m.r
	if n, _, ok := r.ordinal(x.Target.Addr()); ok && r.parent[n] == unreached && len(r.roots) < maxRoots {
		r.roots = append(r.roots, x)
		m.take(x.Target.Addr(), n, firstRoot+uint32(len(r.roots)-1))
	}
}

func (m *marker) take(a core.Addr, n int, parent uint32) {
	m.r.parent[n] = parent
	if m.loose {
		m.r.loose[n/64] |= 1 << (n % 64)
	} else {
		m.r.total++
	}
	m.queue = append(m.queue, a)
}

// drain follows references until no more are found, in the order of distance, but
// those that a program has names for first.
func (m *marker) drain(ctx context.Context) error {
	for {
		for i := 0; i < len(m.queue); i++ {
			if i%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if i > 1<<16 && 2*i > len(m.queue) {
				m.queue = m.queue[:copy(m.queue, m.queue[i:])]
				i = 0
			}
			m.follow(m.queue[i], true)
		}
		m.queue = m.queue[:0]
		for _, t := range m.tables {
			m.ephemerons(t)
		}
		if len(m.queue) > 0 {
			continue
		}
		if len(m.late) == 0 {
			return nil
		}
		late := m.late
		m.late = nil
		for _, a := range late {
			m.follow(a, false)
		}
	}
}

// reference takes the object that a word of the object n refers to, if it does.
func (m *marker) reference(w layout.Tagged, n uint32) {
	if w&3 != 1 {
		return
	}
	if k, _, ok := m.r.ordinal(w.Addr()); ok && m.r.parent[k] == unreached {
		m.take(w.Addr(), k, n)
	}
}

// follow takes what the object at a refers to; if it may wait, perhaps later.
func (m *marker) follow(a core.Addr, wait bool) {
	n, page, ok := m.r.ordinal(a)
	if !ok || int(a-page.start)+8 > len(page.data) {
		return
	}
	data, order := page.data[a-page.start:], m.r.h.v.Order
	word := layout.Tagged(order.Uint64(data))
	info := m.w.mapAt(word)
	if info == nil {
		return
	}
	if wait && m.unnamed.has(info.Typ) {
		m.late = append(m.late, a)
		return
	}
	m.reference(word, uint32(n))
	size := min(m.w.sizeOf(info, data), len(data))
	hs := m.r.h.v
	switch info.Typ {
	case m.weak.bytecode:
		size = min(size, hs.Layout.BytecodeArray.Data)
	case m.weak.code, m.weak.stream:
		if hs.Layout.Code.Body > 0 && (info.Typ == m.weak.stream || hs.Layout.Code.FromBody == layout.Unknown) {
			size = min(size, hs.Layout.Code.Body)
		}
	case m.weak.ephemerons:
		m.tables = append(m.tables, a)
		return
	case m.weak.ref, m.weak.nativeContext, m.weak.site:
		// The target of a WeakRef, and what links contexts and sites: the last word.
		size -= 8
	}
	if hs.rawBytes(info.Typ) {
		return
	}
	for off := 8; off+8 <= size; off += 8 {
		if cell := hs.Layout.WeakCell.Target; info.Typ == m.weak.cell && (off == cell || off == cell+8) {
			continue // target and unregister token
		}
		m.reference(layout.Tagged(order.Uint64(data[off:])), uint32(n))
	}
}

// ephemerons takes the values of a table whose keys are reachable. It is a hash
// table with entries of key and value (objects/hash-table.h).
func (m *marker) ephemerons(a core.Addr) {
	n, page, ok := m.r.ordinal(a)
	if !ok {
		return
	}
	hs := m.r.h.v
	data := page.data[a-page.start:]
	count, ok := hs.objects.FixedLength(layout.Tag(a))
	if !ok {
		return
	}
	for i := 3; i+1 < count && hs.Layout.FixedArray.Data+8*i+16 <= len(data); i += 2 {
		at := hs.Layout.FixedArray.Data + 8*i
		key := layout.Tagged(hs.Order.Uint64(data[at:]))
		if k, _, ok := m.r.ordinal(key.Addr()); key.IsHeap() && ok && m.r.parent[k] != unreached {
			m.reference(layout.Tagged(hs.Order.Uint64(data[at+8:])), uint32(n))
		}
	}
}
