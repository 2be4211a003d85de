package code

import (
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A Code is a code object on the heap: Code, or Code with its
// InstructionStream from V8 11 on.
type Code struct {
	Start core.Addr     // of the instructions
	Size  uint64        // bytes
	Obj   layout.Tagged // the Code
	Kind  int
}

// A Reader reads machine code: the code objects of the heap, and where the code of builtins lies.
type Reader struct {
	*layout.Memory

	mu     sync.Mutex
	codes  []*Code // found so far, in no order
	copies blobCopies
}

// New returns a reader of the code in mem.
func New(mem *layout.Memory) *Reader { return &Reader{Memory: mem} }

// Forget drops what was derived from the layout.
func (r *Reader) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.codes = nil
}

// maxCodeChunks bounds the search for the start of a large code object.
const maxCodeChunks = 32

// codeAt finds the code object whose instructions hold pc. Heap structures are
// not needed: it scans back from pc, within V8's page, for a word that is the
// map of a code object whose extent covers pc.
func (r *Reader) codeAt(pc core.Addr) *Code {
	r.mu.Lock()
	for _, c := range r.codes {
		if pc >= c.Start && uint64(pc-c.Start) < c.Size {
			r.mu.Unlock()
			return c
		}
	}
	r.mu.Unlock()
	typ := r.Types.InstructionStream
	if r.Layout.Code.FromBody == layout.Unknown {
		typ = r.Types.Code
	}
	if typ < 0 {
		return nil
	}
	chunk := pc &^ (layout.ChunkSize - 1)
	notMaps := map[layout.Tagged]bool{}
	end := pc &^ 7
	for range maxCodeChunks {
		// A page of code may begin with guard pages: each page on its own.
		for end > chunk {
			start := max(chunk, (end-1)&^(layout.PageSize-1))
			if c := r.codeIn(pc, start, end, typ, notMaps); c != nil {
				return c
			}
			end = start
		}
		if _, ok := r.Space.Find(chunk - 8); !ok {
			return nil
		}
		chunk -= layout.ChunkSize
	}
	return nil
}

// codeIn looks for the code object of pc among the words in [start, end), from
// the last on.
func (r *Reader) codeIn(pc, start, end core.Addr, typ int, notMaps map[layout.Tagged]bool) *Code {
	data, err := r.Space.Slice(start, int(end-start))
	if err != nil {
		return nil
	}
	step := r.SlotSize()
	for i := len(data)&^(step-1) - step; i >= 0; i -= step {
		w := r.Tagged(data[i:], start.Add(int64(i)))
		if w&3 != 1 || w>>48 != 0 || notMaps[w] {
			continue
		}
		if t, ok := r.MapInstanceType(w); !ok || t != typ || !r.IsMap(w) {
			notMaps[w] = true
			continue
		}
		if c := r.ReadCode(layout.Tag(start.Add(int64(i)))); c != nil && pc >= c.Start && uint64(pc-c.Start) < c.Size {
			r.mu.Lock()
			r.codes = append(r.codes, c)
			r.mu.Unlock()
			return c
		}
	}
	return nil
}

// ReadCode reads the object o in code space.
func (r *Reader) ReadCode(o layout.Tagged) *Code {
	l := &r.Layout.Code
	c := &Code{Start: o.Addr().Add(int64(l.Body)), Obj: o}
	if l.FromBody != layout.Unknown {
		obj, ok := r.ProtectedField(o, l.FromBody)
		if !ok || !r.Is(obj, r.Types.Code) {
			return nil
		}
		c.Obj = obj
	}
	size, ok1 := r.U32Field(c.Obj, l.InstructionSize)
	flags, ok2 := r.U32Field(c.Obj, l.Flags)
	if !ok1 || !ok2 || size == 0 || size > 1<<29 {
		return nil
	}
	c.Size = uint64(size)
	c.Kind = int(flags) & l.KindMask >> max(l.KindShift, 0)
	if c.Kind > l.KindBaseline && c.Kind != l.KindMaglev && r.compiledFor(c) {
		// TurboFan's kind is the last; kinds between came and went.
		c.Kind = l.KindTurbofan
	}
	return c
}

