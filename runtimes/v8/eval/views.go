package eval

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// typedOf is a typed array: its class, as "Uint8Array", and its elements.
func typedOf(m *Machine, v Value) (class string, list []Value, ok bool) {
	switch x := v.(type) {
	case *Object:
		if x.Typed != "" {
			return x.Typed, x.List, true
		}
	case Heap:
		if !m.IsObject(x) || m.kind(x) != object.KindTypedArray {
			return "", nil, false
		}
		view, err := m.reader.View(layout.Tagged(x))
		size := object.ElementSizes[view.ElementType]
		if err != nil || size == 0 {
			m.Fail("a typed array cannot be read: %v", err)
		}
		if view.Length > maxItems {
			m.Fail("a typed array is too long")
		}
		data, err := core.ReadBytes(m.reader.Space, view.Data, view.Length)
		if err != nil {
			m.Fail("a typed array cannot be read: %w", err)
		}
		for i := 0; (i+1)*size <= len(data); i++ {
			m.step()
			if f, digits := m.reader.TypedElement(view.ElementType, data[i*size:]); digits != "" {
				list = append(list, BigInt(digits))
			} else {
				list = append(list, f)
			}
		}
		if a := m.above[layout.Tagged(x)]; a != nil { // elements that were written
			for i := range list {
				if p := a.Props[m.key(float64(i))]; p != nil {
					list[i] = p.Value
				}
			}
		}
		return view.ElementType, list, true
	}
	return "", nil, false
}

// thisTyped is this of a function of typed arrays.
func thisTyped(m *Machine, v Value) (class string, list []Value) {
	class, list, ok := typedOf(m, v)
	if !ok {
		m.Throw("this is not a typed array.")
	}
	return class, list
}

// newTyped makes a typed array, of the class of another one.
func newTyped(m *Machine, class string, list []Value, like Value) *Object {
	o := &Object{Typed: class, List: make([]Value, len(list))}
	m.spend(len(list) / 8)
	for i, x := range list {
		o.List[i] = elementOf(m, class, x)
	}
	if like != nil {
		if p := m.prototype(like); m.IsObject(p) {
			o.Proto = p
		}
		if b, ok := like.(*Object); ok {
			o.Buffer = b.Buffer
		}
	}
	return o
}

// elementOf converts a value to an element of a class of typed arrays.
func elementOf(m *Machine, class string, v Value) Value {
	if strings.HasPrefix(class, "Big") {
		b := toBigInt(m, v).(BigInt)
		return wrapped(class == "BigInt64Array")(m, nil, []Value{64.0, b})
	}
	f := m.number(v)
	integer := func(bits int, signed bool) Value {
		if f != f || math.IsInf(f, 0) {
			return 0.0
		}
		n, _ := new(big.Float).SetFloat64(math.Trunc(f)).Int(nil)
		size := new(big.Int).Lsh(big.NewInt(1), uint(bits))
		n.Mod(n, size)
		if signed && n.Bit(bits-1) == 1 {
			n.Sub(n, size)
		}
		r, _ := new(big.Float).SetInt(n).Float64()
		return r
	}
	switch class {
	case "Uint8Array":
		return integer(8, false)
	case "Int8Array":
		return integer(8, true)
	case "Uint8ClampedArray":
		if f != f {
			return 0.0
		}
		return math.RoundToEven(min(max(f, 0), 255))
	case "Uint16Array":
		return integer(16, false)
	case "Int16Array":
		return integer(16, true)
	case "Uint32Array":
		return integer(32, false)
	case "Int32Array":
		return integer(32, true)
	case "Float32Array":
		return float64(float32(f))
	}
	return f
}

