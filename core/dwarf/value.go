package dwarf

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// A piece is where a part of a value is: in memory, known bytes, or nowhere for a reason.
type piece struct {
	size int64 // in bits; -1 for all that is left
	bit  int64 // where it begins there, counted from the least significant one
	mem  bool
	addr core.Addr
	data []byte
	reg  bool // data is a register's or a number: small values are at its less significant end
	err  error
	to   ref // what an implicit pointer points to, off bytes into it; none for others
	off  int64
}

// A Value is a type with the places of its bytes. Bytes are read on demand, and each is known or not by
// itself.
type Value struct {
	Type *Type // nil is void
	// BitSize is not 0 for a bit-field, which begins BitOff bits into the value's first byte.
	BitOff, BitSize int64

	f      *Frame
	fn     *Entry    // the function whose variable it is, or a part of one; nil for others
	in     *Value    // the record of a member; nil for other values
	object core.Addr // where expressions of its type start; 0 for the address of the value
	pieces []piece
	off    int64 // of the first byte, into the pieces
}

// At returns the value of a type at an address of the process, read with f's memory.
func (f *Frame) At(t *Type, a core.Addr) Value {
	return Value{Type: t, f: f, pieces: []piece{{size: -1, mem: true, addr: a}}}
}

// Lost returns a value of a type that is not known for a reason.
func (f *Frame) Lost(t *Type, err error) Value {
	return Value{Type: t, f: f, pieces: []piece{{size: -1, err: err}}}
}

// Value returns the variable's value in a frame of its function; Global ones take any frame of their
// image. Unknown parts show as unknown bytes.
func (v *Variable) Value(f *Frame) Value { return v.value(f, 0) }

// errParts is the error for a value that has more parts than there is room for: it is not known which
// part is one too many. Go before 1.21 writes the first part of some twice.
var errParts = errors.New("its debugging information has more parts than the value")

// errNotMoved is why a variable that is kept in the heap is not known before it is there.
var errNotMoved = errors.New("it has no place yet")

// beyond reports whether a part comes after the end of a value of the given size in bits.
func beyond(pieces []piece, bits int64) bool {
	at := int64(0)
	for _, p := range pieces {
		if at >= bits && p.size > 0 {
			return true
		}
		at += max(p.size, 0)
	}
	return false
}

func (v *Variable) value(f *Frame, depth int) Value {
	if v.moved {
		place := *v
		place.moved = false
		p := place.value(f, depth)
		at, err := p.As(p.Type.Strip()).Pointer()
		if err != nil {
			return f.Lost(v.Type(), err)
		}
		if at == 0 {
			return f.Lost(v.Type(), errNotMoved)
		}
		return f.At(v.Type(), at)
	}
	t := v.Type()
	if c := v.e.inherited(format.AtConstValue); c.Present() && !v.e.attr(format.AtLocation).Present() {
		return f.constant(t, c)
	}
	a := v.e.attr(format.AtLocation)
	expr, err := v.e.u.location(a, f.PC)
	if err != nil {
		return f.Lost(t, err)
	}
	pieces, err := f.evaluate(v.e.u, v.fn, expr, depth)
	if err != nil {
		return f.Lost(t, err)
	}
	if _, whole := a.Block(); !whole && t.ofGc() {
		if pieces, err = v.goParts(t, pieces); err != nil {
			return f.Lost(t, err)
		}
	}
	if size, ok := t.Size(); ok && beyond(pieces, 8*size) {
		return f.Lost(t, errParts)
	}
	return v.bounded(Value{Type: t, f: f, fn: v.fn, pieces: pieces}, depth)
}

// bounded returns an open array of Pascal with its bounds. Other values are returned as they are.
func (v *Variable) bounded(x Value, depth int) Value {
	t := x.Type.Strip()
	if v.last == nil || depth > 0 || t == nil || t.Kind != Array || t.shaped || t.dims[0].n != -1 {
		return x
	}
	n, err := v.last.value(x.f, 1).Int()
	if err != nil || n < -1 || n >= maxBytes {
		return x
	}
	x.Type = &Type{d: t.d, u: t.u, Kind: Array, size: -1, elem: t.elem, dims: append([]dim(nil), t.dims...),
		bitStride: t.bitStride}
	x.Type.dims[0].n = n + 1
	return x
}

