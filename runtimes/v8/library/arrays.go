package library

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// IsArray reports whether a value is an array, or a Proxy of one.
func IsArray(m *ecma.Machine, v ecma.Value) bool {
	if target, _, ok := ecma.ProxyParts(m, v); ok {
		return IsArray(m, target)
	}
	switch x := v.(type) {
	case *ecma.Object:
		return x.Array
	case ecma.Heap:
		return m.IsObject(x) && m.Kind(x) == object.KindArray
	}
	return false
}

// writableArray is an array that may be written: one that was made.
func writableArray(m *ecma.Machine, v ecma.Value) *ecma.Object {
	if h, heap := v.(ecma.Heap); heap && IsArray(m, h) {
		return changedArray(m, h)
	}
	o, ok := v.(*ecma.Object)
	if !ok || !o.Array {
		m.Throw("%s is not an array", ecma.ShownValue(m, v))
	}
	if o.Frozen {
		m.Throw("Cannot add property %d, object is not extensible", len(o.List))
	}
	return o
}

// changedArray is the copy of an array of the heap that is written instead of it.
func changedArray(m *ecma.Machine, h ecma.Heap) *ecma.Object {
	t := layout.Tagged(h)
	if m.Arrays[t] == nil {
		if m.Arrays == nil {
			m.Arrays = map[layout.Tagged]*ecma.Object{}
		}
		m.Arrays[t] = &ecma.Object{Proto: m.Prototype(h), Array: true, List: slices.Clone(ecma.ElementsOf(m, h))}
	}
	return m.Arrays[t]
}

// spanOf is the part of n elements that two arguments mean.
func spanOf(m *ecma.Machine, args []ecma.Value, n int) (from, to int) {
	to = n
	if ecma.Arg(args, 1) != nil {
		to = relativeIndex(m, args[1], n)
	}
	from = relativeIndex(m, ecma.Arg(args, 0), n)
	return from, max(to, from)
}

// relativeIndex is an index, which counts from the end if it is negative.
func relativeIndex(m *ecma.Machine, v ecma.Value, n int) int {
	i := m.Integer(v)
	if i < 0 {
		return max(n+i, 0)
	}
	return min(i, n)
}

// eachResult calls the function that is the first argument for each element, until yield is false.
func eachResult(m *ecma.Machine, this ecma.Value, args []ecma.Value, yield func(i int, x, result ecma.Value) bool) {
	for i, x := range ecma.ElementsOf(m, this) {
		if !yield(i, x, m.Call(ecma.Arg(args, 0), ecma.Arg(args, 1), []ecma.Value{x, float64(i), this})) {
			return
		}
	}
}

func init() {
	register(map[string]ecma.Builtin{
		"Array.isArray": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return IsArray(m, ecma.Arg(args, 0))
		},
		"Array.of": func(_ *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value { return ecma.Array(args...) },
		"Array.from": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			from := ecma.Arg(args, 0)
			var list []ecma.Value
			if k, _ := m.WellKnown("iterator"); m.Get(from, k) != nil {
				list = m.Iterate(from)
			} else {
				list = ecma.ElementsOf(m, from)
			}
			out := ecma.Array(slices.Clone(list)...)
			if fn := ecma.Arg(args, 1); fn != nil {
				for i, x := range out.List {
					out.List[i] = m.Call(fn, nil, []ecma.Value{x, float64(i)})
				}
			}
			return out
		},
		"Array.prototype.join": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			return joinList(m, this,
				ecma.Arg(args, 0))
		},
		"Array.prototype.toString": func(m *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			return joinList(m, this, nil)
		},
		"Array.prototype.push": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			o := writableArray(m, this)
			if o.List = append(o.List, args...); len(o.List) > ecma.MaxItems {
				m.Fail("an array is too long")
			}
			return float64(len(o.List))
		},
		"Array.prototype.unshift": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			o := writableArray(m, this)
			m.Spend(len(o.List))
			if o.List = slices.Concat(args, o.List); len(o.List) > ecma.MaxItems {
				m.Fail("an array is too long")
			}
			return float64(len(o.List))
		},
		"Array.prototype.pop": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			o := writableArray(m, this)
			n := len(o.List) - 1
			if n < 0 {
				return nil
			}
			v := o.List[n]
			o.List = o.List[:n]
			return v
		},
		"Array.prototype.shift": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			o := writableArray(m, this)
			if len(o.List) == 0 {
				return nil
			}
			v := o.List[0]
			o.List = o.List[1:]
			return v
		},
		"Array.prototype.slice": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			list := ecma.ElementsOf(m, this)
			from, to := spanOf(m, args, len(list))
			return ecma.Array(slices.Clone(list[from:to])...)
		},
		"Array.prototype.concat": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			out := ecma.Array(slices.Clone(ecma.ElementsOf(m, this))...)
			for _, a := range args {
				if IsArray(m, a) {
					out.List = append(out.List, ecma.ElementsOf(m, a)...)
				} else {
					out.List = append(out.List, a)
				}
			}
			m.Spend(len(out.List))
			return out
		},
		"Array.prototype.reverse": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			slices.Reverse(writableArray(m, this).List)
			return this
		},
	})
}