// typedFrom returns a constructor of typed arrays.
func typedFrom(class string) func(m *Machine, args []Value) Value {
	return func(m *Machine, args []Value) Value {
		var list []Value
		switch x := arg(args, 0); {
		case x == nil:
		case !m.IsObject(x):
			n := m.number(x)
			if n < 0 || n > maxItems || n != math.Trunc(n) {
				m.throwAs("RangeError", "Invalid typed array length: %s", m.text(x))
			}
			list = make([]Value, int(n))
			zero := Value(0.0)
			if strings.HasPrefix(class, "Big") {
				zero = BigInt("0")
			}
			for i := range list {
				list[i] = zero
			}
		default:
			if h, ok := x.(Heap); ok && (m.kind(h) == object.KindArrayBuffer || m.kind(h) == object.KindSharedBuffer) {
				list = overBuffer(m, class, h, args)
				break
			}
			if k, _ := m.wellKnown("iterator"); m.get(x, k) != nil {
				list = m.iterate(x)
			} else {
				list = elementsOf(m, x)
			}
		}
		return newTyped(m, class, list, nil)
	}
}

// overBuffer are the elements that a typed array over an ArrayBuffer of the heap has.
func overBuffer(m *Machine, class string, h Heap, args []Value) (list []Value) {
	b, err := m.reader.ArrayBuffer(layout.Tagged(h))
	if err != nil {
		m.Fail("an ArrayBuffer cannot be read: %w", err)
	}
	size := object.ElementSizes[class]
	from, n := m.integer(arg(args, 1)), int(min(b.Length, maxItems*8))
	if from < 0 || from > n || size == 0 {
		m.throwAs("RangeError", "Start offset %d is outside the bounds of the buffer", from)
	}
	data, err := core.ReadBytes(m.reader.Space, b.Data.Add(int64(from)), uint64(n-from))
	if err != nil {
		m.Fail("an ArrayBuffer cannot be read: %w", err)
	}
	most := len(data) / size
	if arg(args, 2) != nil {
		most = min(most, m.integer(args[2]))
	}
	for i := range min(most, maxItems) {
		m.step()
		f, digits := m.reader.TypedElement(class, data[i*size:])
		if digits != "" {
			list = append(list, BigInt(digits))
			continue
		}
		list = append(list, f)
	}
	return list
}

// typedClasses are the classes of typed arrays.
var typedClasses = []string{"Uint8Array", "Int8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array",
	"Uint32Array", "Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"}

// likeArray are functions that typed arrays share with arrays. The ones with true return a typed array.
var likeArray = map[string]bool{"join": false, "indexOf": false, "lastIndexOf": false, "includes": false, "at": false,
	"forEach": false, "some": false, "every": false, "find": false, "findIndex": false, "findLast": false,
	"findLastIndex": false, "reduce": false, "reduceRight": false, "entries": false, "values": false, "keys": false,
	"toString": false, "toLocaleString": false,
	"map": true, "filter": true, "slice": true, "toReversed": true, "with": true}

