package text

import (
	"fmt"
	"math/big"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// maxBigIntDigits bounds the 64-bit digits of a BigInt that are put together:
// two and a half million decimal digits, which take a second. V8's own limit is
// 2^24 (BigInt::kMaxLengthBits, objects/bigint.h).
const maxBigIntDigits = 1 << 17

// A LongBigIntError is a BigInt that is too long to be written.
type LongBigIntError struct {
	Bits     int // of its 64-bit digits
	Negative bool
}

// Error says how long the BigInt is.
func (e *LongBigIntError) Error() string {
	sign := ""
	if e.Negative {
		sign = "negative "
	}
	return fmt.Sprintf("%sBigInt of %d bits", sign, e.Bits)
}

// BigInt returns the decimal digits of the BigInt o, with its sign, or a
// *LongBigIntError. objects/bigint.h: bit 0 of the bit field is the sign, the highest bits
// the number of digits, which are 64-bit words, the lowest first.
func (r *Strings) BigInt(o layout.Tagged) (string, error) {
	l := &r.Layout.BigInt
	bits, ok := r.U32Field(o, l.Bitfield)
	if !ok {
		return "", r.Fault(o, l.Bitfield)
	}
	n := int(bits >> uint(l.LengthShift))
	if n > maxBigIntDigits {
		if _, ok := r.Word(o.Addr().Add(int64(l.Digits) + 8*int64(n-1))); !ok {
			return "", r.Fault(o, l.Digits+8*(n-1))
		}
		return "", &LongBigIntError{64 * n, bits&1 == 1}
	}
	b, err := core.ReadBytes(r.Space, o.Addr().Add(int64(l.Digits)), uint64(8*n))
	if err != nil {
		return "", err
	}
	be := make([]byte, len(b))
	for i := 0; i < n; i++ {
		d := r.Order.Uint64(b[8*i:])
		for j := range 8 {
			be[len(be)-1-8*i-j] = byte(d >> (8 * j))
		}
	}
	z := new(big.Int).SetBytes(be)
	if bits&1 == 1 {
		z.Neg(z)
	}
	return z.String(), nil
}
