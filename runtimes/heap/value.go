package heap

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"strings"

	"coredbg/core"
)

// ErrNoField says that an object has no such field, or nothing on the way to it.
var ErrNoField = errors.New("heap: no such field")

// A ValueKind is what a Value is.
type ValueKind uint8

// The kinds of values.
const (
	Undefined ValueKind = iota
	Null
	Bool
	Number
	Text
	Object
)

// A Value is what a field holds.
type Value struct {
	Kind ValueKind
	Bool bool
	Num  float64
	// Int is the number where Num cannot have it exactly; nil else.
	Int  *big.Int
	Text string
	// Cut is set if there is more of the text than was read.
	Cut bool
	At  core.Addr // where an object begins
}

// MaxText bounds the UTF-16 units of a string that Fields are read with.
const MaxText = 1 << 20

// exact is the largest number such that all integers up to it have a float64.
const exact = 1 << 53

// IntValue returns the value of an integer.
func IntValue(n int64) Value {
	v := Value{Kind: Number, Num: float64(n)}
	if n > exact || n < -exact {
		v.Int = big.NewInt(n)
	}
	return v
}

// DigitsValue returns the value of an integer in decimal digits.
func DigitsValue(digits string) Value {
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return Value{}
	}
	if n.IsInt64() {
		return IntValue(n.Int64())
	}
	v := Value{Kind: Number, Int: n}
	v.Num, _ = new(big.Float).SetInt(n).Float64()
	return v
}

// order compares two values, of numbers or of texts; false if they have no order.
func (v *Value) order(o *Value) (int, bool) {
	switch {
	case v.Kind == Text && o.Kind == Text:
		return strings.Compare(v.Text, o.Text), true
	case v.Kind != Number || o.Kind != Number, math.IsNaN(v.Num), math.IsNaN(o.Num):
		return 0, false
	case v.Int == nil && o.Int == nil, math.IsInf(v.Num, 0), math.IsInf(o.Num, 0):
		return cmp.Compare(v.Num, o.Num), true
	}
	return v.float().Cmp(o.float()), true
}

// float returns a number exactly. It is not NaN.
func (v *Value) float() *big.Float {
	if v.Int != nil {
		return new(big.Float).SetInt(v.Int)
	}
	return new(big.Float).SetFloat64(v.Num)
}

// equal reports whether two values are the same. An object equals the number that is
// its address, as shown says it.
func (v *Value) equal(o *Value, shown func(core.Addr) core.Addr) bool {
	if v.Kind == Object && o.Kind == Number {
		at := IntValue(int64(shown(v.At)))
		n, ok := at.order(o)
		return ok && n == 0
	}
	if v.Kind != o.Kind {
		return false
	}
	switch v.Kind {
	case Bool:
		return v.Bool == o.Bool
	case Number:
		n, ok := v.order(o)
		return ok && n == 0 || math.IsNaN(v.Num) && math.IsNaN(o.Num)
	case Text:
		return v.Text == o.Text && !v.Cut
	case Object:
		return v.At == o.At
	}
	return true
}
