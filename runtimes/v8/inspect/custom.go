package inspect

import (
	"math"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// maxSteps bounds what the functions of all values of a tree may do.
const maxSteps = 1 << 22

// custom runs the object's function [util.inspect.custom], if it has one: formatValue of
// lib/internal/util/inspect.js. It returns nil where there is none, where it returns the
// object itself, and where it cannot be run.
func (b *tree) custom(t layout.Tagged, depth int) *Value {
	fn := b.customOf(t)
	if fn == 0 || b.v.objects.IsUtilInspect(fn) {
		return nil
	}
	// Prototypes are objects of the class to no method of it.
	if c, ok := b.v.objects.OwnProperty(t, "constructor"); ok {
		if p, ok := b.v.objects.FunctionPrototype(c.Value); ok && p == t {
			return nil
		}
	}
	if b.machine != nil && !b.typed {
		return b.customValue(b.machine, ecma.Heap(fn), ecma.Heap(t), depth)
	}
	var x *Value
	_, err := b.v.engine.Call(&host{b.v, &b.steps}, &b.steps, func(m *ecma.Machine) ecma.Value {
		inner := *b
		inner.machine, inner.typed = m, false
		x = inner.customValue(m, ecma.Heap(fn), ecma.Heap(t), depth)
		b.left = inner.left
		return nil
	})
	if err != nil {
		return nil
	}
	return x
}

// customValue returns the result of the function fn for an object: a text, or another value.
func (b *tree) customValue(m *ecma.Machine, fn, o ecma.Value, depth int) *Value {
	var left ecma.Value = float64(b.o.Depth - depth)
	if b.o.Depth >= maxDepth {
		left = ecma.Null{}
	}
	context := layout.Tagged(0)
	if h, ok := fn.(ecma.Heap); ok {
		context = layout.Tagged(h)
	}
	result := m.Call(fn, o, []ecma.Value{left, b.userOptions(m, context),
		m.Native("inspect", func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			args = append(args, nil, nil)
			return (&host{b.v, nil}).Inspect(m, args[0], args[1])
		})})
	if result == o {
		return nil
	}
	if s, ok := result.(string); ok {
		return &Value{Kind: object.KindCustom, Text: s}
	}
	return b.evaluated(m, result, depth)
}

// customOf finds the function [util.inspect.custom] of an object. For a typed array it skips
// Buffer.prototype's, because formatter.buffer writes buffers.
func (b *tree) customOf(t layout.Tagged) layout.Tagged {
	r := b.v.objects
	bytes := r.TypeNamed(t, "JS_TYPED_ARRAY_TYPE")
	for range object.MaxPrototypes {
		if !r.IsReceiver(t) || r.TypeNamed(t, "JS_PROXY_TYPE") {
			return 0
		}
		if fn, ok := b.v.customAt(t); ok {
			if c, ok := r.OwnProperty(t, "constructor"); ok && bytes && r.IsFunction(c.Value) &&
				r.FunctionNameOf(c.Value) == "Buffer" {
				return 0
			}
			return fn
		}
		t = r.PrototypeOf(t)
	}
	return 0
}

// customAt returns the own property [util.inspect.custom] of an object, if it has one: 0 where
// that is no function. Whether it has one its map says, unless it is in dictionary mode.
func (r *Inspector) customAt(t layout.Tagged) (fn layout.Tagged, found bool) {
	m, ok := r.MapOf(t)
	if !ok {
		return 0, false
	}
	if _, none := r.noCustom.Load(m); none {
		return 0, false
	}
	r.objects.EachProperty(t, func(p object.RawProperty) bool {
		if found = r.Is(p.Key, r.Types.Symbol) && r.objects.SymbolDescription(p.Key) == object.CustomInspect; found &&
			r.IsFunction(p.Value) {
			fn = p.Value
		}
		return !found
	})
	if !found && !r.objects.Dictionary(t) {
		r.noCustom.Store(m, true)
	}
	return fn, found
}