// constant returns the value that an attribute has itself.
func (f *Frame) constant(t *Type, a Attr) Value {
	data, ok := a.Block()
	if !ok {
		if a.Form == format.FormString || a.text() != nil {
			data = append(append([]byte(nil), a.text()...), 0)
		} else if n, ok := a.Int(); ok {
			data = make([]byte, 8)
			if size, ok := t.Size(); ok && size < 8 {
				data = data[:size]
			}
			putFixed(data, uint64(n), f.Arch.Order)
		} else {
			return f.Lost(t, errExpression)
		}
	}
	return Value{Type: t, f: f, pieces: []piece{{size: -1, data: data}}}
}

// Frame returns the frame that the value was read with.
func (v Value) Frame() *Frame { return v.f }

// Addr returns where the value is in memory, if it is there as a whole.
func (v Value) Addr() (core.Addr, bool) {
	if len(v.pieces) != 1 || !v.pieces[0].mem || v.pieces[0].bit != 0 {
		return 0, false
	}
	p := &v.pieces[0]
	if p.size >= 0 { // of a value that is larger, the rest is nowhere
		if size, ok := v.Type.Size(); !ok || v.off < 0 || 8*(v.off+size) > p.size {
			return 0, false
		}
	}
	return p.addr + core.Addr(v.off), true
}

// Bytes returns the first n bytes of the value. The error is the reason why a byte is not known: a
// core.FaultError for memory, ErrNoLocation if the compiler keeps the value nowhere.
func (v Value) Bytes(n int64) ([]byte, error) {
	if n < 0 || n > maxBytes {
		return nil, errors.New("its size is not known")
	}
	if a, ok := v.Addr(); ok {
		return core.ReadBytes(v.f.Mem, a, uint64(n))
	}
	if n > maxAssembled {
		return nil, errors.New("it is too large for registers")
	}
	out := make([]byte, 0, n)
	at, skip := int64(0), v.off
	for _, p := range v.pieces {
		if at >= n {
			break
		}
		if p.size > 0 && p.size%8 != 0 || p.bit != 0 {
			return v.assemble(n)
		}
		size := p.size / 8
		if p.size < 0 {
			size = skip + n - at
		}
		if skip >= size {
			skip -= size
			continue
		}
		take := min(size-skip, n-at)
		b, err := p.bytes(v.f, skip, take, n)
		if err != nil {
			return nil, err
		}
		out = append(out, b...)
		at, skip = at+take, 0
	}
	if at < n {
		return nil, ErrNoLocation
	}
	return out, nil
}

// assemble is Bytes for parts that are not whole bytes. For a bit-field only its own bits need be
// known: the others are 0. Bits are counted as little-endian machines do.
func (v Value) assemble(n int64) ([]byte, error) {
	start := 8 * v.off
	first, end := start, start+8*n
	if v.BitSize > 0 {
		first += v.BitOff
		end = min(end, first+v.BitSize)
	}
	out := make([]byte, n)
	at := int64(0)
	for i := range v.pieces {
		p := &v.pieces[i]
		size := p.size
		if size < 0 {
			size = max(end-at, 0)
		}
		if lo, hi := max(first, at), min(end, at+size); lo < hi {
			from := lo - at + p.bit
			b, err := p.bytes(v.f, from/8, (hi-at+p.bit+7)/8-from/8, n)
			if err != nil {
				return nil, err
			}
			for k := range hi - lo {
				s, d := from%8+k, lo+k-start
				out[d/8] |= b[s/8] >> (s % 8) & 1 << (d % 8)
			}
		}
		at += size
	}
	if at < end {
		return nil, ErrNoLocation
	}
	return out, nil
}

// maxAssembled bounds the size in bytes of values that are put together.
const maxAssembled = 1 << 20

