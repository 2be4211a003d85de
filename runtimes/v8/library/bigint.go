package library

import (
	"math"
	"math/big"

	"coredbg/runtimes/v8/ecma"
)

func bigOf(b ecma.BigInt) *big.Int {
	n, ok := new(big.Int).SetString(string(b), 10)
	if !ok {
		return new(big.Int)
	}
	return n
}

func bigValue(m *ecma.Machine, n *big.Int) ecma.BigInt {
	if n.BitLen() > ecma.MaxBits {
		m.ThrowAs("RangeError", "Maximum BigInt size exceeded")
	}
	m.Spend(n.BitLen() / 64)
	return ecma.BigInt(n.String())
}

// BigArithmetic is an operator on two BigInts.
func BigArithmetic(m *ecma.Machine, op string, x, y ecma.BigInt) ecma.Value {
	a, b := bigOf(x), bigOf(y)
	switch {
	case b.Sign() == 0 && (op == "/" || op == "%"):
		m.ThrowAs("RangeError", "Division by zero")
	case op == "**" && b.Sign() < 0:
		m.ThrowAs("RangeError", "Exponent must be non-negative")
	case (op == "**" || op == "<<") && a.BitLen() > 1 && (!b.IsInt64() || b.Int64() > ecma.MaxBits ||
		op == "**" && b.Int64()*int64(a.BitLen()) > 2*ecma.MaxBits):
		m.ThrowAs("RangeError", "Maximum BigInt size exceeded")
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
	n := uint(2 * ecma.MaxBits)
	if size := new(big.Int).Abs(b); size.IsInt64() && size.Int64() < int64(n) {
		n = uint(size.Int64())
	}
	if left {
		return new(big.Int).Lsh(a, n)
	}
	return new(big.Int).Rsh(a, n)
}

// BigCompare compares a BigInt with a number or a text. It is not ok if either is not a number.
func BigCompare(m *ecma.Machine, a, b ecma.Value) (sign int, ok bool) {
	x, y := exactOf(m, a), exactOf(m, b)
	if x == nil || y == nil {
		return 0, false
	}
	return x.Cmp(y), true
}

// exactOf is a number, a BigInt or a text as a number without bounds; nil if it is none.
func exactOf(m *ecma.Machine, v ecma.Value) *big.Float {
	const bits = 2 * ecma.MaxBits
	switch x := v.(type) {
	case ecma.BigInt:
		return new(big.Float).SetPrec(bits).SetInt(bigOf(x))
	case string:
		if b, ok := ecma.BigLiteral(x); ok {
			return exactOf(m, ecma.BigInt(b))
		}
		return nil
	}
	f := m.Number(v)
	if math.IsNaN(f) {
		return nil
	}
	return new(big.Float).SetPrec(bits).SetFloat64(f)
}

// toBigInt is BigInt(v).
func toBigInt(m *ecma.Machine, v ecma.Value) ecma.Value {
	switch x := m.ToPrimitive(v, "number").(type) {
	case ecma.BigInt:
		return x
	case bool:
		if x {
			return ecma.BigInt("1")
		}
		return ecma.BigInt("0")
	case float64:
		if x != math.Trunc(x) || math.IsInf(x, 0) {
			m.ThrowAs("RangeError", "The number %s cannot be converted to a BigInt because it is not an integer",
				m.Text(x))
		}
		n, _ := new(big.Float).SetFloat64(x).Int(nil)
		return bigValue(m, n)
	case string:
		if b, ok := ecma.BigLiteral(x); ok {
			return ecma.BigInt(b)
		}
		m.ThrowAs("SyntaxError", "Cannot convert %s to a BigInt", x)
	}
	m.Throw("Cannot convert %s to a BigInt", ecma.ShownValue(m, v))
	return nil
}

// uintValue is a word as a BigInt.
func uintValue(n uint64) ecma.BigInt { return ecma.BigInt(new(big.Int).SetUint64(n).String()) }

// thisBigInt is this of a function of BigInt.prototype.
func thisBigInt(m *ecma.Machine, this ecma.Value) *big.Int {
	if o, ok := this.(*ecma.Object); ok {
		this = o.Boxed
	}
	b, ok := this.(ecma.BigInt)
	if !ok {
		m.Throw("it is not a BigInt")
	}
	return bigOf(b)
}

// wrapped is BigInt.asIntN and BigInt.asUintN.
func wrapped(signed bool) ecma.Builtin {
	return func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		bits := m.Integer(ecma.Arg(args, 0))
		if bits < 0 || bits > ecma.MaxBits {
			m.ThrowAs("RangeError", "Invalid value: not (convertible to) a safe integer")
		}
		n := bigOf(toBigInt(m, ecma.Arg(args, 1)).(ecma.BigInt))
		size := new(big.Int).Lsh(big.NewInt(1), uint(bits))
		n.Mod(n, size)
		if signed && bits > 0 && n.Bit(bits-1) == 1 {
			n.Sub(n, size)
		}
		return bigValue(m, n)
	}
}

func init() {
	register(map[string]ecma.Builtin{
		"BigInt": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return toBigInt(m, ecma.Arg(args, 0))
		},
		"BigInt.asIntN":  wrapped(true),
		"BigInt.asUintN": wrapped(false),
		"BigInt.prototype.toString": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			base := 10
			if ecma.Arg(args, 0) != nil {
				base = m.Integer(args[0])
			}
			if base < 2 || base > 36 {
				m.ThrowAs("RangeError", "toString() radix must be between 2 and 36")
			}
			return thisBigInt(m, this).Text(base)
		},
		"BigInt.prototype.valueOf": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			return bigValue(m, thisBigInt(m, this))
		},
		"BigInt.prototype.toLocaleString": func(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
			return grouped(thisBigInt(m, this).String())
		},
	})
}
