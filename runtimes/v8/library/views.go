package library

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// typedOf is a typed array: its class, as "Uint8Array", and its elements.
func typedOf(m *ecma.Machine, v ecma.Value) (class string, list []ecma.Value, ok bool) {
	switch x := v.(type) {
	case *ecma.Object:
		if x.Typed != "" {
			return x.Typed, x.List, true
		}
	case ecma.Heap:
		if !m.IsObject(x) || m.Kind(x) != object.KindTypedArray {
			return "", nil, false
		}
		view, err := m.Reader.View(layout.Tagged(x))
		size := object.ElementSizes[view.ElementType]
		if err != nil || size == 0 {
			m.Fail("a typed array cannot be read: %v", err)
		}
		if view.Length > ecma.MaxItems {
			m.Fail("a typed array is too long")
		}
		data, err := core.ReadBytes(m.Reader.Space, view.Data, view.Length)
		if err != nil {
			m.Fail("a typed array cannot be read: %w", err)
		}
		for i := 0; (i+1)*size <= len(data); i++ {
			m.Step()
			if f, digits := m.Reader.TypedElement(view.ElementType, data[i*size:]); digits != "" {
				list = append(list, ecma.BigInt(digits))
			} else {
				list = append(list, f)
			}
		}
		if a := m.Above[layout.Tagged(x)]; a != nil { // elements that were written
			for i := range list {
				if p := a.Props[m.Key(float64(i))]; p != nil {
					list[i] = p.Value
				}
			}
		}
		return view.ElementType, list, true
	}
	return "", nil, false
}

// thisTyped is this of a function of typed arrays.
func thisTyped(m *ecma.Machine, v ecma.Value) (class string, list []ecma.Value) {
	class, list, ok := typedOf(m, v)
	if !ok {
		m.Throw("this is not a typed array.")
	}
	return class, list
}

// newTyped makes a typed array, of the class of another one.
func newTyped(m *ecma.Machine, class string, list []ecma.Value, like ecma.Value) *ecma.Object {
	o := &ecma.Object{Typed: class, List: make([]ecma.Value, len(list))}
	m.Spend(len(list) / 8)
	for i, x := range list {
		o.List[i] = elementOf(m, class, x)
	}
	if like != nil {
		if p := m.Prototype(like); m.IsObject(p) {
			o.Proto = p
		}
		if b, ok := like.(*ecma.Object); ok {
			o.Buffer = b.Buffer
		}
	}
	return o
}

