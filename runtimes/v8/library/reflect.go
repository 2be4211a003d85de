package library

import (
	"slices"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// Functions of Reflect, of Symbol, of weak collections, and newer ones of Object.
func init() {
	key := func(m *ecma.Machine, args []ecma.Value) ecma.Key { return m.Key(ecma.Arg(args, 1)) }
	register(map[string]ecma.Builtin{
		"Reflect.get": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			receiver := ecma.Arg(args, 0)
			if len(args) > 2 {
				receiver = args[2]
			}
			return m.GetFrom(args[0], key(m, args), receiver)
		},
		"Reflect.has": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return m.Has(ecma.Arg(args, 0), key(m, args))
		},
		"Reflect.set": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			m.Set(ecma.Arg(args, 0), key(m, args), ecma.Arg(args, 2))
			return true
		},
		"Reflect.deleteProperty": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			m.Delete(ecma.Arg(args, 0), key(m, args))
			return true
		},
		"Reflect.defineProperty": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			m.DefineOwn(ecma.Arg(args, 0), key(m, args), ecma.DescribedBy(m, ecma.Arg(args, 2)))
			return true
		},
		"Reflect.construct": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			target := ecma.Arg(args, 0)
			if len(args) > 2 {
				target = args[2]
			}
			return ecma.ConstructFor(m, args[0], ecma.ElementsOf(m, ecma.Arg(args, 1)), target)
		},
		"Reflect.setPrototypeOf": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			setPrototype(m, nil, args)
			return true
		},
		"Reflect.isExtensible":      extensible,
		"Reflect.preventExtensions": func(*ecma.Machine, ecma.Value, []ecma.Value) ecma.Value { return true },
		"Object.isExtensible":       extensible,
		"Object.isFrozen":           frozen,
		"Object.isSealed":           frozen,
		"Object.groupBy": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			o := &ecma.Object{Proto: ecma.Null{}}
			eachGroup(m, args, func(k ecma.Value, x ecma.Value) {
				name := m.Key(k)
				if o.Props[name] == nil {
					o.Set(name, ecma.Array())
				}
				list := o.Props[name].Value.(*ecma.Object)
				list.List = append(list.List, x)
			})
			return o
		},
		"Map.groupBy": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			o := NewMap(m, nil).(*ecma.Object)
			eachGroup(m, args, func(k ecma.Value, x ecma.Value) {
				i := o.Collection.Find(m, k)
				if i < 0 {
					o.Collection.Set(m, k, ecma.Array())
					i = len(o.Collection.Entries) - 1
				}
				list := o.Collection.Entries[i].Value.(*ecma.Object)
				list.List = append(list.List, x)
			})
			return o
		},
		"Object.getOwnPropertyDescriptors": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			o := &ecma.Object{}
			for _, k := range m.OwnKeys(ecma.Arg(args, 0)) {
				o.Set(k, descriptor(m, nil, []ecma.Value{args[0], ecma.KeyValue(k)}))
			}
			return o
		},
		"Object.prototype.toLocaleString": func(m *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			return m.Text(this)
		},
		"Symbol": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			if ecma.Arg(args, 0) == nil {
				return &ecma.Symbol{}
			}
			return &ecma.Symbol{Description: m.Text(args[0]), Named: true}
		},
		"Symbol.for": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return registered(m, m.Text(ecma.Arg(args, 0)))
		},
		"Symbol.prototype.valueOf": func(_ *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			if o, ok := this.(*ecma.Object); ok {
				return o.Boxed
			}
			return this
		},
		"Symbol.prototype[Symbol.toPrimitive]": func(_ *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			return this
		},
	})
	weak("WeakMap", true)
	weak("WeakSet", false)
	constructors["WeakRef"] = func(m *ecma.Machine, args []ecma.Value) ecma.Value {
		return &ecma.Object{Proto: ecma.PrototypeNamed(m, "WeakRef"), Boxed: ecma.Arg(args, 0)}
	}
	intrinsics["WeakRef.prototype.deref"] = func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
		switch x := this.(type) {
		case *ecma.Object:
			return x.Boxed
		case ecma.Heap:
			t, ok := m.Reader.Field(layout.Tagged(x), m.Reader.Layout.JSWeakRef.Target)
			if ok && m.Kind(x) == object.KindWeakRef {
				if t == layout.ClearedWeak {
					return nil
				}
				return m.Word(t)
			}
		}
		m.Throw("Receiver is not a WeakRef")
		return nil
	}
}

