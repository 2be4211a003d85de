package dwarf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// putFixed writes a number of len(to) bytes.
func putFixed(to []byte, v uint64, order binary.ByteOrder) {
	for i := range to {
		at := i
		if format.BigEndian(order) {
			at = len(to) - 1 - i
		}
		to[at] = 0
		if i < 8 {
			to[at] = byte(v >> (8 * i))
		}
	}
}

// bitsOf returns how many bits a word of type t has, 0 if t is none that a stack can have.
func (x *evaluator) bitsOf(t *Type) uint {
	if t == nil {
		return uint(8 * x.f.Arch.PtrSize)
	}
	if n, ok := t.Size(); ok && n >= 1 && n <= 8 {
		return uint(8 * n)
	}
	return 0
}

// fit cuts a word to its type.
func (x *evaluator) fit(w word) word {
	if n := x.bitsOf(w.t); n > 0 && n < 64 {
		w.v &= 1<<n - 1
	}
	return w
}

// signed returns a word as a number with a sign. A generic word has one in the operations
// that ask.
func (x *evaluator) signed(w word) int64 {
	n := x.bitsOf(w.t)
	if n == 0 || n == 64 {
		return int64(w.v)
	}
	return int64(w.v<<(64-n)) >> (64 - n)
}

// isSigned reports whether comparisons and divisions of a type are signed. For generic words they are
// (DWARF 5, section 2.5.1.4).
func isSigned(t *Type) bool { return t == nil || t.Encoding.Signed() }

func (x *evaluator) float(w word) (float64, bool) {
	if w.t == nil || w.t.Encoding != EncFloat {
		return 0, false
	}
	switch x.bitsOf(w.t) {
	case 32:
		return float64(math.Float32frombits(uint32(w.v))), true
	case 64:
		return math.Float64frombits(w.v), true
	}
	return 0, false
}

func (x *evaluator) ofFloat(f float64, t *Type) word {
	if x.bitsOf(t) == 32 {
		return word{uint64(math.Float32bits(float32(f))), t}
	}
	return word{math.Float64bits(f), t}
}

