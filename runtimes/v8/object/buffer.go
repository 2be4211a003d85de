package object

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// maxBufferBytes bounds the bytes of one buffer: JSArrayBuffer::kMaxByteLength.
const maxBufferBytes = 1 << 53

// A Buffer is an ArrayBuffer or a SharedArrayBuffer.
type Buffer struct {
	Data     core.Addr
	Length   uint64 // bytes now
	Shared   bool
	Detached bool // its bytes went elsewhere
	// Resizable is set if Length may change, up to MaxLength.
	Resizable bool
	MaxLength uint64
}

// ArrayBuffer returns the address and the number of bytes of a JSArrayBuffer. A detached one has 0 bytes.
func (r *Members) ArrayBuffer(o layout.Tagged) (Buffer, error) {
	if !r.TypeNamed(o, "JS_ARRAY_BUFFER") {
		return Buffer{}, fmt.Errorf("v8: %v is not an ArrayBuffer", core.Addr(o))
	}
	l := &r.Layout.JSArrayBuffer
	flags, ok1 := r.U32Field(o, l.BitField)
	n, ok2 := r.SizeField(o, l.ByteLength)
	p, ok3 := r.SandboxedField(o, l.BackingStore)
	if !ok1 || !ok2 || !ok3 {
		return Buffer{}, r.Fault(o, l.BitField)
	}
	w := Buffer{Data: p, Length: n, MaxLength: n,
		Shared: flags&uint32(l.SharedMask) != 0, Detached: flags&uint32(l.DetachedMask) != 0}
	// is_resizable_by_js comes after is_shared (objects/js-array-buffer.tq @ 9.3 and 15.2).
	if l.MaxByteLength != layout.Unknown && flags&uint32(l.SharedMask<<1) != 0 {
		w.Resizable = true
		if w.MaxLength, ok1 = r.SizeField(o, l.MaxByteLength); !ok1 {
			return w, r.Fault(o, l.MaxByteLength)
		}
		if w.Shared {
			var err error
			if w.Length, err = r.storeLength(o, p); err != nil {
				return w, err
			}
		}
	}
	if w.Length > maxBufferBytes || w.MaxLength > maxBufferBytes {
		return w, fmt.Errorf("corrupt: ArrayBuffer %v of %#x bytes", core.Addr(o), max(w.Length, w.MaxLength))
	}
	return w, nil
}

// storeLength returns the length of a growable SharedArrayBuffer whose bytes
// begin at start. All threads share it, so it is in the BackingStore alone, to
// which the ArrayBufferExtension leads: its first word, or until V8 12 the
// second (objects/js-array-buffer.h, objects/backing-store.h).
func (r *Members) storeLength(o layout.Tagged, start core.Addr) (uint64, error) {
	l := &r.Layout.JSArrayBuffer
	if _, ok := r.U32Field(o, l.Extension); !ok {
		return 0, r.Fault(o, l.Extension)
	}
	for extension := range r.ExternalPointers(o, l.Extension) {
		for at := extension; at < extension+16; at += 8 {
			store, ok := r.Word(at)
			if !ok {
				break
			}
			// BackingStore: buffer_start_, byte_length_, max_byte_length_.
			if data, ok := r.Word(core.Addr(store)); !ok || core.Addr(data) != start {
				continue
			}
			if n, ok := r.Word(core.Addr(store) + 8); ok {
				return n, nil
			}
		}
	}
	if r.Compressed() { // the field has a handle
		return 0, fmt.Errorf("v8: the backing store of SharedArrayBuffer %v, which has its length, is reached by a handle whose table was not found", core.Addr(o))
	}
	return 0, fmt.Errorf("v8: the backing store of SharedArrayBuffer %v, which has its length, was not found",
		core.Addr(o))
}

// A View is a typed array, a Buffer or a DataView.
type View struct {
	Buffer             layout.Tagged // its ArrayBuffer
	Data               core.Addr
	ByteOffset, Length uint64 // bytes
	ElementType        string // "" of a DataView
	// OutOfBounds is set if the buffer is too short for the view, or
	// detached: the view has no bytes then.
	OutOfBounds bool
}

// View returns what a typed array or DataView looks at.
func (r *Members) View(o layout.Tagged) (View, error) {
	l := &r.Layout.JSArrayBufferView
	data := r.isDataView(o)
	if !data && !r.TypeNamed(o, "TYPED_ARRAY_TYPE") {
		return View{}, fmt.Errorf("v8: %v is not a typed array", core.Addr(o))
	}
	var w View
	var ok1, ok2 bool
	w.ByteOffset, ok1 = r.SizeField(o, l.ByteOffset)
	w.Length, ok2 = r.SizeField(o, l.ByteLength)
	if !ok1 || !ok2 {
		return w, r.Fault(o, l.ByteLength)
	}
	var ok bool
	if w.Buffer, ok = r.Field(o, l.Buffer); !ok || !r.TypeNamed(w.Buffer, "JS_ARRAY_BUFFER") {
		return w, fmt.Errorf("corrupt: view %v has no buffer", core.Addr(o))
	}
	buffer, err := r.ArrayBuffer(w.Buffer)
	if err != nil {
		return w, err
	}
	if !data {
		w.ElementType = r.elementType(o)
		onHeap, err := r.typedData(o, &w)
		if err != nil || onHeap {
			return w, errors.Join(err, r.checkView(o, w))
		}
	} else {
		w.Data = buffer.Data + core.Addr(w.ByteOffset)
	}
	if err := r.fitView(o, &w, buffer); err != nil {
		return w, err
	}
	return w, r.checkView(o, w)
}

