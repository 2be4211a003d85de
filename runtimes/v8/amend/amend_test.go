package amend

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/v8test"
)

// withFunctions returns a heap of V8 13.6 with some functions that the stack refers to.
func withFunctions(t *testing.T) (*v8test.Heap, []v8test.Function) {
	h := v8test.NewHeap(t, layout.V(13, 6))
	var list []v8test.Function
	words := map[int]uint64{}
	for i, name := range []string{"one", "two", "three", "four"} {
		f := h.Function(name)
		list = append(list, f)
		words[-16-8*i] = uint64(f.Closure)
	}
	h.Frame(words)
	h.Build.Thread(1, map[string]uint64{"rsp": v8test.StackBase})
	return h, list
}

// buildOf returns a build that has what was laid out.
func buildOf(h *v8test.Heap, functions []v8test.Function) *Build {
	v := &Build{Memory: h.Memory()}
	v.Objects = object.New(v.Memory, nil)
	v.Closures = func() (list []layout.Tagged) {
		for _, f := range functions {
			list = append(list, f.Closure)
		}
		return list
	}
	v.HeapObjects = func(yield func(layout.Tagged) bool) {
		for _, f := range functions {
			if !yield(f.Closure) {
				return
			}
		}
	}
	return v
}

// TestFunctions: fields of functions that are some slots off in a table are found, by functions of the heap if
// no stack refers to any. Fields that the table has right stay.
func TestFunctions(t *testing.T) {
	for i, moved := range []int{-2, -1, 0, 1, 2, -2, -1, 0, 1, 2} {
		v := buildOf(withFunctions(t))
		if i >= 5 {
			v.Process.Threads = nil
		}
		f := &v.Layout.JSFunction
		shared, context := f.Shared, f.Context
		f.Shared, f.Context = shared+8*moved, context+8*moved
		v.Functions()
		if f.Shared != shared || f.Context != context {
			t.Errorf("%d slots off: %d and %d, want %d and %d", moved, f.Shared, f.Context, shared, context)
		}
	}
	v := buildOf(withFunctions(t))
	v.Layout.JSFunction.Shared += 8 * (maxFunctionSlots + 1)
	want := v.Layout.JSFunction.Shared
	if v.Functions(); v.Layout.JSFunction.Shared != want {
		t.Errorf("too far off: %d, want %d", v.Layout.JSFunction.Shared, want)
	}
}

// TestBytecodes: the bytecodes begin where each position belongs to one.
func TestBytecodes(t *testing.T) {
	const row, one, five, none = 16, 10, 11, 0xff
	sizes := make([]byte, 3*row)
	sizes[one], sizes[five] = 1, 5
	for _, moved := range []int{-maxDataShift - 1, -maxDataShift, -1, 0, 3, maxDataShift} {
		h, list := withFunctions(t)
		for _, f := range list {
			code := f.Bytecode.Addr() + 64 - h.Base
			copy(h.Bytes[code:], []byte{five, none, none, none, none, one, one, one})
		}
		v := buildOf(h, list)
		v.Image.BytecodeSizes = sizes
		l := &v.Layout.BytecodeArray
		right := l.Data
		l.Data += moved
		want := right
		if moved < -maxDataShift {
			want = l.Data
		}
		if v.Bytecodes(); l.Data != want {
			t.Errorf("%d bytes off: %d, want %d", moved, l.Data, want)
		}
	}
}

// TestEarlyBuffers: pointers that have nothing in their lowest bits and lead into the sandbox are sandboxed, and sizes
// are shifted where they have nothing there either.
func TestEarlyBuffers(t *testing.T) {
	const base = core.Addr(0x500000000000)
	for _, c := range []struct {
		name          string
		pointer, size uint64
		base          core.Addr
		bounded       bool
	}{
		{"addresses", 0x600000001000, 64, 0, false},
		{"sandboxed pointers", 0x1000 << layout.SandboxedShift, 64, base, false},
		{"and shifted sizes", 0x1000 << layout.SandboxedShift, 64 << layout.BoundedSizeShift, base, true},
		{"what leads nowhere", 0x2000_0000 << layout.SandboxedShift, 64, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := v8test.NewHeap(t, layout.V(13, 6))
			b := layout.New(layout.V(13, 6), layout.Constants{}).JSArrayBuffer
			var list []layout.Tagged
			for range 4 {
				words := make([]uint64, 12)
				words[(b.BackingStore-8)/8], words[(b.ByteLength-8)/8] = c.pointer, c.size
				list = append(list, h.Object("JS_ARRAY_BUFFER", words...))
			}
			h.Build.Map(base+0x1000, make([]byte, 0x1000)).Map(0x600000001000, make([]byte, 0x1000))
			v := buildOf(h, nil)
			v.Samples = func(typ int) []layout.Tagged {
				if typ == v.TypeNumber("JS_ARRAY_BUFFER_TYPE") {
					return list
				}
				return nil
			}
			v.buffers(base)
			if v.Early.Base != c.base || v.Early.Bounded != c.bounded {
				t.Errorf("base %v, bounded %v; want %v, %v", v.Early.Base, v.Early.Bounded, c.base, c.bounded)
			}
		})
	}
}