// arithmetic runs an operation on one or two words, which have one type.
func (x *evaluator) arithmetic(op uint8) error {
	b, err := x.pop()
	if err != nil {
		return err
	}
	if op == format.OpAbs || op == format.OpNeg || op == format.OpNot {
		return x.unary(op, b)
	}
	a, err := x.pop()
	if err != nil {
		return err
	}
	if fa, ok := x.float(a); ok {
		fb, ok := x.float(b)
		if !ok {
			return errExpression
		}
		return x.floats(op, fa, fb, a.t)
	}
	if op >= format.OpEq && op <= format.OpNe {
		x.push(truth(x.compare(op, a, b)))
		return nil
	}
	v, err := x.integers(op, a, b)
	if err != nil {
		return err
	}
	x.pushTyped(x.fit(word{v, a.t}))
	return nil
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (x *evaluator) unary(op uint8, w word) error {
	if f, ok := x.float(w); ok {
		if op == format.OpNeg || op == format.OpAbs && f < 0 {
			f = -f
		}
		x.pushTyped(x.ofFloat(f, w.t))
		return nil
	}
	switch op {
	case format.OpNot:
		w.v = ^w.v
	case format.OpNeg:
		w.v = -w.v
	case format.OpAbs:
		if n := x.signed(w); n < 0 {
			w.v = uint64(-n)
		}
	}
	x.pushTyped(x.fit(w))
	return nil
}

func (x *evaluator) compare(op uint8, a, b word) bool {
	c := 0
	switch sa, sb := x.signed(a), x.signed(b); {
	case isSigned(a.t) && sa < sb, !isSigned(a.t) && a.v < b.v:
		c = -1
	case isSigned(a.t) && sa > sb, !isSigned(a.t) && a.v > b.v:
		c = 1
	}
	return ordered(op, c)
}

func ordered(op uint8, c int) bool {
	switch op {
	case format.OpEq:
		return c == 0
	case format.OpGe:
		return c >= 0
	case format.OpGt:
		return c > 0
	case format.OpLe:
		return c <= 0
	case format.OpLt:
		return c < 0
	}
	return c != 0
}

func (x *evaluator) integers(op uint8, a, b word) (uint64, error) {
	switch op {
	case format.OpAnd:
		return a.v & b.v, nil
	case format.OpOr:
		return a.v | b.v, nil
	case format.OpXor:
		return a.v ^ b.v, nil
	case format.OpPlus:
		return a.v + b.v, nil
	case format.OpMinus:
		return a.v - b.v, nil
	case format.OpMul:
		return a.v * b.v, nil
	case format.OpShl:
		return a.v << min(b.v, 64), nil
	case format.OpShr:
		return a.v >> min(b.v, 64), nil
	case format.OpShra:
		return uint64(x.signed(a) >> min(b.v, 63)), nil
	case format.OpDiv:
		if b.v == 0 || x.signed(b) == 0 {
			return 0, errors.New("its location divides by zero")
		}
		if isSigned(a.t) {
			return uint64(x.signed(a) / x.signed(b)), nil
		}
		return a.v / b.v, nil
	case format.OpMod:
		if b.v == 0 {
			return 0, errors.New("its location divides by zero")
		}
		if a.t != nil && a.t.Encoding.Signed() {
			return uint64(x.signed(a) % x.signed(b)), nil
		}
		return a.v % b.v, nil // generic words have no sign here
	}
	return 0, errExpression
}

func (x *evaluator) floats(op uint8, a, b float64, t *Type) error {
	switch op {
	case format.OpPlus:
		a += b
	case format.OpMinus:
		a -= b
	case format.OpMul:
		a *= b
	case format.OpDiv:
		a /= b
	case format.OpEq, format.OpGe, format.OpGt, format.OpLe, format.OpLt, format.OpNe:
		c := 0
		if a < b {
			c = -1
		} else if a > b {
			c = 1
		}
		nan := a != a || b != b
		x.push(truth(!nan && ordered(op, c) || nan && op == format.OpNe))
		return nil
	default:
		return errExpression
	}
	x.pushTyped(x.ofFloat(a, t))
	return nil
}

// typed runs the operations that name a base type.
func (x *evaluator) typed(op uint8, b *core.Buf) error {
	switch op {
	case format.OpConstType, format.OpGNUConstType:
		t := x.base(b.ULEB())
		data := b.Bytes(uint64(b.U8()))
		if t == nil || len(data) > 8 {
			return errExpression
		}
		x.pushTyped(word{core.Fixed(data, x.f.Arch.Order), t})
	case format.OpRegvalType, format.OpGNURegvalType:
		reg := b.ULEB()
		p := x.register(reg)
		t := x.base(b.ULEB())
		if p.err != nil {
			return p.err
		}
		n := x.bitsOf(t) / 8
		if n == 0 || int(n) > len(p.data) {
			return errExpression
		}
		data := p.data[:n]
		if format.BigEndian(x.f.Arch.Order) {
			data = p.data[len(p.data)-int(n):]
		}
		x.pushTyped(word{core.Fixed(data, x.f.Arch.Order), t})
	case format.OpDerefType, format.OpGNUDerefType:
		size := int(b.U8())
		t := x.base(b.ULEB())
		return x.deref(size, t)
	case format.OpConvert, format.OpGNUConvert, format.OpReinterpret, format.OpGNUReinterpret:
		w, err := x.pop()
		if err != nil {
			return err
		}
		off := b.ULEB()
		var t *Type
		if off != 0 {
			if t = x.base(off); t == nil {
				return errExpression
			}
		}
		if op == format.OpReinterpret || op == format.OpGNUReinterpret {
			x.pushTyped(x.fit(word{w.v, t}))
			return nil
		}
		x.pushTyped(x.convert(w, t))
	default:
		return fmt.Errorf("its location has operation %#x, which is not known", op)
	}
	return nil
}

// base returns the base type at an offset of the unit.
func (x *evaluator) base(off uint64) *Type {
	t := x.u.d.typeAt(x.u.Off + format.Offset(off))
	if t == nil || t.Kind != Base || x.bitsOf(t) == 0 {
		return nil
	}
	return t
}

// convert changes the type of a word and keeps its value.
func (x *evaluator) convert(w word, t *Type) word {
	to := t != nil && t.Encoding == EncFloat
	if f, ok := x.float(w); ok {
		switch {
		case to:
			return x.ofFloat(f, t)
		case f >= 1<<63:
			return x.fit(word{uint64(f), t})
		}
		return x.fit(word{uint64(int64(f)), t})
	}
	v := w.v
	signed := w.t != nil && w.t.Encoding.Signed()
	if signed {
		v = uint64(x.signed(w))
	}
	if to && signed {
		return x.ofFloat(float64(int64(v)), t)
	} else if to {
		return x.ofFloat(float64(v), t)
	}
	return x.fit(word{v, t})
}

// deref reads memory at the address on top of the stack.
func (x *evaluator) deref(size int, t *Type) error {
	w, err := x.pop()
	if err != nil {
		return err
	}
	if size < 1 || size > 8 {
		return errExpression
	}
	var data [8]byte
	x.cur.Bytes(data[:size], core.Addr(w.v))
	if err := x.cur.Reset(); err != nil {
		return err
	}
	x.pushTyped(word{core.Fixed(data[:size], x.f.Arch.Order), t})
	return nil
}
