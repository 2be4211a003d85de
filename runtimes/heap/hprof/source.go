package hprof

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/heap/hprof/format"
)

// Addresses that objects get in the graph, in order of identifier. Users do not see them.
const (
	base        core.Addr = 1 << 16
	spanObjects           = 1 << 14 // of one span
)

func addr(n int32) core.Addr { return base + heap.Alignment*core.Addr(n) }

// objectAt is the reverse of addr.
func (d *Dump) objectAt(at core.Addr) (int32, bool) {
	n := uint64(at-base) / heap.Alignment
	if at < base || n >= uint64(d.objects.len()) {
		return 0, false
	}
	return int32(n), true
}

// Len returns how many objects there are.
func (d *Dump) Len() int { return d.objects.len() }

// Spans returns the objects in stretches.
func (d *Dump) Spans() []heap.Span {
	var out []heap.Span
	for n := 0; n < d.Len(); n += spanObjects {
		out = append(out, heap.Span{Start: addr(int32(n)), End: addr(int32(min(n+spanObjects, d.Len())))})
	}
	return out
}

// Reader returns a reader of objects.
func (d *Dump) Reader() heap.Reader {
	return &objectReader{Dump: d, c: newCursor(d.src, d.idSize, 0, d.end)}
}

// An objectReader reads what objects refer to.
type objectReader struct {
	*Dump
	c cursor
}

// Objects visits the objects of a stretch.
func (r *objectReader) Objects(span int, visit func(core.Addr, uint64, int32)) {
	for n := span * spanObjects; n < min((span+1)*spanObjects, r.Len()); n++ {
		visit(addr(int32(n)), r.size(int32(n), &r.c), r.objects.kindOf(n))
	}
}

// External returns nothing: a dump does not have what is outside the heap.
func (r *objectReader) External(core.Addr, int32) uint64 { return 0 }

// Edges visits what an object refers to strongly.
func (r *objectReader) Edges(at core.Addr, _ uint64, _ int32, visit func(from, to core.Addr)) {
	n, ok := r.objectAt(at)
	if !ok {
		return
	}
	r.refs(n, func(x reference) bool {
		if t, ok := r.find(x.to); ok && !x.weak {
			visit(at, addr(t))
		}
		return true
	})
}

// A reference is one of an object.
type reference struct {
	kind  heap.ReferenceKind
	name  string // of a plain reference
	field uint64 // the name of a field: a string
	index uint32 // of an element
	to    uint64
	weak  bool
}

// refs calls visit for the references of an object, until it returns false.
func (r *objectReader) refs(n int32, visit func(reference) bool) {
	o := r.objects.at(int(n))
	k := &r.kinds[o.kind]
	switch {
	case o.kind == kindClass:
		r.classRefs(&o, visit)
	case o.kind < firstKind:
	case k.array:
		if visit(reference{name: "class", to: k.id}) {
			r.elements(o.off, reference{kind: heap.Element}, visit)
		}
	default:
		if visit(reference{name: "class", to: k.id}) {
			r.fieldRefs(&o, k.class, visit)
		}
		if off, ok := r.held[o.id]; ok {
			r.elements(off, reference{name: "runtimeInternalObjects"}, visit)
		}
	}
}

// fieldRefs visits the fields of an instance.
func (r *objectReader) fieldRefs(o *object, k *class, visit func(reference) bool) {
	values, n := r.values(o), uint64(r.length(o, &r.c))
	k.chain(func(f *field, off uint32) bool {
		if uint64(off)+uint64(r.idSize) > n {
			return false
		}
		if f.typ != format.TypeObject {
			return true
		}
		r.c.seek(values + int64(off))
		to := r.c.id()
		return to == 0 || visit(reference{kind: heap.Field, field: f.name, to: to, weak: f.weak})
	})
}