// bytes returns n bytes from off on of a piece; whole is the size of the value asked for.
func (p *piece) bytes(f *Frame, off, n, whole int64) ([]byte, error) {
	switch {
	case p.err != nil:
		return nil, p.err
	case p.mem:
		return core.ReadBytes(f.Mem, p.addr+core.Addr(off), uint64(n))
	}
	if p.reg && format.BigEndian(f.Arch.Order) {
		size := p.size / 8
		if p.size < 0 {
			size = whole
		}
		if d := int64(len(p.data)) - size; d > 0 {
			off += d
		}
	}
	if off < 0 || off+n > int64(len(p.data)) {
		return nil, fmt.Errorf("only %d of its bytes are known", len(p.data))
	}
	return p.data[off : off+n], nil
}

// part returns the value of a type that begins off bytes into v.
func (v Value) part(t *Type, off int64) Value {
	p := v
	p.Type, p.off, p.BitOff, p.BitSize = t, v.off+off, 0, 0
	if len(v.pieces) == 1 && v.pieces[0].reg && format.BigEndian(v.f.Arch.Order) {
		// The whole is at the register's end, the part is not.
		if size, ok := v.Type.Size(); ok {
			x := v.pieces[0]
			if d := int64(len(x.data)) - size; d > 0 {
				x.data = x.data[d:]
			}
			x.reg = false
			p.pieces = []piece{x}
		}
	}
	return p
}

// As returns the same bytes as another type.
func (v Value) As(t *Type) Value { v.Type = t; return v }

// Member returns the part of v that is a member of its type, as Type.Find or Members give it.
func (v Value) Member(m *Member) Value {
	t := m.Type()
	if m.Virtual {
		a, ok := v.Addr()
		if !ok {
			return v.f.Lost(t, errors.New("its place is not known, as the whole has no address"))
		}
		at, err := v.f.value(m.unit, nil, m.expr, 0, uint64(a))
		if err != nil {
			return v.f.Lost(t, fmt.Errorf("its place in the whole is not known: %w", err))
		}
		p := v.To(t, core.Addr(at))
		p.BitOff, p.BitSize, p.in = m.BitOff, m.BitSize, &v
		return p
	}
	p := v.part(t, m.Off)
	p.BitOff, p.BitSize, p.in = m.BitOff, m.BitSize, &v
	return p
}

// Pointer returns the address that a pointer or reference has.
func (v Value) Pointer() (core.Addr, error) {
	n, ok := v.Type.Size()
	if !ok || n > 8 {
		n = int64(v.f.Arch.PtrSize)
	}
	b, err := v.Bytes(n)
	if err != nil {
		return 0, err
	}
	return core.Addr(core.Fixed(b, v.f.Arch.Order)), nil
}

// Deref returns the target of a pointer or reference. In an optimised program the target may have a
// value although it is no longer in memory.
func (v Value) Deref() (Value, error) {
	t := v.Type.Strip()
	if t == nil || t.Kind != Pointer && t.Kind != Reference && t.Kind != RvalueReference {
		return Value{}, errors.New("not a pointer")
	}
	if p := v.pieceAt(v.off); p != nil && p.to.d != nil {
		return v.implicit(*p)
	}
	a, err := v.Pointer()
	if err != nil {
		return Value{}, err
	}
	return v.To(t.Elem(), a), nil
}

// To returns a value of a type at an address that v leads to. Bounds of its type may be variables of v's
// function.
func (v Value) To(t *Type, a core.Addr) Value {
	at := v.f.At(t, a)
	at.fn = v.fn
	return at
}

// pieceAt returns the piece that begins at an offset; nil if there is no such piece.
func (v Value) pieceAt(off int64) *piece {
	at := int64(0)
	for i := range v.pieces {
		if at == 8*off {
			return &v.pieces[i]
		}
		if at += v.pieces[i].size; v.pieces[i].size < 0 {
			break
		}
	}
	return nil
}

// implicit returns what an implicit pointer leads to (DWARF 5, section 2.6.1.1.4).
func (v Value) implicit(p piece) (Value, error) {
	e := p.to.entry()
	if e == nil {
		return Value{}, p.err
	}
	x := Variable{e: e}
	if fn := e.u.functionAt(v.f.PC); fn != nil {
		x.fn = fn
	}
	at := x.value(v.f, 1)
	elem := v.Type.Strip().Elem()
	return at.part(elem, p.off), nil
}