// registered is the symbol of Symbol.for: one of the heap that has the description, if a function of the program
// refers to it, is not looked for.
func registered(m *ecma.Machine, name string) ecma.Value {
	if m.Registry == nil {
		m.Registry = map[string]*ecma.Symbol{}
	}
	if m.Registry[name] == nil {
		m.Registry[name] = &ecma.Symbol{Description: name, Named: true}
	}
	return m.Registry[name]
}

// weak makes the functions of weak collections. collections.go has the functions for the heap's.
func weak(class string, pairs bool) {
	constructors[class] = func(m *ecma.Machine, args []ecma.Value) ecma.Value {
		o := &ecma.Object{Proto: ecma.PrototypeNamed(m, class), Collection: &ecma.Collection{IsMap: pairs, Weak: true}}
		if v := ecma.Arg(args, 0); !ecma.IsNullish(v) {
			for _, e := range m.Iterate(v) {
				if pairs {
					o.Collection.Set(m, m.Get(e, ecma.Key{Name: "0"}), m.Get(e, ecma.Key{Name: "1"}))
				} else {
					o.Collection.Set(m, e, e)
				}
			}
		}
		return o
	}
	prototype, strong := class+".prototype.", class[len("Weak"):]+".prototype."
	for _, name := range []string{"has", "get", "set", "add", "delete"} {
		ofHeap, code := intrinsics[prototype+name], intrinsics[strong+name]
		intrinsics[prototype+name] = func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			if _, made := this.(*ecma.Object); made {
				return code(m, this, args)
			}
			if ofHeap == nil {
				m.Fail("a %s of the program is not changed", class)
			}
			return ofHeap(m, this, args)
		}
	}
}

func eachGroup(m *ecma.Machine, args []ecma.Value, add func(k, x ecma.Value)) {
	for i, x := range m.Iterate(ecma.Arg(args, 0)) {
		add(m.Call(ecma.Arg(args, 1), nil, []ecma.Value{x, float64(i)}), x)
	}
}

func extensible(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	o, ok := ecma.Arg(args, 0).(*ecma.Object)
	return m.IsObject(ecma.Arg(args, 0)) && (!ok || !o.Frozen)
}

func frozen(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	switch o := ecma.Arg(args, 0).(type) {
	case *ecma.Object:
		return o.Frozen
	case ecma.Heap:
		if m.IsObject(o) {
			m.Fail("whether an object of the program is frozen is not known")
		}
	}
	return true
}

