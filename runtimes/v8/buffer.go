package v8

import (
	"fmt"
	"math"

	"coredbg/core"
)

// maxBufferBytes bounds the bytes of one buffer: JSArrayBuffer::kMaxByteLength.
const maxBufferBytes = 1 << 53

func (b *inspector) buffer(x *Value) {
	v := b.v
	if v.fallbackClass(x.Word) == "SharedArrayBuffer" {
		x.Kind = KindSharedBuffer
	}
	data, n, err := v.ArrayBuffer(x.Word)
	if err != nil {
		x.fail(err)
		return
	}
	x.Length = n
	if !x.Opened {
		return
	}
	if x.Bytes, err = core.ReadBytes(v.space, data, min(n, uint64(b.o.MaxArray))); err != nil {
		x.fail(err)
	}
}

// ArrayBuffer returns where the bytes of a JSArrayBuffer lie, and how many
// there are. A detached one has none.
func (v *V8) ArrayBuffer(o Tagged) (data core.Addr, n uint64, err error) {
	if !v.typeNamed(o, "JS_ARRAY_BUFFER") {
		return 0, 0, fmt.Errorf("v8: %v is no ArrayBuffer", core.Addr(o))
	}
	l := &v.layout.JSArrayBuffer
	n, ok1 := v.word(o.Addr().Add(int64(l.ByteLength)))
	p, ok2 := v.word(o.Addr().Add(int64(l.BackingStore)))
	if !ok1 || !ok2 {
		return 0, 0, v.fault(o, l.BackingStore)
	}
	if n > maxBufferBytes {
		return 0, 0, fmt.Errorf("corrupt: ArrayBuffer %v of %#x bytes", core.Addr(o), n)
	}
	return core.Addr(p), n, nil
}

// A View is a typed array, a Buffer or a DataView.
type View struct {
	Buffer             Tagged // its ArrayBuffer
	Data               core.Addr
	ByteOffset, Length uint64 // bytes
	ElementType        string // "" of a DataView
}

// View returns what a typed array or DataView looks at.
func (v *V8) View(o Tagged) (View, error) {
	l := &v.layout.JSArrayBufferView
	if !v.typeNamed(o, "TYPED_ARRAY") && !v.typeNamed(o, "DATA_VIEW") {
		return View{}, fmt.Errorf("v8: %v is no typed array", core.Addr(o))
	}
	var w View
	var ok1, ok2 bool
	w.ByteOffset, ok1 = v.word(o.Addr().Add(int64(l.ByteOffset)))
	w.Length, ok2 = v.word(o.Addr().Add(int64(l.ByteLength)))
	if !ok1 || !ok2 {
		return w, v.fault(o, l.ByteLength)
	}
	// The buffer stands in front, behind a word for the embedder in V8 13.
	for _, off := range []int{24, 32} {
		if t, ok := v.field(o, off); ok && v.typeNamed(t, "JS_ARRAY_BUFFER") {
			w.Buffer = t
			break
		}
	}
	if w.Buffer == 0 {
		return w, fmt.Errorf("corrupt: view %v has no buffer", core.Addr(o))
	}
	start, n, err := v.ArrayBuffer(w.Buffer)
	if err != nil {
		return w, err
	}
	if v.typeNamed(o, "DATA_VIEW") {
		w.Data = start + core.Addr(w.ByteOffset)
	} else {
		t := &v.layout.JSTypedArray
		w.ElementType = v.elementType(o)
		holder := o
		if t.InElements == 1 {
			holder, _ = v.field(o, v.layout.JSObject.Elements)
		}
		external, ok1 := v.word(holder.Addr().Add(int64(t.ExternalPointer)))
		base, ok2 := v.field(holder, t.BasePointer)
		if !ok1 || !ok2 {
			return w, v.fault(holder, t.BasePointer)
		}
		w.Data = core.Addr(external)
		if base.IsHeap() {
			w.Data += core.Addr(base)
			return w, v.checkView(o, w)
		}
	}
	if w.ByteOffset+w.Length > n {
		// Detached, or shrunk: out of bounds, which reads as empty.
		w.Length = 0
	}
	return w, v.checkView(o, w)
}

func (v *V8) checkView(o Tagged, w View) error {
	if w.Length > maxBufferBytes {
		return fmt.Errorf("corrupt: view %v of %#x bytes", core.Addr(o), w.Length)
	}
	return nil
}

func (b *inspector) view(x *Value, s *shape) {
	v := b.v
	w, err := v.View(x.Word)
	x.ElementType, x.ByteOffset, x.Length = w.ElementType, w.ByteOffset, w.Length
	x.Tag = w.ElementType
	if err != nil {
		x.fail(err)
		return
	}
	if x.Kind == KindDataView {
		x.Tag = "DataView"
		x.Inner = b.shallowBuffer(w.Buffer)
		return
	}
	size := elementSizes[w.ElementType]
	if size == 0 {
		x.fail(fmt.Errorf("corrupt: typed array %v of unknown type", core.Addr(x.Word)))
		return
	}
	x.Inner = b.shallowBuffer(w.Buffer)
	x.Length = w.Length / uint64(size)
	if !x.Opened {
		return
	}
	n := min(x.Length, uint64(b.o.MaxArray))
	data, err := core.ReadBytes(v.space, w.Data, n*uint64(size))
	if err != nil {
		x.fail(err)
	}
	x.Bytes = data
	for i := 0; (i+1)*size <= len(data); i++ {
		x.Elements = append(x.Elements, Member{IsIndex: true, Index: uint64(i), Enumerable: true,
			Value: v.typedElement(w.ElementType, data[i*size:])})
	}
	x.MoreElements = int(x.Length - uint64(len(x.Elements)))
}

// shallowBuffer decodes a view's buffer without its bytes.
func (b *inspector) shallowBuffer(t Tagged) *Value {
	s, err := b.v.shape(t)
	if err != nil {
		return corrupt(t, "corrupt: %w", err)
	}
	x := &Value{Kind: KindArrayBuffer, Word: t}
	c := b.v.classOf(t)
	x.Class, x.NullProto, x.Tag = c.name, c.none, c.tag
	b.properties(x, s, c, 0)
	b.buffer(x)
	return x
}

func (v *V8) typedElement(typ string, p []byte) *Value {
	o := v.order
	number := func(f float64) *Value { return &Value{Kind: KindNumber, Number: f} }
	switch typ {
	case "Int8Array":
		return number(float64(int8(p[0])))
	case "Int16Array":
		return number(float64(int16(o.Uint16(p))))
	case "Uint16Array":
		return number(float64(o.Uint16(p)))
	case "Float16Array":
		return number(float16(o.Uint16(p)))
	case "Int32Array":
		return number(float64(int32(o.Uint32(p))))
	case "Uint32Array":
		return number(float64(o.Uint32(p)))
	case "Float32Array":
		return number(float64(math.Float32frombits(o.Uint32(p))))
	case "Float64Array":
		return number(math.Float64frombits(o.Uint64(p)))
	case "BigInt64Array":
		return &Value{Kind: KindBigInt, Text: fmt.Sprint(int64(o.Uint64(p)))}
	case "BigUint64Array":
		return &Value{Kind: KindBigInt, Text: fmt.Sprint(o.Uint64(p))}
	}
	return number(float64(p[0]))
}

// float16 widens an IEEE 754 half.
func float16(h uint16) float64 {
	sign, exp, frac := float64(1), int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 31:
		if frac != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}
