package layout

import (
	"iter"

	"coredbg/core"
)

// TrustedField reads a field that refers to a trusted object from outside of their cage:
// a handle with the sandbox, else a tagged field (objects/trusted-pointer.h).
func (mem *Memory) TrustedField(o Tagged, off int) (Tagged, bool) {
	if mem.Sandbox == nil {
		return mem.Field(o, off)
	}
	h, ok := mem.U32Field(o, off)
	if !ok {
		return 0, false
	}
	return mem.Sandbox.Trusted(o, h)
}

// ProtectedField reads a field of a trusted object that refers to another. In an object in the main cage, as in
// builds with fewer trusted objects, it is an ordinary field.
func (mem *Memory) ProtectedField(o Tagged, off int) (Tagged, bool) {
	t, ok := mem.Field(o, off)
	if !ok || mem.Sandbox == nil || mem.Sandbox.inMain(o) {
		return t, ok
	}
	typ := -1
	if len(mem.Sandbox.Main) > 0 {
		typ, _ = mem.InstanceType(o)
	}
	return mem.Protected(TypeField{typ, off}, t), true
}

// Protected returns the target of a field of a trusted object that was read as a reference into the main cage.
func (mem *Memory) Protected(field TypeField, t Tagged) Tagged {
	if !t.IsHeap() || mem.Sandbox == nil {
		return t
	}
	trusted := Decompress(uint32(t), mem.Sandbox.TrustedCage)
	if mem.Sandbox.Main[field] {
		// Baseline code has bytecodes where optimised code has data of the main cage.
		_, is := mem.InstanceType(t)
		if _, other := mem.InstanceType(trusted); is || !other {
			return t
		}
	}
	return trusted
}

// DataField reads one of the data slots of the SharedFunctionInfo o. The first refers to a trusted object.
func (mem *Memory) DataField(o Tagged, off int) (Tagged, bool) {
	if off == mem.Layout.SharedFunctionInfo.FunctionData {
		return mem.TrustedField(o, off)
	}
	return mem.Field(o, off)
}

// BytecodeLengthAt returns where a BytecodeArray has its length: after its own handle with
// the sandbox.
func (mem *Memory) BytecodeLengthAt() int {
	return mem.Layout.FixedArray.Length + mem.OwnHandle()
}

// OwnHandle returns the bytes that trusted objects have more than others, after their map:
// their own handle with the sandbox (objects/trusted-object.h: ExposedTrustedObject).
func (mem *Memory) OwnHandle() int {
	if mem.Sandbox == nil {
		return 0
	}
	return mem.SlotSize()
}

// BytecodeLength returns the bytes of the bytecodes of a BytecodeArray.
func (mem *Memory) BytecodeLength(array Tagged) (int, bool) {
	return mem.SmiField(array, mem.BytecodeLengthAt())
}

// StringField reads a field of an external string with an address outside of the heap: a
// handle with the sandbox (sandbox/external-pointer.h).
func (mem *Memory) StringField(o Tagged, off int) (core.Addr, bool) {
	var lookup func(o Tagged, handle uint32) (core.Addr, bool)
	switch {
	case mem.Sandbox != nil:
		lookup = mem.Sandbox.StringResource
	case mem.Early.StringResource != nil:
		lookup = mem.Early.StringResource
	default:
		return mem.addressField(o, off)
	}
	h, ok := mem.U32Field(o, off)
	if !ok || lookup == nil {
		return 0, false
	}
	return lookup(o, h)
}

// The tables of addresses outside the heap are in an isolate near its table of trusted pointers, within
// NearTables bytes. Their handles are indexes shifted by a number that depends on the build: 6, 5 in V8 11, on
// Android more (include/v8-internal.h: kExternalPointerIndexShift, kCppHeapPointerIndexShift). Entries have
// their tag above the address. The entries for the C++ heap have it below, and are shifted by its width
// (src/sandbox/external-pointer-table.h, cppheap-pointer-table.h).
const (
	NearTables      = 0x400
	LeastIndexShift = 5
	MostIndexShift  = 10
	CppHeapShift    = 16
	externalEntry   = 1<<48 - 1
)

// ExternalPointers yields the possible values of a field of o with an address outside the heap: that address,
// or with the sandbox the entry of its handle in each possible table. The caller decides by the memory there.
func (mem *Memory) ExternalPointers(o Tagged, off int) iter.Seq[core.Addr] {
	return func(yield func(core.Addr) bool) {
		if w, ok := mem.addressField(o, off); ok && w != 0 && !yield(w) {
			return
		}
		h, ok := mem.U32Field(o, off)
		if !ok || h == 0 {
			return
		}
		for base := range mem.externalTables(o) {
			for shift := LeastIndexShift; shift <= MostIndexShift; shift++ {
				w, _ := mem.Word(base + core.Addr(h>>shift)*8)
				if w != 0 && (!yield(core.Addr(w&externalEntry)) || !yield(core.Addr(w>>CppHeapShift))) {
					return
				}
			}
		}
	}
}

// externalTables yields the starts of the tables that handles of o may belong to.
func (mem *Memory) externalTables(o Tagged) iter.Seq[core.Addr] {
	return func(yield func(core.Addr) bool) {
		if mem.Sandbox != nil && mem.Sandbox.TrustedAt != nil {
			for _, place := range mem.Sandbox.TrustedAt(o) {
				for at := -NearTables; at < NearTables; at += 8 {
					base, ok := mem.Word(place.Add(int64(at)))
					if ok && base != 0 && base&(PageSize-1) == 0 && !yield(core.Addr(base)) {
						return
					}
				}
			}
		}
		for _, base := range mem.Early.Tables {
			if !yield(base) {
				return
			}
		}
	}
}

// SandboxedField reads a field with an address of the sandbox outside of the heap, as of
// the bytes of a buffer: its distance from the base, shifted, with the sandbox
// (sandbox/sandboxed-pointer-inl.h).
func (mem *Memory) SandboxedField(o Tagged, off int) (core.Addr, bool) {
	w, ok := mem.addressField(o, off)
	switch {
	case mem.Sandbox != nil:
		w = mem.Sandbox.Base + w>>SandboxedShift
	case mem.Early.Base != 0:
		w = mem.Early.Base + w>>SandboxedShift
	}
	return w, ok
}

// SizeField reads a field with the bytes of a buffer, which is shifted with the sandbox
// (sandbox/bounded-size-inl.h).
func (mem *Memory) SizeField(o Tagged, off int) (uint64, bool) {
	w, ok := mem.addressField(o, off)
	if mem.Sandbox != nil || mem.Early.Bounded {
		w >>= BoundedSizeShift
	}
	return uint64(w), ok
}

// addressField reads an untagged word.
func (mem *Memory) addressField(o Tagged, off int) (core.Addr, bool) {
	if !o.IsHeap() || off == Unknown {
		return 0, false
	}
	w, ok := mem.Word(o.Addr().Add(int64(off)))
	return core.Addr(w), ok
}