// elementOf converts a value to an element of a class of typed arrays.
func elementOf(m *ecma.Machine, class string, v ecma.Value) ecma.Value {
	if strings.HasPrefix(class, "Big") {
		b := toBigInt(m, v).(ecma.BigInt)
		return wrapped(class == "BigInt64Array")(m, nil, []ecma.Value{64.0, b})
	}
	f := m.Number(v)
	integer := func(bits int, signed bool) ecma.Value {
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
func typedFrom(class string) func(m *ecma.Machine, args []ecma.Value) ecma.Value {
	return func(m *ecma.Machine, args []ecma.Value) ecma.Value {
		var list []ecma.Value
		switch x := ecma.Arg(args, 0); {
		case x == nil:
		case !m.IsObject(x):
			n := m.Number(x)
			if n < 0 || n > ecma.MaxItems || n != math.Trunc(n) {
				m.ThrowAs("RangeError", "Invalid typed array length: %s", m.Text(x))
			}
			list = make([]ecma.Value, int(n))
			zero := ecma.Value(0.0)
			if strings.HasPrefix(class, "Big") {
				zero = ecma.BigInt("0")
			}
			for i := range list {
				list[i] = zero
			}
		default:
			if h, ok := x.(ecma.Heap); ok && (m.Kind(h) == object.KindArrayBuffer ||
				m.Kind(h) == object.KindSharedBuffer) {
				list = overBuffer(m, class, h, args)
				break
			}
			if k, _ := m.WellKnown("iterator"); m.Get(x, k) != nil {
				list = m.Iterate(x)
			} else {
				list = ecma.ElementsOf(m, x)
			}
		}
		return newTyped(m, class, list, nil)
	}
}

// overBuffer are the elements that a typed array over an ArrayBuffer of the heap has.
func overBuffer(m *ecma.Machine, class string, h ecma.Heap, args []ecma.Value) (list []ecma.Value) {
	b, err := m.Reader.ArrayBuffer(layout.Tagged(h))
	if err != nil {
		m.Fail("an ArrayBuffer cannot be read: %w", err)
	}
	size := object.ElementSizes[class]
	from, n := m.Integer(ecma.Arg(args, 1)), int(min(b.Length, ecma.MaxItems*8))
	if from < 0 || from > n || size == 0 {
		m.ThrowAs("RangeError", "Start offset %d is outside the bounds of the buffer", from)
	}
	data, err := core.ReadBytes(m.Reader.Space, b.Data.Add(int64(from)), uint64(n-from))
	if err != nil {
		m.Fail("an ArrayBuffer cannot be read: %w", err)
	}
	most := len(data) / size
	if ecma.Arg(args, 2) != nil {
		most = min(most, m.Integer(args[2]))
	}
	for i := range min(most, ecma.MaxItems) {
		m.Step()
		f, digits := m.Reader.TypedElement(class, data[i*size:])
		if digits != "" {
			list = append(list, ecma.BigInt(digits))
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
	for _, class := range typedClasses {
		constructors[class] = typedFrom(class)
		register(map[string]ecma.Builtin{class: func(m *ecma.Machine, _ ecma.Value, _ []ecma.Value) ecma.Value {
			m.Throw("Constructor %s requires 'new'", class)
			return nil
		}})
	}
	from := func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
		list := intrinsics["Array.from"](m, nil, args)
		return ecma.ConstructFor(m, this, []ecma.Value{list}, this)
	}
	register(map[string]ecma.Builtin{
		"TypedArray.from": from,
		"Atomics.load": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return m.Get(ecma.Arg(args, 0), m.Key(ecma.Arg(args, 1)))
		},
		"TypedArray.of": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			return ecma.ConstructFor(m, this, []ecma.Value{ecma.Array(args...)}, this)
		},
		"get TypedArray.prototype[Symbol.toStringTag]": func(m *ecma.Machine, this ecma.Value,
			_ []ecma.Value) ecma.Value {
			if class, _, ok := typedOf(m, this); ok {
				return class
			}
			return nil
		},
		"get TypedArray.prototype.length": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			_, list := thisTyped(m, this)
			return float64(len(list))
		},
		"get TypedArray.prototype.byteLength": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			class, list := thisTyped(m, this)
			return float64(len(list) * object.ElementSizes[class])
		},
		"get TypedArray.prototype.byteOffset": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			if h, ok := this.(ecma.Heap); ok && m.Kind(h) == object.KindTypedArray {
				view, _ := m.Reader.View(layout.Tagged(h))
				return float64(view.ByteOffset)
			}
			return 0.0
		},
		"get TypedArray.prototype.buffer": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			if h, ok := this.(ecma.Heap); ok && m.Kind(h) == object.KindTypedArray {
				view, err := m.Reader.View(layout.Tagged(h))
				if err != nil {
					m.Fail("%w", err)
				}
				return ecma.Heap(view.Buffer)
			}
			m.Fail("a typed array that was made has no buffer")
			return nil
		},
		"get ArrayBuffer.prototype.byteLength": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			h, ok := this.(ecma.Heap)
			if !ok || m.Kind(h) != object.KindArrayBuffer {
				m.Throw("Receiver is not an ArrayBuffer")
			}
			b, err := m.Reader.ArrayBuffer(layout.Tagged(h))
			if err != nil {
				m.Fail("%w", err)
			}
			return float64(b.Length)
		},
		"TypedArray.prototype.subarray": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			class, list := thisTyped(m, this)
			from, to := spanOf(m, args, len(list))
			return newTyped(m, class, list[from:to], this)
		},
		"TypedArray.prototype.toSorted": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			class, list := thisTyped(m, this)
			o := newTyped(m, class, list, this)
			sortTyped(m, o, args)
			return o
		},
		"TypedArray.prototype.sort": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			o, ok := this.(*ecma.Object)
			if !ok {
				class, list := thisTyped(m, this)
				o = newTyped(m, class, list, this)
			}
			sortTyped(m, o, args)
			return o
		},
		"TypedArray.prototype.set": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			at := m.Integer(ecma.Arg(args, 1))
			for i, x := range ecma.ElementsOf(m, ecma.Arg(args, 0)) {
				m.Set(this, m.Key(float64(at+i)), x)
			}
			return nil
		},
		"TypedArray.prototype.fill": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			_, list := thisTyped(m, this)
			from, to := spanOf(m, args[min(1, len(args)):], len(list))
			for i := from; i < to; i++ {
				m.Set(this, m.Key(float64(i)), ecma.Arg(args, 0))
			}
			return this
		},
	})
	for name, typed := range likeArray {
		intrinsics["TypedArray.prototype."+name] = func(m *ecma.Machine, this ecma.Value,
			args []ecma.Value) ecma.Value {
			class, list := thisTyped(m, this)
			v := intrinsics["Array.prototype."+name](m, ecma.Array(slices.Clone(list)...), args)
			if o, ok := v.(*ecma.Object); ok && typed {
				return newTyped(m, class, o.List, this)
			}
			return v
		}
	}
	intrinsics["TypedArray.prototype[Symbol.iterator]"] = intrinsics["TypedArray.prototype.values"]
}

// sortTyped sorts a typed array: by its numbers, if no function compares them.
func sortTyped(m *ecma.Machine, o *ecma.Object, args []ecma.Value) {
	if ecma.Arg(args, 0) != nil {
		sortBy(m, o.List, args[0])
		return
	}
	slices.SortStableFunc(o.List, func(a, b ecma.Value) int {
		m.Step()
		sign, ok := BigCompare(m, a, b)
		if !ok && m.TypeOf(a) == "number" && m.Number(a) == m.Number(a) {
			return -1 // NaN is last
		}
		return sign
	})
}