// Functions of arrays that call a function for each element.
func init() {
	register(map[string]ecma.Builtin{
		"Array.prototype.map": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			out := ecma.Array()
			eachResult(m, this, args, func(_ int, _, r ecma.Value) bool { out.List = append(out.List, r); return true })
			return out
		},
		"Array.prototype.filter": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			out := ecma.Array()
			eachResult(m, this, args, func(_ int, x, r ecma.Value) bool {
				if ecma.Truthy(r) {
					out.List = append(out.List, x)
				}
				return true
			})
			return out
		},
		"Array.prototype.forEach": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			eachResult(m, this, args, func(int, ecma.Value, ecma.Value) bool { return true })
			return nil
		},
		"Array.prototype.some": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			found := false
			eachResult(m, this, args, func(_ int, _, r ecma.Value) bool { found = ecma.Truthy(r); return !found })
			return found
		},
		"Array.prototype.every": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			all := true
			eachResult(m, this, args, func(_ int, _, r ecma.Value) bool { all = ecma.Truthy(r); return all })
			return all
		},
		"Array.prototype.find": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			var found ecma.Value
			eachResult(m, this, args, func(_ int, x, r ecma.Value) bool {
				if ecma.Truthy(r) {
					found = x
				}
				return !ecma.Truthy(r)
			})
			return found
		},
		"Array.prototype.findIndex": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			found := -1.0
			eachResult(m, this, args, func(i int, _, r ecma.Value) bool {
				if ecma.Truthy(r) {
					found = float64(i)
				}
				return !ecma.Truthy(r)
			})
			return found
		},
		"Array.prototype.reduce": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			list := ecma.ElementsOf(m, this)
			from := 0
			sum := ecma.Arg(args, 1)
			if len(args) < 2 {
				if len(list) == 0 {
					m.Throw("Reduce of empty array with no initial value")
				}
				sum, from = list[0], 1
			}
			for i := from; i < len(list); i++ {
				sum = m.Call(ecma.Arg(args, 0), nil, []ecma.Value{sum, list[i], float64(i), this})
			}
			return sum
		},
		"Array.prototype.indexOf": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			m.Spend(len(ecma.ElementsOf(m, this)))
			return float64(slices.IndexFunc(ecma.ElementsOf(m, this),
				func(x ecma.Value) bool { return ecma.StrictEqual(x, ecma.Arg(args, 0)) }))
		},
		"Array.prototype.includes": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			m.Spend(len(ecma.ElementsOf(m, this)))
			return slices.ContainsFunc(ecma.ElementsOf(m, this), func(x ecma.Value) bool {
				return ecma.SameZero(x,
					ecma.Arg(args, 0))
			})
		},
		"Array.prototype.at": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			list := ecma.ElementsOf(m, this)
			i := m.Integer(ecma.Arg(args, 0))
			if i < 0 {
				i += len(list)
			}
			if i < 0 {
				return nil
			}
			return ecma.Arg(list, i)
		},
		"Array.prototype.flat": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			depth := 1
			if ecma.Arg(args, 0) != nil {
				depth = m.Integer(args[0])
			}
			out := ecma.Array()
			flatten(m, out, this, min(depth, ecma.MaxCalls))
			return out
		},
		"Array.prototype.sort": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			o := writableArray(m, this)
			sortBy(m, o.List, ecma.Arg(args, 0))
			return o
		},
		"Array.prototype.values": func(m *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			return iteratorOver(m, "Array Iterator", ecma.ElementsOf(m, this))
		},
		"Array.prototype.entries": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			var list []ecma.Value
			for i, x := range ecma.ElementsOf(m, this) {
				list = append(list, ecma.Array(float64(i), x))
			}
			return iteratorOver(m, "Array Iterator", list)
		},
	})
}

// flatten appends the elements of an array, and of arrays in it up to a depth.
func flatten(m *ecma.Machine, out *ecma.Object, v ecma.Value, depth int) {
	for _, x := range ecma.ElementsOf(m, v) {
		m.Step()
		if depth > 0 && IsArray(m, x) {
			flatten(m, out, x, depth-1)
		} else {
			out.List = append(out.List, x)
		}
	}
}

func joinList(m *ecma.Machine, this, separator ecma.Value) ecma.Value {
	sep := ","
	if separator != nil {
		sep = m.Text(separator)
	}
	var parts []string
	total := 0
	for _, x := range ecma.ElementsOf(m, this) {
		m.Step()
		s := ""
		if !ecma.IsNullish(x) {
			s = m.Text(x)
		}
		if total += len(s) + len(sep); total > m.Longest {
			m.Fail("a string is too long")
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, sep)
}