// elements visits the elements of an array of objects, each as the reference given, with its index.
func (r *objectReader) elements(off int64, each reference, visit func(reference) bool) {
	r.c.seek(off + 4)
	n := r.c.u4()
	r.c.id()
	for i := range n {
		each.index, each.to = i, r.c.id()
		if r.c.err != nil || each.to != 0 && !visit(each) {
			return
		}
	}
}

// classRefs visits what a class refers to, its static fields too.
func (r *objectReader) classRefs(o *object, visit func(reference) bool) {
	c := &r.c
	c.seek(o.off + 4)
	for _, what := range []string{"super class", "class loader", "signers", "protection domain"} {
		if to := c.id(); to != 0 && !visit(reference{name: what, to: to}) {
			return
		}
	}
	c.skip(int64(2*r.idSize) + 4)
	for range c.u2() {
		c.skip(2)
		c.value(format.BasicType(c.u1()))
	}
	for range c.u2() {
		name, t := c.id(), format.BasicType(c.u1())
		to := c.value(t)
		if c.err != nil || t == format.TypeObject && to != 0 &&
			!visit(reference{kind: heap.StaticField, field: name, to: to}) {
			return
		}
	}
}

// Roots visits the roots of the file. Roots that may be stale come last.
func (d *Dump) Roots(ctx context.Context, _ func(core.Addr) bool, visit func(heap.Root)) error {
	out := make([]heap.Root, 0, len(d.roots))
	for i, x := range d.roots {
		if i&0xfffff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, ok := d.find(x.id)
		if !ok {
			continue
		}
		r := heap.Root{Kind: rootKinds[x.tag], Target: addr(n), Name: d.rootName(x)}
		switch x.tag {
		case format.RootStickyClass, format.RootInternedString, format.RootVMInternal, format.RootReference,
			format.RootDebugger:
			r.Rank = heap.Engine
		case format.RootJavaFrame, format.RootJNILocal, format.RootNativeStack, format.RootThreadBlock:
			r.Rank = heap.Calling
		}
		if x.tag == format.RootNativeStack && d.android {
			r.Strength = heap.Stacked
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b heap.Root) int { return cmp.Compare(a.Strength, b.Strength) })
	for _, r := range out {
		visit(r)
	}
	return nil
}

// rootName names the thread and the frame of a root.
func (d *Dump) rootName(x root) string {
	if x.thread == 0 {
		return ""
	}
	name := fmt.Sprintf("thread %d", x.thread)
	t, ok := d.traces[d.threads[x.thread]]
	if !ok || x.frame >= t.n {
		return name
	}
	c := newCursor(d.src, d.idSize, t.off+int64(x.frame)*int64(d.idSize), d.end)
	f, ok := d.frames[c.id()]
	if !ok {
		return name
	}
	s := d.className(d.serials[f.class]) + "." + d.string(f.method)
	if file := d.string(f.file); file != "" && int32(f.line) > 0 {
		s += fmt.Sprintf(" (%s:%d)", file, f.line)
	}
	return s + " of " + name
}

// Damage says what the file lacks; nil if it is whole.
func (d *Dump) Damage() *heap.Damage { return d.damage }

// Shown returns the identifier of an object.
func (d *Dump) Shown(at core.Addr) core.Addr {
	if n, ok := d.objectAt(at); ok {
		return core.Addr(d.objects.id(int(n)))
	}
	return 0
}

// Start returns the address of the object with an identifier, 0 if there is none.
func (d *Dump) Start(id core.Addr) core.Addr {
	if n, ok := d.find(uint64(id)); ok {
		return addr(n)
	}
	return 0
}

// Type describes a class.
func (d *Dump) Type(t int32, _ core.Addr) heap.Type {
	if t < 0 || int(t) >= len(d.kinds) {
		return heap.Type{}
	}
	name := d.kinds[t].name
	return heap.Type{Class: name, Internal: name == classClass || name == "java.lang.DexCache" ||
		name == "dalvik.system.ClassExt"}
}
