package dwarf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/dwarf/format"
)

// Uint returns a number, an enumeration, a character or a truth value, without its sign.
func (v Value) Uint() (uint64, error) {
	if v.BitSize > 0 {
		return v.bits()
	}
	n, ok := v.Type.Size()
	if !ok || n > 8 {
		return 0, errors.New("not a number of at most 8 bytes")
	}
	b, err := v.Bytes(n)
	if err != nil {
		return 0, err
	}
	return core.Fixed(b, v.f.Arch.Order), nil
}

// bits reads a bit-field.
func (v Value) bits() (uint64, error) {
	n := (v.BitOff + v.BitSize + 7) / 8
	if v.BitSize > 64 || n > 9 {
		return 0, errors.New("not a number of at most 8 bytes")
	}
	b, err := v.Bytes(n)
	if err != nil {
		return 0, err
	}
	var out uint64
	for i := range v.BitSize {
		bit := v.BitOff + i
		if format.BigEndian(v.f.Arch.Order) {
			out = out<<1 | uint64(b[bit/8]>>(7-bit%8)&1)
		} else {
			out |= uint64(b[bit/8]>>(bit%8)&1) << i
		}
	}
	return out, nil
}

// Int is Uint with the sign that the type gives it.
func (v Value) Int() (int64, error) {
	u, err := v.Uint()
	if err != nil {
		return 0, err
	}
	n := v.BitSize
	if n == 0 {
		size, _ := v.Type.Size()
		n = 8 * size
	}
	if t := v.Type.Strip(); t != nil && t.bias != 0 {
		return int64(u) + t.bias, nil
	}
	if n <= 0 || n >= 64 || !v.Type.signed() {
		return int64(u), nil
	}
	return int64(u<<(64-n)) >> (64 - n), nil
}

// Big returns an integer of any size.
func (v Value) Big(signed bool) (*big.Int, error) {
	n, ok := v.Type.Size()
	if !ok || n > 1024 {
		return nil, errors.New("not an integer")
	}
	b, err := v.Bytes(n)
	if err != nil {
		return nil, err
	}
	if !format.BigEndian(v.f.Arch.Order) {
		b = slices.Clone(b)
		slices.Reverse(b)
	}
	i := new(big.Int).SetBytes(b)
	if signed && len(b) > 0 && b[0]&0x80 != 0 {
		i.Sub(i, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	return i, nil
}

// Float returns a floating-point number of 2 to 8 bytes, or of x87's 10.
func (v Value) Float() (float64, error) {
	n, _ := v.Type.Size()
	if v.extended(n) {
		n = 10 // padding follows, and clang leaves it out of constants
	}
	b, err := v.Bytes(n)
	if err != nil {
		return 0, err
	}
	return v.float(b)
}

// float returns the floating-point number that bytes are.
func (v Value) float(b []byte) (float64, error) {
	switch order := v.f.Arch.Order; len(b) {
	case 4:
		return float64(math.Float32frombits(uint32(core.Fixed(b, order)))), nil
	case 8:
		return math.Float64frombits(core.Fixed(b, order)), nil
	case 16:
		return quad(b, order), nil
	case 10:
		return x87(core.Fixed(b[:8], order), core.Fixed(b[8:10], order)), nil
	}
	return 0, fmt.Errorf("a floating-point number of %d bytes", len(b))
}

// extended reports whether a floating-point number of n bytes is x87's. The DWARF of x86 has no other way than
// the name to tell it from binary128.
func (v Value) extended(n int64) bool {
	a, t := v.f.Arch, v.Type.Strip()
	if n <= 10 || a != core.AMD64 && a != core.I386 || t == nil {
		return false
	}
	name := strings.ToLower(t.own)
	return !strings.Contains(name, "float128") && !strings.Contains(name, "kind=16") && name != "f128"
}

// Complex returns a complex number of two floating-point numbers.
func (v Value) Complex() (re, im float64, err error) {
	n, _ := v.Type.Size()
	if n > 64 {
		return 0, 0, fmt.Errorf("a complex number of %d bytes", n)
	}
	b, err := v.Bytes(n)
	if err != nil {
		return 0, 0, err
	}
	one := n / 2
	if v.extended(one) {
		one = 10
	}
	if re, err = v.float(b[:one]); err != nil {
		return 0, 0, err
	}
	im, err = v.float(b[n/2 : n/2+one])
	return re, im, err
}

// quad returns the number of 16 bytes that IEEE 754 calls binary128: a sign, 15 bits of
// exponent, 112 of fraction.
func quad(b []byte, order binary.ByteOrder) float64 {
	head, low := core.Fixed(b[8:], order), core.Fixed(b[:8], order)
	if format.BigEndian(order) {
		head, low = core.Fixed(b[:8], order), core.Fixed(b[8:], order)
	}
	exp, fraction := int(head>>48&0x7fff), head&(1<<48-1)
	f := math.Ldexp(float64(fraction|1<<48), exp-16383-48) + math.Ldexp(float64(low), exp-16383-112)
	switch {
	case exp == 0x7fff && fraction|low != 0:
		f = math.NaN()
	case exp == 0x7fff:
		f = math.Inf(1)
	case exp == 0:
		f = 0 // too small for 8 bytes
	}
	if head>>63 != 0 {
		f = -f
	}
	return f
}

// x87 returns the double-extended number with a significand and a sign with exponent.
func x87(significand, head uint64) float64 {
	exp := int(head & 0x7fff)
	f := math.Ldexp(float64(significand), exp-16383-63)
	if exp == 0x7fff {
		f = math.Inf(1)
		if significand<<1 != 0 {
			f = math.NaN()
		}
	}
	if head&0x8000 != 0 {
		f = -f
	}
	return f
}

// maxScale bounds the exponent of a fixed-point type.
const maxScale = 1024

// scale returns what 1 stands for in a fixed-point type; nil for other types (DWARF 5, section 5.1.1).
func (t *Type) scale() *big.Rat {
	if t != nil && t.Lang().Pascal() && t.own == "Currency" && t.Encoding == EncSigned && t.size == 8 {
		return power(10, -4) // FPC says nothing else
	}
	if t == nil || t.Encoding != EncSignedFixed && t.Encoding != EncUnsignedFixed {
		return nil
	}
	e := t.d.entry(t.Off)
	if e == nil {
		return nil
	}
	if n, ok := e.attr(format.AtBinaryScale).Int(); ok && -maxScale <= n && n <= maxScale {
		return power(2, n)
	}
	if n, ok := e.attr(format.AtDecimalScale).Int(); ok && -maxScale <= n && n <= maxScale {
		return power(10, n)
	}
	at, _ := e.attr(format.AtSmall).ref()
	x := at.entry()
	if x == nil {
		return nil
	}
	num, ok1 := x.attr(format.AtGNUNumerator).Int()
	den, ok2 := x.attr(format.AtGNUDenominator).Int()
	if !ok1 || !ok2 || den == 0 {
		return nil
	}
	return big.NewRat(num, den)
}

// power returns a number to the power of n, which may be negative.
func power(base, n int64) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(base), big.NewInt(max(n, -n)), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// Fixed returns the value of a fixed-point number. It returns false if v is none.
func (v Value) Fixed() (x *big.Rat, ok bool, err error) {
	t := v.Type.Strip()
	one := t.scale()
	if one == nil {
		return nil, false, nil
	}
	i, err := v.Big(t.Encoding.Signed())
	if err != nil {
		return nil, true, err
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(i), one), true, nil
}
