package v8

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"coredbg/core"
)

// NativeContext follows the chain of contexts from o to the native one.
func (v *V8) NativeContext(o Tagged) (Tagged, error) {
	for range maxContexts {
		if !v.isContext(o) {
			break
		}
		n, _ := v.contextLength(o)
		if n > v.layout.Context.MinNative {
			return o, nil
		}
		next, ok := v.field(o, v.layout.Context.Previous)
		if !ok || !v.isContext(next) {
			// Since V8 9 a function context may end here; a slot in front of
			// its locals was the native context before.
			for off := 2; off < 4; off++ {
				if w, err := v.ContextSlot(o, off); err == nil && v.isNativeContext(w.Word) {
					return w.Word, nil
				}
			}
			break
		}
		o = next
	}
	return 0, fmt.Errorf("v8: %v leads to no native context", core.Addr(o))
}

func (v *V8) isNativeContext(o Tagged) bool {
	n, ok := v.contextLength(o)
	return ok && n > v.layout.Context.MinNative && v.isContext(o)
}

// GlobalObject returns the global object of a native context.
func (v *V8) GlobalObject(native Tagged) (Tagged, error) {
	g, ok := v.field(native, v.layout.Context.GlobalObject)
	if !ok || !v.is(g, v.types.jsGlobalObject) {
		return 0, fmt.Errorf("v8: native context %v has no global object", core.Addr(native))
	}
	return g, nil
}

// maxStackScan bounds the bytes of a stack that are searched for functions.
const maxStackScan = 1 << 20

// NativeContexts returns the native contexts that a thread works with, the
// nearest to the top of its stack first: those of the functions and contexts
// that words on the stack refer to.
func (v *V8) NativeContexts(ctx context.Context, t *core.Thread) []Tagged {
	var out []Tagged
	seen := map[Tagged]bool{}
	v.eachStackWord(ctx, t, func(w Tagged) {
		if seen[w] {
			return
		}
		seen[w] = true
		if n, ok := v.nativeOf(w); ok && !slices.Contains(out, n) {
			out = append(out, n)
		}
	})
	return out
}

// eachStackWord calls yield for the words of a thread's stack that could be
// references, from its top on.
func (v *V8) eachStackWord(ctx context.Context, t *core.Thread, yield func(Tagged)) {
	sp, ok := t.Regs.Get(v.process.Arch.SP)
	if !ok {
		return
	}
	data, _ := core.ReadBytes(v.space, core.Addr(sp)&^7, maxStackScan)
	for i := 0; i+8 <= len(data); i += 8 {
		if i&0xffff == 0 && ctx.Err() != nil {
			return
		}
		if w := Tagged(v.order.Uint64(data[i:])); w&3 == 1 {
			yield(w)
		}
	}
}

// nativeOf returns the native context of a function or a context.
func (v *V8) nativeOf(w Tagged) (Tagged, bool) {
	if v.isFunction(w) {
		c, ok := v.field(w, v.layout.JSFunction.Context)
		if !ok {
			return 0, false
		}
		w = c
	} else if !v.isContext(w) {
		return 0, false
	}
	n, err := v.NativeContext(w)
	if err != nil {
		return 0, false
	}
	_, err = v.GlobalObject(n)
	return n, err == nil
}

// errNoContext says that no realm was found.
var errNoContext = errors.New("v8: no thread's stack leads to a native context, and none was found on the heap")