// userOptions are the options that a function gets: getUserOptions.
func (b *tree) userOptions(m *ecma.Machine, fn layout.Tagged) *ecma.Object {
	o := m.NewObject(fn)
	set := func(name string, v ecma.Value) { o.Set(ecma.Key{Name: name}, v) }
	set("stylize", m.Native("stylize", func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		if len(args) == 0 {
			return "undefined"
		}
		return m.Text(args[0])
	}))
	set("showHidden", b.o.ShowHidden)
	set("depth", float64(b.o.Depth))
	if b.o.Depth >= maxDepth {
		set("depth", ecma.Null{})
	}
	set("colors", false)
	set("customInspect", true)
	set("showProxy", false)
	set("maxArrayLength", float64(b.o.MaxArray))
	set("maxStringLength", float64(b.o.MaxString))
	set("breakLength", 80.0)
	set("compact", 3.0)
	set("sorted", false)
	set("getters", false)
	set("numericSeparator", false)
	return o
}

// A host is util.inspect for functions that are run.
type host struct {
	v     *Inspector
	steps *int
}

// Inspect implements ecma.Host.
func (h *host) Inspect(m *ecma.Machine, x, options ecma.Value) string {
	o, width := h.options(m, options)
	b := &tree{v: h.v, o: o, left: max(o.MaxValues, 1), machine: m}
	v := b.evaluated(m, x, 0)
	return v.Format(FormatOptions{ShowHidden: o.ShowHidden, Exact: true, Width: width, Dialect: h.v.Dialect()})
}

// options reads the options of a call of util.inspect.
func (h *host) options(m *ecma.Machine, v ecma.Value) (o InspectOptions, width int) {
	o = DefaultInspect()
	if !m.IsObject(v) {
		if v != nil {
			m.Fail("options of the old kind are not known")
		}
		return o, 0
	}
	get := func(name string) (ecma.Value, bool) {
		k := ecma.Key{Name: name}
		_, own := m.Own(v, k)
		if !own {
			return nil, false
		}
		return m.Get(v, k), true
	}
	limit := func(name string, to *int, most int) {
		x, ok := get(name)
		if !ok {
			return
		}
		f, isNumber := x.(float64)
		if *to = most; isNumber && f < float64(most) {
			*to = max(int(f), -1)
		}
	}
	limit("depth", &o.Depth, maxDepth)
	limit("maxArrayLength", &o.MaxArray, maxValues)
	limit("maxStringLength", &o.MaxString, math.MaxInt32)
	limit("breakLength", &width, math.MaxInt32)
	if x, ok := get("showHidden"); ok {
		o.ShowHidden = x == true
	}
	if x, ok := get("customInspect"); ok {
		o.Custom = x != false
	}
	for _, name := range []string{"sorted", "getters", "numericSeparator"} {
		if x, ok := get(name); ok && x != false && x != nil {
			m.Fail("the option %s is not known", name)
		}
	}
	if x, ok := get("compact"); ok && x != 3.0 {
		m.Fail("other ways to compact are not known")
	}
	return o, width
}

// Native implements ecma.Host.
func (h *host) Native(m *ecma.Machine, fn layout.Tagged, this ecma.Value, args []ecma.Value) (ecma.Value, bool) {
	o, ok := this.(ecma.Heap)
	if _, made := this.(*ecma.Object); made {
		m.Throw("Illegal invocation") // it has no object of C++
	}
	if !ok {
		return nil, false
	}
	if h.v.functions == nil {
		return nil, false
	}
	v, ok := h.v.functions.Call(h.v.objects.FunctionNameOf(fn), layout.Tagged(o))
	switch list := v.(type) {
	case []string:
		array := &ecma.Object{Array: true}
		for _, s := range list {
			array.List = append(array.List, s)
		}
		return array, ok
	case [][2]float64: // the function sets entries of the Map that it is given
		if len(args) == 0 {
			return nil, false
		}
		for _, e := range list {
			m.SetEntry(args[0], e[0], e[1])
		}
		return nil, ok
	}
	return v, ok
}

// Answers implements ecma.Host.
func (h *host) Answers(o layout.Tagged) (names, values []string, err error, ok bool) {
	if h.v.functions == nil {
		return nil, nil, nil, false
	}
	return h.v.functions.Answers(o)
}