// compiledFor reports whether an optimising compiler made the code for a
// function: its deoptimization data says which.
func (r *Reader) compiledFor(c *Code) bool {
	d, ok := r.DeoptData(c)
	if !ok {
		return false
	}
	s, ok := r.ProtectedElement(d, r.Layout.DeoptimizationData.Shared)
	return ok && (r.Is(s, r.Types.SharedProxy) || r.IsSharedFunctionInfo(s))
}

// Tier returns the word for a code kind in records.
func (r *Reader) Tier(kind int) string {
	l := &r.Layout.Code
	switch kind {
	case l.KindBaseline:
		return "baseline"
	case l.KindMaglev:
		return "maglev"
	case l.KindTurbofan:
		return "turbofan"
	case l.KindInterpreted, l.KindBuiltin:
		return "interpreter"
	}
	return "jit"
}

// ByteArray returns the bytes of a ByteArray or TrustedByteArray, lent where
// possible, of at most max bytes.
func (r *Reader) ByteArray(o layout.Tagged, max int) ([]byte, bool) {
	if !r.TypeNamed(o, "BYTE_ARRAY") {
		return nil, false
	}
	n, ok := r.ArrayLength(o)
	if !ok || n < 0 || n > max {
		return nil, false
	}
	b, err := r.Space.Slice(o.Addr().Add(int64(r.Layout.FixedArray.Data)), n)
	return b, err == nil
}

// Element returns the element i of an array of tagged words, whichever of
// V8's many fixed arrays it is: their layouts are equal.
func (r *Reader) Element(o layout.Tagged, i int) (layout.Tagged, bool) {
	n, ok := r.ArrayLength(o)
	if !ok || i < 0 || i >= n {
		return 0, false
	}
	return r.Field(o, r.Layout.FixedArray.Data+r.Slots(i))
}

// ProtectedElement returns the element i of an array of a trusted object, which refers to
// another, unless it is a TrustedFixedArray, which only lies among them, as in V8 12.3
// (objects/fixed-array.h: ProtectedFixedArray).
func (r *Reader) ProtectedElement(o layout.Tagged, i int) (layout.Tagged, bool) {
	n, ok := r.ArrayLength(o)
	if !ok || i < 0 || i >= n {
		return 0, false
	}
	off := r.Layout.FixedArray.Data + r.Slots(i)
	if r.Is(o, r.TypeNumber("TRUSTED_FIXED_ARRAY_TYPE")) {
		return r.Field(o, off)
	}
	return r.ProtectedField(o, off)
}

// DeoptData returns the DeoptimizationData of an optimised code.
func (r *Reader) DeoptData(c *Code) (layout.Tagged, bool) {
	d, ok := r.ProtectedField(c.Obj, r.Layout.Code.DeoptData)
	return d, ok && r.TypeNamed(d, "FIXED_ARRAY")
}

// CodeShared returns the function that optimised code was made for.
func (r *Reader) CodeShared(c *Code) (layout.Tagged, bool) {
	d, ok := r.DeoptData(c)
	if !ok || c.Kind == r.Layout.Code.KindBaseline {
		return 0, false
	}
	s, ok := r.ProtectedElement(d, r.Layout.DeoptimizationData.Shared)
	if ok && r.Is(s, r.Types.SharedProxy) {
		s, ok = r.Field(s, r.Slots(1))
	}
	return s, ok && r.IsSharedFunctionInfo(s)
}

// CodeObject reads the code object o in either of its forms, inside code space or outside it. It returns nil if
// o is not a code object.
func (r *Reader) CodeObject(o layout.Tagged) *Code {
	l := &r.Layout.Code
	if l.FromBody == layout.Unknown {
		if r.Is(o, r.Types.Code) {
			return r.ReadCode(o)
		}
		return nil
	}
	if r.Is(o, r.Types.InstructionStream) {
		return r.ReadCode(o)
	}
	if !r.Is(o, r.Types.Code) {
		return nil
	}
	// A Code points to the first instruction.
	for off := r.Slots(1); off <= 64; off += r.Slots(1) {
		w, ok := r.Word(o.Addr().Add(int64(off)))
		if !ok {
			return nil
		}
		stream := layout.Tag(core.Addr(w) - core.Addr(l.Body))
		if !r.Is(stream, r.Types.InstructionStream) {
			continue
		}
		if c := r.ReadCode(stream); c != nil && c.Obj == o {
			return c
		}
	}
	return nil
}
