package eval

import (
	"slices"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// Functions of Reflect, of Symbol, of weak collections, and newer ones of Object.
func init() {
	key := func(m *Machine, args []Value) Key { return m.key(arg(args, 1)) }
	register(map[string]builtin{
		"Reflect.get": func(m *Machine, _ Value, args []Value) Value {
			receiver := arg(args, 0)
			if len(args) > 2 {
				receiver = args[2]
			}
			return m.getFrom(args[0], key(m, args), receiver)
		},
		"Reflect.has": func(m *Machine, _ Value, args []Value) Value { return m.has(arg(args, 0), key(m, args)) },
		"Reflect.set": func(m *Machine, _ Value, args []Value) Value {
			m.set(arg(args, 0), key(m, args), arg(args, 2))
			return true
		},
		"Reflect.deleteProperty": func(m *Machine, _ Value, args []Value) Value {
			m.delete(arg(args, 0), key(m, args))
			return true
		},
		"Reflect.defineProperty": func(m *Machine, _ Value, args []Value) Value {
			m.defineOwn(arg(args, 0), key(m, args), describedBy(m, arg(args, 2)))
			return true
		},
		"Reflect.construct": func(m *Machine, _ Value, args []Value) Value {
			target := arg(args, 0)
			if len(args) > 2 {
				target = args[2]
			}
			return constructFor(m, args[0], elementsOf(m, arg(args, 1)), target)
		},
		"Reflect.setPrototypeOf": func(m *Machine, _ Value, args []Value) Value {
			setPrototype(m, nil, args)
			return true
		},
		"Reflect.isExtensible":      extensible,
		"Reflect.preventExtensions": func(*Machine, Value, []Value) Value { return true },
		"Object.isExtensible":       extensible,
		"Object.isFrozen":           frozen,
		"Object.isSealed":           frozen,
		"Object.groupBy": func(m *Machine, _ Value, args []Value) Value {
			o := &Object{Proto: Null{}}
			eachGroup(m, args, func(k Value, x Value) {
				name := m.key(k)
				if o.Props[name] == nil {
					o.Set(name, array())
				}
				list := o.Props[name].Value.(*Object)
				list.List = append(list.List, x)
			})
			return o
		},
		"Map.groupBy": func(m *Machine, _ Value, args []Value) Value {
			o := newMap(m, nil).(*Object)
			eachGroup(m, args, func(k Value, x Value) {
				i := o.Collection.find(m, k)
				if i < 0 {
					o.Collection.set(m, k, array())
					i = len(o.Collection.Entries) - 1
				}
				list := o.Collection.Entries[i].Value.(*Object)
				list.List = append(list.List, x)
			})
			return o
		},
		"Object.getOwnPropertyDescriptors": func(m *Machine, _ Value, args []Value) Value {
			o := &Object{}
			for _, k := range m.keys(arg(args, 0)) {
				o.Set(k, descriptor(m, nil, []Value{args[0], keyValue(k)}))
			}
			return o
		},
		"Object.prototype.toLocaleString": func(m *Machine, this Value, _ []Value) Value { return m.text(this) },
		"Symbol": func(m *Machine, _ Value, args []Value) Value {
			if arg(args, 0) == nil {
				return &Symbol{}
			}
			return &Symbol{Description: m.text(args[0]), named: true}
		},
		"Symbol.for": func(m *Machine, _ Value, args []Value) Value { return registered(m, m.text(arg(args, 0))) },
		"Symbol.prototype.valueOf": func(_ *Machine, this Value, _ []Value) Value {
			if o, ok := this.(*Object); ok {
				return o.Boxed
			}
			return this
		},
		"Symbol.prototype[Symbol.toPrimitive]": func(_ *Machine, this Value, _ []Value) Value { return this },
	})
	weak("WeakMap", true)
	weak("WeakSet", false)
	constructors["WeakRef"] = func(m *Machine, args []Value) Value {
		return &Object{Proto: prototypeNamed(m, "WeakRef"), Boxed: arg(args, 0)}
	}
	intrinsics["WeakRef.prototype.deref"] = func(m *Machine, this Value, _ []Value) Value {
		switch x := this.(type) {
		case *Object:
			return x.Boxed
		case Heap:
			t, ok := m.reader.Field(layout.Tagged(x), m.reader.Layout.JSWeakRef.Target)
			if ok && m.kind(x) == object.KindWeakRef {
				if t == layout.ClearedWeak {
					return nil
				}
				return m.word(t)
			}
		}
		m.Throw("Receiver is not a WeakRef")
		return nil
	}
}

// registered is the symbol of Symbol.for: one of the heap that has the description, if a function of the program
// refers to it, is not looked for.
func registered(m *Machine, name string) Value {
	if m.registry == nil {
		m.registry = map[string]*Symbol{}
	}
	if m.registry[name] == nil {
		m.registry[name] = &Symbol{Description: name, named: true}
	}
	return m.registry[name]
}

// weak makes the functions of weak collections. collections.go has the functions for the heap's.
func weak(class string, pairs bool) {
	constructors[class] = func(m *Machine, args []Value) Value {
		o := &Object{Proto: prototypeNamed(m, class), Collection: &Collection{IsMap: pairs, Weak: true}}
		if v := arg(args, 0); !isNullish(v) {
			for _, e := range m.iterate(v) {
				if pairs {
					o.Collection.set(m, m.get(e, Key{Name: "0"}), m.get(e, Key{Name: "1"}))
				} else {
					o.Collection.set(m, e, e)
				}
			}
		}
		return o
	}
	prototype, strong := class+".prototype.", class[len("Weak"):]+".prototype."
	for _, name := range []string{"has", "get", "set", "add", "delete"} {
		ofHeap, code := intrinsics[prototype+name], intrinsics[strong+name]
		intrinsics[prototype+name] = func(m *Machine, this Value, args []Value) Value {
			if _, made := this.(*Object); made {
				return code(m, this, args)
			}
			if ofHeap == nil {
				m.Fail("a %s of the program is not changed", class)
			}
			return ofHeap(m, this, args)
		}
	}
}

func eachGroup(m *Machine, args []Value, add func(k, x Value)) {
	for i, x := range m.iterate(arg(args, 0)) {
		add(m.call(arg(args, 1), nil, []Value{x, float64(i)}), x)
	}
}

func extensible(m *Machine, _ Value, args []Value) Value {
	o, ok := arg(args, 0).(*Object)
	return m.IsObject(arg(args, 0)) && (!ok || !o.frozen)
}

func frozen(m *Machine, _ Value, args []Value) Value {
	switch o := arg(args, 0).(type) {
	case *Object:
		return o.frozen
	case Heap:
		if m.IsObject(o) {
			m.Fail("whether an object of the program is frozen is not known")
		}
	}
	return true
}

// Functions of arrays of ES2019 and later, and others.
func init() {
	changed := func(name string) builtin { // of a copy
		return func(m *Machine, this Value, args []Value) Value {
			out := array(slices.Clone(elementsOf(m, this))...)
			intrinsics["Array.prototype."+name](m, out, args)
			return out
		}
	}
	register(map[string]builtin{
		"Array.prototype.toSorted":   changed("sort"),
		"Array.prototype.toReversed": changed("reverse"),
		"Array.prototype.toSpliced":  changed("splice"),
		"Array.prototype.with": func(m *Machine, this Value, args []Value) Value {
			out := array(slices.Clone(elementsOf(m, this))...)
			i := m.integer(arg(args, 0))
			if i < 0 {
				i += len(out.List)
			}
			if i < 0 || i >= len(out.List) {
				m.throwAs("RangeError", "Invalid index : %d", m.integer(arg(args, 0)))
			}
			out.List[i] = arg(args, 1)
			return out
		},
		"Array.prototype.splice": func(m *Machine, this Value, args []Value) Value {
			o := writableArray(m, this)
			from := relativeIndex(m, arg(args, 0), len(o.List))
			n := len(o.List) - from
			if len(args) > 1 {
				n = min(max(m.integer(args[1]), 0), n)
			} else if len(args) == 0 {
				n = 0
			}
			out := array(slices.Clone(o.List[from : from+n])...)
			o.List = slices.Concat(o.List[:from], args[min(2, len(args)):], o.List[from+n:])
			m.spend(len(o.List))
			return out
		},
		"Array.prototype.fill": func(m *Machine, this Value, args []Value) Value {
			o := writableArray(m, this)
			from, to := spanOf(m, args[min(1, len(args)):], len(o.List))
			for i := from; i < to; i++ {
				o.List[i] = arg(args, 0)
			}
			return o
		},
		"Array.prototype.copyWithin": func(m *Machine, this Value, args []Value) Value {
			o := writableArray(m, this)
			from, to := spanOf(m, args[min(1, len(args)):], len(o.List))
			copy(o.List[relativeIndex(m, arg(args, 0), len(o.List)):], slices.Clone(o.List[from:to]))
			return o
		},
		"Array.prototype.keys": func(m *Machine, this Value, _ []Value) Value {
			var list []Value
			for i := range elementsOf(m, this) {
				list = append(list, float64(i))
			}
			return iteratorOver(m, "Array Iterator", list)
		},
		"Array.prototype.flatMap": func(m *Machine, this Value, args []Value) Value {
			out := intrinsics["Array.prototype.map"](m, this, args)
			return intrinsics["Array.prototype.flat"](m, out, nil)
		},
		"Array.prototype.reduceRight": func(m *Machine, this Value, args []Value) Value {
			list := elementsOf(m, this)
			n := len(list)
			sum := arg(args, 1)
			if len(args) < 2 {
				if n == 0 {
					m.Throw("Reduce of empty array with no initial value")
				}
				n--
				sum = list[n]
			}
			for i := n - 1; i >= 0; i-- {
				sum = m.call(arg(args, 0), nil, []Value{sum, list[i], float64(i), this})
			}
			return sum
		},
		"Array.prototype.lastIndexOf": func(m *Machine, this Value, args []Value) Value {
			list := elementsOf(m, this)
			for i := len(list) - 1; i >= 0; i-- {
				if m.step(); strictEqual(list[i], arg(args, 0)) {
					return float64(i)
				}
			}
			return -1.0
		},
		"Array.prototype.findLast":      last(func(_ int, x Value) Value { return x }, nil),
		"Array.prototype.findLastIndex": last(func(i int, _ Value) Value { return float64(i) }, -1.0),
		"Array.prototype.toLocaleString": func(m *Machine, this Value, _ []Value) Value {
			return joinList(m, this, nil)
		},
		"Array.fromAsync": func(m *Machine, _ Value, args []Value) Value {
			return runAsync(m, func(co *coroutine) Value {
				out := array()
				f := frame{&scope{heap: &outer{}}, &activation{coroutine: co}}
				eachLoop(m, f, arg(args, 0), true, func(x Value) bool {
					if arg(args, 1) != nil {
						x = co.wait(awaiting{m.call(args[1], nil, []Value{x, float64(len(out.List))})})
					}
					out.List = append(out.List, x)
					return len(out.List) < maxItems
				})
				return out
			})
		},
	})
	intrinsics["Array.prototype[Symbol.iterator]"] = intrinsics["Array.prototype.values"]
	intrinsics["Map.prototype[Symbol.iterator]"] = intrinsics["Map.prototype.entries"]
	intrinsics["Set.prototype[Symbol.iterator]"] = intrinsics["Set.prototype.values"]
	intrinsics["String.prototype[Symbol.iterator]"] = func(m *Machine, this Value, _ []Value) Value {
		return iteratorOver(m, "String Iterator", m.iterate(m.text(this)))
	}
}

// last makes findLast and findLastIndex.
func last(found func(i int, x Value) Value, none Value) builtin {
	return func(m *Machine, this Value, args []Value) Value {
		list := elementsOf(m, this)
		for i := len(list) - 1; i >= 0; i-- {
			if truthy(m.call(arg(args, 0), arg(args, 1), []Value{list[i], float64(i), this})) {
				return found(i, list[i])
			}
		}
		return none
	}
}

// sortBy sorts values as Array.prototype.sort does: by a function, else by their texts. undefined is last.
func sortBy(m *Machine, list []Value, by Value) {
	m.spend(len(list))
	texts := map[int][]uint16{}
	order := make([]int, len(list))
	for i := range list {
		if order[i] = i; by == nil && list[i] != nil {
			texts[i] = units(m.text(list[i]))
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		m.step()
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
			switch f := m.number(m.call(by, nil, []Value{a, b})); {
			case f < 0:
				return -1
			case f > 0:
				return 1
			}
			return 0
		}
	})
	sorted := make([]Value, len(list))
	for i, from := range order {
		sorted[i] = list[from]
	}
	copy(list, sorted)
}
