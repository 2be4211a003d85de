package eval

import (
	"math"
	"math/big"
)

func bigOf(b BigInt) *big.Int {
	n, ok := new(big.Int).SetString(string(b), 10)
	if !ok {
		return new(big.Int)
	}
	return n
}

func bigValue(m *Machine, n *big.Int) BigInt {
	if n.BitLen() > maxBits {
		m.throwAs("RangeError", "Maximum BigInt size exceeded")
	}
	m.spend(n.BitLen() / 64)
	return BigInt(n.String())
}

// bigArithmetic is an operator on two BigInts.
func bigArithmetic(m *Machine, op string, x, y BigInt) Value {
	a, b := bigOf(x), bigOf(y)
	switch {
	case b.Sign() == 0 && (op == "/" || op == "%"):
		m.throwAs("RangeError", "Division by zero")
	case op == "**" && b.Sign() < 0:
		m.throwAs("RangeError", "Exponent must be non-negative")
	case (op == "**" || op == "<<") && a.BitLen() > 1 && (!b.IsInt64() || b.Int64() > maxBits ||
		op == "**" && b.Int64()*int64(a.BitLen()) > 2*maxBits):
		m.throwAs("RangeError", "Maximum BigInt size exceeded")
	case op == "<<" || op == ">>":
		return bigValue(m, shifted(op, a, b))
	}
	calculate := bigOperators[op]
	if calculate == nil {
		m.Throw("BigInts have no unsigned right shift, use >> instead")
	}
	r := new(big.Int)
	calculate(r, a, b)
	return bigValue(m, r)
}

// bigOperators are the operators on BigInts.
var bigOperators = map[string]func(r, a, b *big.Int){
	"+":  func(r, a, b *big.Int) { r.Add(a, b) },
	"-":  func(r, a, b *big.Int) { r.Sub(a, b) },
	"*":  func(r, a, b *big.Int) { r.Mul(a, b) },
	"/":  func(r, a, b *big.Int) { r.Quo(a, b) },
	"%":  func(r, a, b *big.Int) { r.Rem(a, b) },
	"**": func(r, a, b *big.Int) { r.Exp(a, b, nil) },
	"&":  func(r, a, b *big.Int) { r.And(a, b) },
	"|":  func(r, a, b *big.Int) { r.Or(a, b) },
	"^":  func(r, a, b *big.Int) { r.Xor(a, b) },
}

// shifted is a BigInt after a shift, to the other side if b is negative.
func shifted(op string, a, b *big.Int) *big.Int {
	left := (op == "<<") == (b.Sign() >= 0)
	n := uint(2 * maxBits)
	if size := new(big.Int).Abs(b); size.IsInt64() && size.Int64() < int64(n) {
		n = uint(size.Int64())
	}
	if left {
		return new(big.Int).Lsh(a, n)
	}
	return new(big.Int).Rsh(a, n)
}

// bigCompare compares a BigInt with a number or a text. It is not ok if one of them is not a number.
func bigCompare(m *Machine, a, b Value) (sign int, ok bool) {
	x, y := exactOf(m, a), exactOf(m, b)
	if x == nil || y == nil {
		return 0, false
	}
	return x.Cmp(y), true
}

// exactOf is a number, a BigInt or a text as a number without bounds; nil if it is none.
func exactOf(m *Machine, v Value) *big.Float {
	const bits = 2 * maxBits
	switch x := v.(type) {
	case BigInt:
		return new(big.Float).SetPrec(bits).SetInt(bigOf(x))
	case string:
		if b, ok := bigLiteral(x); ok {
			return exactOf(m, BigInt(b))
		}
		return nil
	}
	f := m.number(v)
	if math.IsNaN(f) {
		return nil
	}
	return new(big.Float).SetPrec(bits).SetFloat64(f)
}

// toBigInt is BigInt(v).
func toBigInt(m *Machine, v Value) Value {
	switch x := m.toPrimitive(v, "number").(type) {
	case BigInt:
		return x
	case bool:
		if x {
			return BigInt("1")
		}
		return BigInt("0")
	case float64:
		if x != math.Trunc(x) || math.IsInf(x, 0) {
			m.throwAs("RangeError", "The number %s cannot be converted to a BigInt because it is not an integer",
				m.text(x))
		}
		n, _ := new(big.Float).SetFloat64(x).Int(nil)
		return bigValue(m, n)
	case string:
		if b, ok := bigLiteral(x); ok {
			return BigInt(b)
		}
		m.throwAs("SyntaxError", "Cannot convert %s to a BigInt", x)
	}
	m.Throw("Cannot convert %s to a BigInt", shownValue(m, v))
	return nil
}

// uintValue is a word as a BigInt.
func uintValue(n uint64) BigInt { return BigInt(new(big.Int).SetUint64(n).String()) }

// thisBigInt is this of a function of BigInt.prototype.
func thisBigInt(m *Machine, this Value) *big.Int {
	if o, ok := this.(*Object); ok {
		this = o.Boxed
	}
	b, ok := this.(BigInt)
	if !ok {
		m.Throw("it is not a BigInt")
	}
	return bigOf(b)
}

// wrapped is BigInt.asIntN and BigInt.asUintN.
func wrapped(signed bool) builtin {
	return func(m *Machine, _ Value, args []Value) Value {
		bits := m.integer(arg(args, 0))
		if bits < 0 || bits > maxBits {
			m.throwAs("RangeError", "Invalid value: not (convertible to) a safe integer")
		}
		n := bigOf(toBigInt(m, arg(args, 1)).(BigInt))
		size := new(big.Int).Lsh(big.NewInt(1), uint(bits))
		n.Mod(n, size)
		if signed && bits > 0 && n.Bit(bits-1) == 1 {
			n.Sub(n, size)
		}
		return bigValue(m, n)
	}
}

func init() {
	bigOperator, bigOrder = bigArithmetic, bigCompare
	register(map[string]builtin{
		"BigInt":         func(m *Machine, _ Value, args []Value) Value { return toBigInt(m, arg(args, 0)) },
		"BigInt.asIntN":  wrapped(true),
		"BigInt.asUintN": wrapped(false),
		"BigInt.prototype.toString": func(m *Machine, this Value, args []Value) Value {
			base := 10
			if arg(args, 0) != nil {
				base = m.integer(args[0])
			}
			if base < 2 || base > 36 {
				m.throwAs("RangeError", "toString() radix must be between 2 and 36")
			}
			return thisBigInt(m, this).Text(base)
		},
		"BigInt.prototype.valueOf": func(m *Machine, this Value, _ []Value) Value {
			return bigValue(m, thisBigInt(m, this))
		},
		"BigInt.prototype.toLocaleString": func(m *Machine, this Value, _ []Value) Value {
			return grouped(thisBigInt(m, this).String())
		},
	})
}