// isDataView reports whether o is a DataView; one over a resizable buffer has a
// type of its own from V8 11 on, which not everything names.
func (r *Members) isDataView(o layout.Tagged) bool {
	if r.TypeNamed(o, "DATA_VIEW") || r.TypeNamed(o, "RAB_GSAB_DATA_VIEW") {
		return true
	}
	typ, ok := r.InstanceType(o)
	return ok && typ >= r.Types.FirstReceiver && r.Types.Names[typ] == "" && r.tagOf(o) == "DataView"
}

// typedData finds the elements of a typed array, and whether they are on the
// heap.
func (r *Members) typedData(o layout.Tagged, w *View) (onHeap bool, err error) {
	t := &r.Layout.JSTypedArray
	holder := o
	if t.InElements == 1 {
		holder, _ = r.Field(o, r.Layout.JSObject.Elements)
	}
	external, ok1 := r.SandboxedField(holder, t.ExternalPointer)
	base, ok2 := r.Field(holder, t.BasePointer)
	if !ok1 || !ok2 {
		return false, r.Fault(holder, t.BasePointer)
	}
	w.Data = external
	if base.IsHeap() {
		w.Data += r.onHeap(base)
	}
	return base.IsHeap(), nil
}

// onHeap returns the address to add to a view's pointer if
// its elements are on the heap: with compressed pointers that has the base of their cage
// (objects/js-array-buffer-inl.h: JSTypedArray::DataPtr).
func (r *Members) onHeap(base layout.Tagged) core.Addr {
	if r.Compressed() {
		return core.Addr(uint32(base))
	}
	return core.Addr(base)
}

// viewTracks is the bit of a view's flags that says its length is the rest of the buffer;
// objects/js-array-buffer.tq: JSArrayBufferViewFlags.
const viewTracks = 1 << 0

// fitView computes the length of a view over a buffer that may have changed
// since: JSTypedArray::GetVariableByteLengthOrOutOfBounds. A view that no
// longer fits has no bytes.
func (r *Members) fitView(o layout.Tagged, w *View, b Buffer) error {
	at := r.Layout.JSArrayBufferView.BitField
	if at == layout.Unknown && w.ElementType != "" {
		at = r.Layout.JSTypedArray.BitField
	}
	tracks := false
	if at != layout.Unknown && b.Resizable {
		flags, ok := r.U32Field(o, at)
		if !ok {
			return r.Fault(o, at)
		}
		tracks = flags&viewTracks != 0
	}
	switch {
	case b.Detached, w.ByteOffset > b.Length, !tracks && w.Length > b.Length-w.ByteOffset:
		w.OutOfBounds, w.ByteOffset, w.Length = true, 0, 0
	case tracks:
		w.Length = b.Length - w.ByteOffset
		if size := uint64(ElementSizes[w.ElementType]); size > 0 {
			w.Length -= w.Length % size
		}
	}
	return nil
}

func (r *Members) checkView(o layout.Tagged, w View) error {
	if w.Length > maxBufferBytes {
		return fmt.Errorf("corrupt: view %v of %#x bytes", core.Addr(o), w.Length)
	}
	return nil
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

// typedSlot returns an element of a typed array, if a double can hold it.
func (r *Members) typedSlot(w View, index uint64) (Slot, bool) {
	size := uint64(ElementSizes[w.ElementType])
	if size == 0 || index >= w.Length/size {
		return Slot{}, false
	}
	var b [8]byte
	if !r.Bytes(b[:size], w.Data+core.Addr(index*size)) {
		return Slot{}, false
	}
	f, digits := r.TypedElement(w.ElementType, b[:])
	if digits != "" {
		f, err := strconv.ParseFloat(digits, 64)
		return RawSlot(f), err == nil
	}
	return RawSlot(f), true
}

// TypedElement decodes an element of a typed array from the bytes at the start of
// p: a number, or the digits of a BigInt.
func (r *Members) TypedElement(typ string, p []byte) (f float64, digits string) {
	o := r.Order
	switch typ {
	case "Int8Array":
		return float64(int8(p[0])), ""
	case "Int16Array":
		return float64(int16(o.Uint16(p))), ""
	case "Uint16Array":
		return float64(o.Uint16(p)), ""
	case "Float16Array":
		return float16(o.Uint16(p)), ""
	case "Int32Array":
		return float64(int32(o.Uint32(p))), ""
	case "Uint32Array":
		return float64(o.Uint32(p)), ""
	case "Float32Array":
		return float64(math.Float32frombits(o.Uint32(p))), ""
	case "Float64Array":
		return math.Float64frombits(o.Uint64(p)), ""
	case "BigInt64Array":
		return 0, fmt.Sprint(int64(o.Uint64(p)))
	case "BigUint64Array":
		return 0, fmt.Sprint(o.Uint64(p))
	}
	return float64(p[0]), ""
}
