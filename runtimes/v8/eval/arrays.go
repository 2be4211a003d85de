package eval

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

func isArray(m *Machine, v Value) bool {
	if target, _, ok := proxyParts(m, v); ok {
		return isArray(m, target)
	}
	switch x := v.(type) {
	case *Object:
		return x.Array
	case Heap:
		return m.IsObject(x) && m.kind(x) == object.KindArray
	}
	return false
}

// writableArray is an array that may be written: one that was made.
func writableArray(m *Machine, v Value) *Object {
	if h, heap := v.(Heap); heap && isArray(m, h) {
		return changedArray(m, h)
	}
	o, ok := v.(*Object)
	if !ok || !o.Array {
		m.Throw("%s is not an array", shownValue(m, v))
	}
	if o.frozen {
		m.Throw("Cannot add property %d, object is not extensible", len(o.List))
	}
	return o
}

// changedArray is the copy of an array of the heap that is written instead of it.
func changedArray(m *Machine, h Heap) *Object {
	t := layout.Tagged(h)
	if m.arrays[t] == nil {
		if m.arrays == nil {
			m.arrays = map[layout.Tagged]*Object{}
		}
		m.arrays[t] = &Object{Proto: m.prototype(h), Array: true, List: slices.Clone(elementsOf(m, h))}
	}
	return m.arrays[t]
}

// spanOf is the part of n elements that two arguments mean.
func spanOf(m *Machine, args []Value, n int) (from, to int) {
	to = n
	if arg(args, 1) != nil {
		to = relativeIndex(m, args[1], n)
	}
	from = relativeIndex(m, arg(args, 0), n)
	return from, max(to, from)
}

// relativeIndex is an index, which counts from the end if it is negative.
func relativeIndex(m *Machine, v Value, n int) int {
	i := m.integer(v)
	if i < 0 {
		return max(n+i, 0)
	}
	return min(i, n)
}

// eachResult calls the function that is the first argument for each element, until yield is false.
func eachResult(m *Machine, this Value, args []Value, yield func(i int, x, result Value) bool) {
	for i, x := range elementsOf(m, this) {
		if !yield(i, x, m.call(arg(args, 0), arg(args, 1), []Value{x, float64(i), this})) {
			return
		}
	}
}

func init() {
	register(map[string]builtin{
		"Array.isArray": func(m *Machine, _ Value, args []Value) Value { return isArray(m, arg(args, 0)) },
		"Array.of":      func(_ *Machine, _ Value, args []Value) Value { return array(args...) },
		"Array.from": func(m *Machine, _ Value, args []Value) Value {
			from := arg(args, 0)
			var list []Value
			if k, _ := m.wellKnown("iterator"); m.get(from, k) != nil {
				list = m.iterate(from)
			} else {
				list = elementsOf(m, from)
			}
			out := array(slices.Clone(list)...)
			if fn := arg(args, 1); fn != nil {
				for i, x := range out.List {
					out.List[i] = m.call(fn, nil, []Value{x, float64(i)})
				}
			}
			return out
		},
		"Array.prototype.join": func(m *Machine, this Value, args []Value) Value {
			return joinList(m, this,
				arg(args, 0))
		},
		"Array.prototype.toString": func(m *Machine, this Value, _ []Value) Value { return joinList(m, this, nil) },
		"Array.prototype.push": func(m *Machine, this Value, args []Value) Value {
			o := writableArray(m, this)
			if o.List = append(o.List, args...); len(o.List) > maxItems {
				m.Fail("an array is too long")
			}
			return float64(len(o.List))
		},
		"Array.prototype.unshift": func(m *Machine, this Value, args []Value) Value {
			o := writableArray(m, this)
			m.spend(len(o.List))
			if o.List = slices.Concat(args, o.List); len(o.List) > maxItems {
				m.Fail("an array is too long")
			}
			return float64(len(o.List))
		},
		"Array.prototype.pop": func(m *Machine, this Value, _ []Value) Value {
			o := writableArray(m, this)
			n := len(o.List) - 1
			if n < 0 {
				return nil
			}
			v := o.List[n]
			o.List = o.List[:n]
			return v
		},
		"Array.prototype.shift": func(m *Machine, this Value, _ []Value) Value {
			o := writableArray(m, this)
			if len(o.List) == 0 {
				return nil
			}
			v := o.List[0]
			o.List = o.List[1:]
			return v
		},
		"Array.prototype.slice": func(m *Machine, this Value, args []Value) Value {
			list := elementsOf(m, this)
			from, to := spanOf(m, args, len(list))
			return array(slices.Clone(list[from:to])...)
		},
		"Array.prototype.concat": func(m *Machine, this Value, args []Value) Value {
			out := array(slices.Clone(elementsOf(m, this))...)
			for _, a := range args {
				if isArray(m, a) {
					out.List = append(out.List, elementsOf(m, a)...)
				} else {
					out.List = append(out.List, a)
				}
			}
			m.spend(len(out.List))
			return out
		},
		"Array.prototype.reverse": func(m *Machine, this Value, _ []Value) Value {
			slices.Reverse(writableArray(m, this).List)
			return this
		},
	})
}

