package object

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A RealmReader reads realms: native contexts, their global objects and the contexts of scripts.
type RealmReader struct{ Functions }

// NativeContext follows the chain of contexts from o to the native one.
func (r *RealmReader) NativeContext(o layout.Tagged) (layout.Tagged, error) {
	for range MaxContexts {
		if !r.IsContext(o) {
			break
		}
		if r.isNativeContext(o) {
			return o, nil
		}
		next, ok := r.Field(o, r.Layout.Context.Previous)
		if !ok || !r.IsContext(next) {
			// Since V8 9 a function context may end here; a slot before
			// its locals was the native context before.
			for off := 2; off < 4; off++ {
				if w, err := r.ContextSlot(o, off); err == nil && r.isNativeContext(w.Word) {
					return w.Word, nil
				}
			}
			break
		}
		o = next
	}
	return 0, fmt.Errorf("v8: %v leads to no native context", core.Addr(o))
}

// isNativeContext reports whether o is the context of a realm: a function's may be as
// long, but has no global object.
func (r *RealmReader) isNativeContext(o layout.Tagged) bool {
	n, ok := r.ContextLength(o)
	if !ok || n <= r.Layout.Context.MinNative || !r.IsContext(o) {
		return false
	}
	_, err := r.GlobalObject(o)
	return err == nil || r.Types.JSGlobalObject < 0
}

// GlobalObject returns the global object of a native context.
func (r *RealmReader) GlobalObject(native layout.Tagged) (layout.Tagged, error) {
	g, ok := r.Field(native, r.Layout.Context.GlobalObject)
	if !ok || !r.Is(g, r.Types.JSGlobalObject) {
		return 0, fmt.Errorf("v8: native context %v has no global object", core.Addr(native))
	}
	return g, nil
}

// maxStackScan bounds the bytes of a stack that are searched for functions.
const maxStackScan = 1 << 20

// NativeContexts returns the native contexts that a thread works with, the nearest to the top of its stack
// first: the contexts of the functions and contexts that words on the stack refer to.
func (r *RealmReader) NativeContexts(ctx context.Context, t *core.Thread) []layout.Tagged {
	var out []layout.Tagged
	seen := map[layout.Tagged]bool{}
	r.EachStackWord(ctx, t, func(w layout.Tagged) {
		if seen[w] {
			return
		}
		seen[w] = true
		if n, ok := r.nativeOf(w); ok && !slices.Contains(out, n) {
			out = append(out, n)
		}
	})
	return out
}

// EachStackWord calls yield for the words of a thread's stack that could be
// references, from its top on. No object is on the stack itself.
func (r *RealmReader) EachStackWord(ctx context.Context, t *core.Thread, yield func(layout.Tagged)) {
	for _, s := range layout.Stacks(r.Process, t) {
		data, _ := core.ReadBytes(r.Space, s.Start, min(maxStackScan, uint64(s.End-s.Start)))
		for i := 0; i+8 <= len(data); i += 8 {
			if i&0xffff == 0 && ctx.Err() != nil {
				return
			}
			w := r.Full(r.Order.Uint64(data[i:]))
			if a := core.Addr(w); w&3 == 1 && (a < s.Start || a >= s.End) {
				yield(w)
			}
		}
	}
}

// nativeOf returns the native context of a function or a context.
func (r *RealmReader) nativeOf(w layout.Tagged) (layout.Tagged, bool) {
	if r.IsFunction(w) {
		c, ok := r.Field(w, r.Layout.JSFunction.Context)
		if !ok {
			return 0, false
		}
		w = c
	} else if !r.IsContext(w) {
		return 0, false
	}
	n, err := r.NativeContext(w)
	if err != nil {
		return 0, false
	}
	_, err = r.GlobalObject(n)
	return n, err == nil
}

// errNoContext says that no realm was found.
var errNoContext = errors.New("v8: no thread's stack leads to a native context, and the heap shows no native context")