// Realms returns the native contexts of the process: those that threads work
// with, in the order of threads, the current first; if there are none, those
// that a search of the memory finds.
func (v *V8) Realms(ctx context.Context, current *core.Thread) ([]Tagged, error) {
	var out []Tagged
	add := func(list []Tagged) {
		for _, n := range list {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	if current != nil {
		add(v.NativeContexts(ctx, current))
	}
	for _, t := range v.process.Threads {
		if t != current {
			add(v.NativeContexts(ctx, t))
		}
	}
	if len(out) == 0 {
		add(v.searchContexts(ctx))
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
func (v *V8) searchContexts(ctx context.Context) []Tagged {
	var out []Tagged
	maps := map[Tagged]bool{}
	for _, s := range v.space.Segments() {
		if s.Prot != core.Read|core.Write {
			continue
		}
		for at := s.Start.Align(chunkSize); at < s.End; at += chunkSize {
			if ctx.Err() != nil {
				return out
			}
			data, _ := v.space.Slice(at, int(min(chunkSize, uint64(s.End-at))))
			for i := 0; i+16 <= len(data); i += 8 {
				// A context's length follows its map.
				w := Tagged(v.order.Uint64(data[i+8:]))
				n := int(w.Smi()) & v.layout.Context.LengthMask
				if !w.IsSmi() || n <= v.layout.Context.MinNative || n > 2000 || uint32(w) != 0 {
					continue
				}
				m := Tagged(v.order.Uint64(data[i:]))
				if m&3 != 1 {
					continue
				}
				known, seen := maps[m]
				if !seen {
					known = v.isMap(m)
					maps[m] = known
				}
				o := tag(at + core.Addr(i))
				if !known || !v.isNativeContext(o) {
					continue
				}
				if _, err := v.GlobalObject(o); err == nil {
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// findGlobal finds a global as Global does, without its value where that has to be
// computed. Bindings of scripts are returned as properties too.
func (v *V8) findGlobal(native Tagged, name string) (g Tagged, p *Property, err error) {
	if g, err = v.GlobalObject(native); err != nil {
		return 0, nil, err
	}
	if name == "globalThis" || name == "global" {
		return g, &Property{Value: Slot{Word: g}}, nil
	}
	list, err := v.globalProperties(g)
	for i := range list {
		if p := &list[i]; v.nameIs(p.Key.Word, name) {
			return g, p, nil
		}
	}
	for _, c := range v.ScriptContexts(native) {
		for _, x := range c.Variables {
			if x.Name == name {
				return g, &Property{Value: x.Slot}, nil
			}
		}
	}
	if err == nil {
		err = fmt.Errorf("v8: no global is called %q", name)
	}
	return g, nil, err
}

// ScriptContexts returns the contexts that hold the top-level let, const and
// class bindings of scripts. The native context has them in a
// ScriptContextTable, an array that is found by its content: contexts behind
// one or two words.
func (v *V8) ScriptContexts(native Tagged) []*Context {
	n, ok := v.contextLength(native)
	if !ok {
		return nil
	}
	for i := range n {
		w, ok := v.field(native, v.layout.Context.Data+8*i)
		if !ok || !w.IsHeap() || w == native || v.isContext(w) {
			continue
		}
		if list := v.contextTable(w, native); len(list) > 0 {
			return list
		}
	}
	return nil
}

// contextTable decodes w as a ScriptContextTable (objects/contexts.h): a
// FixedArray whose first element is the number of contexts used, with a hash
// table of names behind it in later versions.
func (v *V8) contextTable(w, native Tagged) []*Context {
	n, ok := v.fixedLength(w)
	if typ, known := v.instanceType(w); !known || typ >= v.types.firstReceiver || !ok || n == 0 {
		return nil
	}
	var list []*Context
	for i := range min(n+2, 1<<16) {
		e, ok := v.wordAt(w, i)
		if !ok || !e.IsHeap() || !v.isContext(e) {
			if i > 2 {
				break
			}
			continue
		}
		p, _ := v.field(e, v.layout.Context.Previous)
		if e == native || p != native {
			return nil
		}
		c, err := v.Context(e)
		if c == nil || err != nil {
			return nil
		}
		list = append(list, c)
	}
	return list
}

// moduleOf returns the module of a namespace object, which lies behind the
// words for the embedder, if there are any.
func (v *V8) moduleOf(o Tagged) (Tagged, bool) {
	for _, off := range []int{0, 8} {
		m, ok := v.field(o, v.layout.JSModuleNamespace.Module+off)
		if !ok {
			continue
		}
		if v.typeNamed(m, "TEXT_MODULE") || v.typeNamed(m, "SYNTHETIC_MODULE") {
			return m, true
		}
		// A module refers back to its namespace; V8 7 does not name its type.
		if back, ok := v.field(m, v.layout.Module.Namespace); ok && back == o {
			return m, true
		}
	}
	return 0, false
}

// realmOf returns the native context that made the object o: that of the
// nearest constructor on its prototype chain.
func (v *V8) realmOf(o Tagged) (Tagged, bool) {
	var native Tagged
	v.prototypes(o, func(p Tagged) bool {
		if c, ok := v.ownProperty(p, "constructor"); ok && v.isFunction(c.value) {
			native, _ = v.nativeOf(c.value)
		}
		return native == 0
	})
	return native, native != 0
}

// globalOf returns the global object behind a global proxy: its prototype.
func (v *V8) globalOf(proxy Tagged) (Tagged, bool) {
	m, ok := v.mapOf(proxy)
	if !ok {
		return 0, false
	}
	g, ok := v.field(m, v.layout.Map.Prototype)
	return g, ok && v.is(g, v.types.jsGlobalObject)
}

// IsGlobal reports whether a slot holds the global object of a realm, or the proxy that
// stands for it.
func (v *V8) IsGlobal(s Slot) bool {
	return !s.Raw && (v.is(s.Word, v.types.jsGlobalProxy) || v.is(s.Word, v.types.jsGlobalObject))
}
