package library

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"coredbg/runtimes/v8/ecma"
)

func init() {
	one := map[string]func(float64) float64{"cbrt": math.Cbrt, "exp": math.Exp, "expm1": math.Expm1,
		"log1p": math.Log1p,
		"sin":   math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
		"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "asinh": math.Asinh, "acosh": math.Acosh,
		"atanh":  math.Atanh,
		"fround": func(f float64) float64 { return float64(float32(f)) },
		"sign": func(f float64) float64 {
			switch {
			case f > 0:
				return 1
			case f < 0:
				return -1
			}
			return f
		},
		"clz32": func(f float64) float64 { return float64(bits.LeadingZeros32(uint32(ecma.Int32Of(f)))) },
	}
	for name, f := range one {
		intrinsics["Math."+name] = calculated(f)
	}
	register(map[string]ecma.Builtin{
		"Math.hypot": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			sum := 0.0
			for _, a := range args {
				sum = math.Hypot(sum, m.Number(a))
			}
			return sum
		},
		"Math.atan2": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return math.Atan2(m.Number(ecma.Arg(args, 0)), m.Number(ecma.Arg(args, 1)))
		},
		"Math.imul": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return float64(ecma.Int32Of(m.Number(ecma.Arg(args, 0))) * ecma.Int32Of(m.Number(ecma.Arg(args, 1))))
		},
		"Math.random": func(m *ecma.Machine, _ ecma.Value, _ []ecma.Value) ecma.Value {
			m.Fail("a random number is no value of the process")
			return nil
		},
		"Number.prototype.toPrecision":    toPrecision,
		"Number.prototype.toExponential":  toExponential,
		"Number.prototype.toLocaleString": localNumber,
	})
}

// thisNumber is this of a function of Number.prototype.
func thisNumber(m *ecma.Machine, this ecma.Value) float64 {
	if o, ok := this.(*ecma.Object); ok && o.Boxed != nil {
		this = o.Boxed
	}
	if f, ok := this.(float64); ok {
		return f
	}
	return m.Number(this)
}

func toPrecision(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
	f := thisNumber(m, this)
	if ecma.Arg(args, 0) == nil || f != f || math.IsInf(f, 0) {
		return m.Text(f)
	}
	p := m.Integer(args[0])
	if p < 1 || p > 100 {
		m.ThrowAs("RangeError", "toPrecision() argument must be between 1 and 100")
	}
	e := 0
	if f != 0 {
		_, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', p-1, 64), "e")
		e, _ = strconv.Atoi(exponent)
	}
	if e < -6 || e >= p {
		return exponential(strconv.FormatFloat(f, 'e', p-1, 64))
	}
	return strconv.FormatFloat(f, 'f', p-1-e, 64)
}

// exponential is a number in Go's form with an exponent as JavaScript writes it.
func exponential(s string) string {
	digits, e, _ := strings.Cut(s, "e")
	n, _ := strconv.Atoi(e)
	if n < 0 {
		return digits + "e" + strconv.Itoa(n)
	}
	return digits + "e+" + strconv.Itoa(n)
}

func toExponential(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
	f := thisNumber(m, this)
	if f != f || math.IsInf(f, 0) {
		return m.Text(f)
	}
	n := -1
	if ecma.Arg(args, 0) != nil {
		if n = m.Integer(args[0]); n < 0 || n > 100 {
			m.ThrowAs("RangeError", "toExponential() argument must be between 0 and 100")
		}
	}
	return exponential(strconv.FormatFloat(f, 'e', n, 64))
}

// rounded writes a number with some digits behind its point; of two that are as near, the one further from zero.
func rounded(f float64, digits int) string {
	exact := new(big.Rat).SetFloat64(f)
	if exact == nil {
		return strconv.FormatFloat(f, 'f', digits, 64)
	}
	return exact.FloatString(digits)
}

// grouped separates the thousands of a number.
func grouped(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// inBase writes a number in another base, as V8's DoubleToRadixCString does.
func inBase(f float64, base int) string {
	switch {
	case f != f:
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	whole := math.Floor(f)
	zeros := 0
	for shifted := whole; shifted >= 1<<53; zeros++ { // digits that a double does not tell apart
		shifted /= float64(base)
		whole = shifted
	}
	n, _ := new(big.Float).SetFloat64(math.Floor(whole)).Int(nil)
	out, fraction := n.Text(base)+strings.Repeat("0", zeros), f-math.Floor(f)
	// Digits until the number is told from its neighbours.
	delta := math.Max(0.5*(math.Nextafter(f, math.Inf(1))-f), math.SmallestNonzeroFloat64)
	if fraction < delta {
		return sign + out
	}
	digits, carry := fractionDigits(fraction, delta, base)
	if carry {
		out = new(big.Int).Add(n, big.NewInt(1)).Text(base)
	}
	if digits != "" {
		out += "." + digits
	}
	return sign + out
}

// fractionDigits are the digits of a fraction in a base, up to a difference; with carry it was rounded up to 1.
func fractionDigits(fraction, delta float64, base int) (text string, carry bool) {
	var digits []int
	for {
		fraction *= float64(base)
		delta *= float64(base)
		digit := int(fraction)
		digits = append(digits, digit)
		fraction -= float64(digit)
		if (fraction > 0.5 || fraction == 0.5 && digit&1 == 1) && fraction+delta > 1 {
			for len(digits) > 0 {
				last := len(digits) - 1
				if digits[last]++; digits[last] < base {
					break
				}
				digits = digits[:last]
			}
			carry = len(digits) == 0
			break
		}
		if fraction < delta {
			break
		}
	}
	var b strings.Builder
	for _, d := range digits {
		b.WriteString(strconv.FormatInt(int64(d), base))
	}
	return b.String(), carry
}