// Realms returns the native contexts of the process: the ones that threads work with, in the order of threads,
// the current first. If no thread works with one, it searches the memory.
func (r *RealmReader) Realms(ctx context.Context, current *core.Thread) ([]layout.Tagged, error) {
	var out []layout.Tagged
	add := func(list []layout.Tagged) {
		for _, n := range list {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	if current != nil {
		add(r.NativeContexts(ctx, current))
	}
	for _, t := range r.Process.Threads {
		if t != current {
			add(r.NativeContexts(ctx, t))
		}
	}
	if len(out) == 0 {
		add(r.searchContexts(ctx))
	}
	if err := ctx.Err(); err != nil {
		return out, err
	}
	if len(out) == 0 {
		return nil, errNoContext
	}
	return out, nil
}

// searchContexts looks for native contexts in writable memory: an object
// whose map is one, with the shape of a native context.
func (r *RealmReader) searchContexts(ctx context.Context) []layout.Tagged {
	var out []layout.Tagged
	maps := map[layout.Tagged]bool{}
	for _, s := range r.Space.Segments() {
		// A mapping that the core does not hold may claim to be as large as the address space.
		if s.Prot != core.Read|core.Write || s.Kind != core.SegCore {
			continue
		}
		layout.EachChunk(s, func(at core.Addr) bool {
			data, _ := r.Space.Slice(at, int(min(layout.ChunkSize, uint64(s.End-at))))
			out = append(out, r.contextsIn(data, at, maps)...)
			return ctx.Err() == nil
		})
		if ctx.Err() != nil {
			break
		}
	}
	return out
}

// contextsIn returns the native contexts in the bytes at an address. Maps remembers which words are maps.
func (r *RealmReader) contextsIn(data []byte, at core.Addr, maps map[layout.Tagged]bool) (out []layout.Tagged) {
	size := r.SlotSize()
	for i := 0; i+2*size <= len(data); i += size {
		// A context's length follows its map.
		w := r.Tagged(data[i+size:], at)
		n := int(w.Smi()) & r.Layout.Context.LengthMask
		if !w.IsSmi() || n <= r.Layout.Context.MinNative || n > 2000 || uint32(w) != 0 {
			continue
		}
		m := r.Tagged(data[i:], at)
		if m&3 != 1 {
			continue
		}
		known, seen := maps[m]
		if !seen {
			known = r.IsMap(m)
			maps[m] = known
		}
		o := layout.Tag(at + core.Addr(i))
		if known && r.isNativeContext(o) {
			out = append(out, o)
		}
	}
	return out
}

// NativeHolds reports whether a native context itself refers to an object. V8 keeps its constructors there; a
// program that sets a global of their name does not change that.
func (r *RealmReader) NativeHolds(native, o layout.Tagged) bool {
	n, ok := r.ContextLength(native)
	for i := 0; ok && i < n; i++ {
		if w, read := r.Field(native, r.Layout.Context.Data+r.Slots(i)); read && w == o {
			return true
		}
	}
	return false
}

// ErrNoGlobal says that all globals of a realm could be read, and that a name is not among them.
var ErrNoGlobal = errors.New("no global is called")

// findGlobal finds a global as Global does, without its value where that has to be
// computed. Bindings of scripts are returned as properties too.
func (r *RealmReader) findGlobal(native layout.Tagged, name string) (g layout.Tagged, p *Property, err error) {
	if g, err = r.GlobalObject(native); err != nil {
		return 0, nil, err
	}
	if name == "globalThis" || name == "global" {
		return g, &Property{Value: Slot{Word: g}}, nil
	}
	list, err := r.globalProperties(g)
	for i := range list {
		if p := &list[i]; r.NameIs(p.Key.Word, name) {
			return g, p, nil
		}
	}
	for _, c := range r.ScriptContexts(native) {
		for _, x := range c.Variables {
			if x.Name == name {
				return g, &Property{Value: x.Slot}, nil
			}
		}
	}
	if err == nil {
		err = fmt.Errorf("v8: %w %q", ErrNoGlobal, name)
	}
	return g, nil, err
}

// ScriptContexts returns the contexts that hold the top-level let, const and
// class bindings of scripts. The native context has them in a
// ScriptContextTable, an array that is found by its content: contexts after
// one or two words.
func (r *RealmReader) ScriptContexts(native layout.Tagged) []*Context {
	n, ok := r.ContextLength(native)
	if !ok {
		return nil
	}
	for i := range n {
		w, ok := r.Field(native, r.Layout.Context.Data+r.Slots(i))
		if !ok || !w.IsHeap() || w == native || r.IsContext(w) {
			continue
		}
		if list := r.contextTable(w, native); len(list) > 0 {
			return list
		}
	}
	return nil
}

// contextTable decodes w as a ScriptContextTable (objects/contexts.h): a
// FixedArray whose first element is the number of contexts used, with a hash
// table of names after it in later versions.
func (r *RealmReader) contextTable(w, native layout.Tagged) []*Context {
	n, ok := r.FixedLength(w)
	if typ, known := r.InstanceType(w); !known || typ >= r.Types.FirstReceiver || !ok || n == 0 {
		return nil
	}
	var list []*Context
	for i := range min(n+2, 1<<16) {
		e, ok := r.WordAt(w, i)
		if !ok || !e.IsHeap() || !r.IsContext(e) {
			if i > 2 {
				break
			}
			continue
		}
		p, _ := r.Field(e, r.Layout.Context.Previous)
		if e == native || p != native {
			return nil
		}
		c, err := r.Context(e)
		if c == nil || err != nil {
			return nil
		}
		list = append(list, c)
	}
	return list
}

// moduleOf returns the module of a namespace object, which is after the
// words for the embedder, if there are any.
func (r *RealmReader) moduleOf(o layout.Tagged) (layout.Tagged, bool) {
	for _, off := range []int{0, 8} {
		m, ok := r.Field(o, r.Layout.JSModuleNamespace.Module+off)
		if !ok {
			continue
		}
		if r.TypeNamed(m, "TEXT_MODULE") || r.TypeNamed(m, "SYNTHETIC_MODULE") {
			return m, true
		}
		// A module refers back to its namespace; V8 7 does not name its type.
		if back, ok := r.Field(m, r.Layout.Module.Namespace); ok && back == o {
			return m, true
		}
	}
	return 0, false
}

// realmOf returns the native context that made the object o: the context of the nearest constructor on its
// prototype chain.
func (r *RealmReader) realmOf(o layout.Tagged) (layout.Tagged, bool) {
	var native layout.Tagged
	r.Prototypes(o, func(p layout.Tagged) bool {
		if c, ok := r.OwnProperty(p, "constructor"); ok && r.IsFunction(c.Value) {
			native, _ = r.nativeOf(c.Value)
		}
		return native == 0
	})
	if c, ok := r.constructorOf(o); native == 0 && ok && r.IsFunction(c) { // it has lost its prototype
		native, _ = r.nativeOf(c)
	}
	return native, native != 0
}

// GlobalOf returns the global object behind a global proxy: its prototype.
func (r *RealmReader) GlobalOf(proxy layout.Tagged) (layout.Tagged, bool) {
	m, ok := r.MapOf(proxy)
	if !ok {
		return 0, false
	}
	g, ok := r.Field(m, r.Layout.Map.Prototype)
	return g, ok && r.Is(g, r.Types.JSGlobalObject)
}

// IsGlobal reports whether a slot holds the global object of a realm, or the proxy that
// stands for it.
func (r *RealmReader) IsGlobal(s Slot) bool {
	return !s.Raw && (r.Is(s.Word, r.Types.JSGlobalProxy) || r.Is(s.Word, r.Types.JSGlobalObject))
}