func init() {
	typedElement = elementOf
	for _, class := range typedClasses {
		constructors[class] = typedFrom(class)
		register(map[string]builtin{class: func(m *Machine, _ Value, _ []Value) Value {
			m.Throw("Constructor %s requires 'new'", class)
			return nil
		}})
	}
	from := func(m *Machine, this Value, args []Value) Value {
		list := intrinsics["Array.from"](m, nil, args)
		return constructFor(m, this, []Value{list}, this)
	}
	register(map[string]builtin{
		"TypedArray.from": from,
		"Atomics.load": func(m *Machine, _ Value, args []Value) Value {
			return m.get(arg(args, 0), m.key(arg(args, 1)))
		},
		"TypedArray.of": func(m *Machine, this Value, args []Value) Value {
			return constructFor(m, this, []Value{array(args...)}, this)
		},
		"get TypedArray.prototype[Symbol.toStringTag]": func(m *Machine, this Value, _ []Value) Value {
			if class, _, ok := typedOf(m, this); ok {
				return class
			}
			return nil
		},
		"get TypedArray.prototype.length": func(m *Machine, this Value, _ []Value) Value {
			_, list := thisTyped(m, this)
			return float64(len(list))
		},
		"get TypedArray.prototype.byteLength": func(m *Machine, this Value, _ []Value) Value {
			class, list := thisTyped(m, this)
			return float64(len(list) * object.ElementSizes[class])
		},
		"get TypedArray.prototype.byteOffset": func(m *Machine, this Value, _ []Value) Value {
			if h, ok := this.(Heap); ok && m.kind(h) == object.KindTypedArray {
				view, _ := m.reader.View(layout.Tagged(h))
				return float64(view.ByteOffset)
			}
			return 0.0
		},
		"get TypedArray.prototype.buffer": func(m *Machine, this Value, _ []Value) Value {
			if h, ok := this.(Heap); ok && m.kind(h) == object.KindTypedArray {
				view, err := m.reader.View(layout.Tagged(h))
				if err != nil {
					m.Fail("%w", err)
				}
				return Heap(view.Buffer)
			}
			m.Fail("a typed array that was made has no buffer")
			return nil
		},
		"get ArrayBuffer.prototype.byteLength": func(m *Machine, this Value, _ []Value) Value {
			h, ok := this.(Heap)
			if !ok || m.kind(h) != object.KindArrayBuffer {
				m.Throw("Receiver is not an ArrayBuffer")
			}
			b, err := m.reader.ArrayBuffer(layout.Tagged(h))
			if err != nil {
				m.Fail("%w", err)
			}
			return float64(b.Length)
		},
		"TypedArray.prototype.subarray": func(m *Machine, this Value, args []Value) Value {
			class, list := thisTyped(m, this)
			from, to := spanOf(m, args, len(list))
			return newTyped(m, class, list[from:to], this)
		},
		"TypedArray.prototype.toSorted": func(m *Machine, this Value, args []Value) Value {
			class, list := thisTyped(m, this)
			o := newTyped(m, class, list, this)
			sortTyped(m, o, args)
			return o
		},
		"TypedArray.prototype.sort": func(m *Machine, this Value, args []Value) Value {
			o, ok := this.(*Object)
			if !ok {
				class, list := thisTyped(m, this)
				o = newTyped(m, class, list, this)
			}
			sortTyped(m, o, args)
			return o
		},
		"TypedArray.prototype.set": func(m *Machine, this Value, args []Value) Value {
			at := m.integer(arg(args, 1))
			for i, x := range elementsOf(m, arg(args, 0)) {
				m.set(this, m.key(float64(at+i)), x)
			}
			return nil
		},
		"TypedArray.prototype.fill": func(m *Machine, this Value, args []Value) Value {
			_, list := thisTyped(m, this)
			from, to := spanOf(m, args[min(1, len(args)):], len(list))
			for i := from; i < to; i++ {
				m.set(this, m.key(float64(i)), arg(args, 0))
			}
			return this
		},
	})
	for name, typed := range likeArray {
		intrinsics["TypedArray.prototype."+name] = func(m *Machine, this Value, args []Value) Value {
			class, list := thisTyped(m, this)
			v := intrinsics["Array.prototype."+name](m, array(slices.Clone(list)...), args)
			if o, ok := v.(*Object); ok && typed {
				return newTyped(m, class, o.List, this)
			}
			return v
		}
	}
	intrinsics["TypedArray.prototype[Symbol.iterator]"] = intrinsics["TypedArray.prototype.values"]
}

// sortTyped sorts a typed array: by its numbers, if no function compares them.
func sortTyped(m *Machine, o *Object, args []Value) {
	if arg(args, 0) != nil {
		sortBy(m, o.List, args[0])
		return
	}
	slices.SortStableFunc(o.List, func(a, b Value) int {
		m.step()
		sign, ok := bigCompare(m, a, b)
		if !ok && m.typeOf(a) == "number" && m.number(a) == m.number(a) {
			return -1 // NaN is last
		}
		return sign
	})
}