// Functions of arrays that call a function for each element.
func init() {
	register(map[string]builtin{
		"Array.prototype.map": func(m *Machine, this Value, args []Value) Value {
			out := array()
			eachResult(m, this, args, func(_ int, _, r Value) bool { out.List = append(out.List, r); return true })
			return out
		},
		"Array.prototype.filter": func(m *Machine, this Value, args []Value) Value {
			out := array()
			eachResult(m, this, args, func(_ int, x, r Value) bool {
				if truthy(r) {
					out.List = append(out.List, x)
				}
				return true
			})
			return out
		},
		"Array.prototype.forEach": func(m *Machine, this Value, args []Value) Value {
			eachResult(m, this, args, func(int, Value, Value) bool { return true })
			return nil
		},
		"Array.prototype.some": func(m *Machine, this Value, args []Value) Value {
			found := false
			eachResult(m, this, args, func(_ int, _, r Value) bool { found = truthy(r); return !found })
			return found
		},
		"Array.prototype.every": func(m *Machine, this Value, args []Value) Value {
			all := true
			eachResult(m, this, args, func(_ int, _, r Value) bool { all = truthy(r); return all })
			return all
		},
		"Array.prototype.find": func(m *Machine, this Value, args []Value) Value {
			var found Value
			eachResult(m, this, args, func(_ int, x, r Value) bool {
				if truthy(r) {
					found = x
				}
				return !truthy(r)
			})
			return found
		},
		"Array.prototype.findIndex": func(m *Machine, this Value, args []Value) Value {
			found := -1.0
			eachResult(m, this, args, func(i int, _, r Value) bool {
				if truthy(r) {
					found = float64(i)
				}
				return !truthy(r)
			})
			return found
		},
		"Array.prototype.reduce": func(m *Machine, this Value, args []Value) Value {
			list := elementsOf(m, this)
			from := 0
			sum := arg(args, 1)
			if len(args) < 2 {
				if len(list) == 0 {
					m.Throw("Reduce of empty array with no initial value")
				}
				sum, from = list[0], 1
			}
			for i := from; i < len(list); i++ {
				sum = m.call(arg(args, 0), nil, []Value{sum, list[i], float64(i), this})
			}
			return sum
		},
		"Array.prototype.indexOf": func(m *Machine, this Value, args []Value) Value {
			m.spend(len(elementsOf(m, this)))
			return float64(slices.IndexFunc(elementsOf(m, this),
				func(x Value) bool { return strictEqual(x, arg(args, 0)) }))
		},
		"Array.prototype.includes": func(m *Machine, this Value, args []Value) Value {
			m.spend(len(elementsOf(m, this)))
			return slices.ContainsFunc(elementsOf(m, this), func(x Value) bool { return sameZero(x, arg(args, 0)) })
		},
		"Array.prototype.at": func(m *Machine, this Value, args []Value) Value {
			list := elementsOf(m, this)
			i := m.integer(arg(args, 0))
			if i < 0 {
				i += len(list)
			}
			if i < 0 {
				return nil
			}
			return arg(list, i)
		},
		"Array.prototype.flat": func(m *Machine, this Value, args []Value) Value {
			depth := 1
			if arg(args, 0) != nil {
				depth = m.integer(args[0])
			}
			out := array()
			flatten(m, out, this, min(depth, maxCalls))
			return out
		},
		"Array.prototype.sort": func(m *Machine, this Value, args []Value) Value {
			o := writableArray(m, this)
			sortBy(m, o.List, arg(args, 0))
			return o
		},
		"Array.prototype.values": func(m *Machine, this Value,
			_ []Value) Value {
			return iteratorOver(m, "Array Iterator", elementsOf(m, this))
		},
		"Array.prototype.entries": func(m *Machine, this Value, _ []Value) Value {
			var list []Value
			for i, x := range elementsOf(m, this) {
				list = append(list, array(float64(i), x))
			}
			return iteratorOver(m, "Array Iterator", list)
		},
	})
}

// flatten appends the elements of an array, and of arrays in it up to a depth.
func flatten(m *Machine, out *Object, v Value, depth int) {
	for _, x := range elementsOf(m, v) {
		m.step()
		if depth > 0 && isArray(m, x) {
			flatten(m, out, x, depth-1)
		} else {
			out.List = append(out.List, x)
		}
	}
}

func joinList(m *Machine, this, separator Value) Value {
	sep := ","
	if separator != nil {
		sep = m.text(separator)
	}
	var parts []string
	total := 0
	for _, x := range elementsOf(m, this) {
		m.step()
		s := ""
		if !isNullish(x) {
			s = m.text(x)
		}
		if total += len(s) + len(sep); total > m.longest {
			m.Fail("a string is too long")
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, sep)
}