// Functions of arrays of ES2019 and later, and others.
func init() {
	changed := func(name string) ecma.Builtin { // of a copy
		return func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			out := ecma.Array(slices.Clone(ecma.ElementsOf(m, this))...)
			intrinsics["Array.prototype."+name](m, out, args)
			return out
		}
	}
	register(map[string]ecma.Builtin{
		"Array.prototype.toSorted":   changed("sort"),
		"Array.prototype.toReversed": changed("reverse"),
		"Array.prototype.toSpliced":  changed("splice"),
		"Array.prototype.with": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			out := ecma.Array(slices.Clone(ecma.ElementsOf(m, this))...)
			i := m.Integer(ecma.Arg(args, 0))
			if i < 0 {
				i += len(out.List)
			}
			if i < 0 || i >= len(out.List) {
				m.ThrowAs("RangeError", "Invalid index : %d", m.Integer(ecma.Arg(args, 0)))
			}
			out.List[i] = ecma.Arg(args, 1)
			return out
		},
		"Array.prototype.splice": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			o := writableArray(m, this)
			from := relativeIndex(m, ecma.Arg(args, 0), len(o.List))
			n := len(o.List) - from
			if len(args) > 1 {
				n = min(max(m.Integer(args[1]), 0), n)
			} else if len(args) == 0 {
				n = 0
			}
			out := ecma.Array(slices.Clone(o.List[from : from+n])...)
			o.List = slices.Concat(o.List[:from], args[min(2, len(args)):], o.List[from+n:])
			m.Spend(len(o.List))
			return out
		},
		"Array.prototype.fill": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			o := writableArray(m, this)
			from, to := spanOf(m, args[min(1, len(args)):], len(o.List))
			for i := from; i < to; i++ {
				o.List[i] = ecma.Arg(args, 0)
			}
			return o
		},
		"Array.prototype.copyWithin": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			o := writableArray(m, this)
			from, to := spanOf(m, args[min(1, len(args)):], len(o.List))
			copy(o.List[relativeIndex(m, ecma.Arg(args, 0), len(o.List)):], slices.Clone(o.List[from:to]))
			return o
		},
		"Array.prototype.keys": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			var list []ecma.Value
			for i := range ecma.ElementsOf(m, this) {
				list = append(list, float64(i))
			}
			return iteratorOver(m, "Array Iterator", list)
		},
		"Array.prototype.flatMap": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			out := intrinsics["Array.prototype.map"](m, this, args)
			return intrinsics["Array.prototype.flat"](m, out, nil)
		},
		"Array.prototype.reduceRight": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			list := ecma.ElementsOf(m, this)
			n := len(list)
			sum := ecma.Arg(args, 1)
			if len(args) < 2 {
				if n == 0 {
					m.Throw("Reduce of empty array with no initial value")
				}
				n--
				sum = list[n]
			}
			for i := n - 1; i >= 0; i-- {
				sum = m.Call(ecma.Arg(args, 0), nil, []ecma.Value{sum, list[i], float64(i), this})
			}
			return sum
		},
		"Array.prototype.lastIndexOf": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			list := ecma.ElementsOf(m, this)
			for i := len(list) - 1; i >= 0; i-- {
				if m.Step(); ecma.StrictEqual(list[i], ecma.Arg(args, 0)) {
					return float64(i)
				}
			}
			return -1.0
		},
		"Array.prototype.findLast":      last(func(_ int, x ecma.Value) ecma.Value { return x }, nil),
		"Array.prototype.findLastIndex": last(func(i int, _ ecma.Value) ecma.Value { return float64(i) }, -1.0),
		"Array.prototype.toLocaleString": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			return joinList(m, this, nil)
		},
		"Array.fromAsync": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return runAsync(m, func(co *coroutine) ecma.Value {
				out := ecma.Array()
				EachLoop(m, co, ecma.Arg(args, 0), true, func(x ecma.Value) bool {
					if ecma.Arg(args, 1) != nil {
						x = co.Wait(ecma.Awaiting{Value: m.Call(args[1], nil, []ecma.Value{x, float64(len(out.List))})})
					}
					out.List = append(out.List, x)
					return len(out.List) < ecma.MaxItems
				})
				return out
			})
		},
	})
	intrinsics["Array.prototype[Symbol.iterator]"] = intrinsics["Array.prototype.values"]
	intrinsics["Map.prototype[Symbol.iterator]"] = intrinsics["Map.prototype.entries"]
	intrinsics["Set.prototype[Symbol.iterator]"] = intrinsics["Set.prototype.values"]
	intrinsics["String.prototype[Symbol.iterator]"] = func(m *ecma.Machine, this ecma.Value,
		_ []ecma.Value) ecma.Value {
		return iteratorOver(m, "String Iterator", m.Iterate(m.Text(this)))
	}
}

// last makes findLast and findLastIndex.
func last(found func(i int, x ecma.Value) ecma.Value, none ecma.Value) ecma.Builtin {
	return func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
		list := ecma.ElementsOf(m, this)
		for i := len(list) - 1; i >= 0; i-- {
			if ecma.Truthy(m.Call(ecma.Arg(args, 0), ecma.Arg(args, 1), []ecma.Value{list[i], float64(i), this})) {
				return found(i, list[i])
			}
		}
		return none
	}
}

// sortBy sorts values as Array.prototype.sort does: by a function, else by their texts. undefined is last.
func sortBy(m *ecma.Machine, list []ecma.Value, by ecma.Value) {
	m.Spend(len(list))
	texts := map[int][]uint16{}
	order := make([]int, len(list))
	for i := range list {
		if order[i] = i; by == nil && list[i] != nil {
			texts[i] = ecma.Units(m.Text(list[i]))
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		m.Step()
		switch a, b := list[i], list[j]; {
		case a == nil && b == nil:
			return 0
		case a == nil:
			return 1
		case b == nil:
			return -1
		case by == nil:
			return slices.Compare(texts[i], texts[j])
		default:
			switch f := m.Number(m.Call(by, nil, []ecma.Value{a, b})); {
			case f < 0:
				return -1
			case f > 0:
				return 1
			}
			return 0
		}
	})
	sorted := make([]ecma.Value, len(list))
	for i, from := range order {
		sorted[i] = list[from]
	}
	copy(list, sorted)
}
