package eval

import (
	"math"
	"strconv"
	"strings"
)

func init() {
	register(map[string]builtin{
		"Number":  func(m *Machine, _ Value, args []Value) Value { return m.number(arg(args, 0)) },
		"Boolean": func(_ *Machine, _ Value, args []Value) Value { return truthy(arg(args, 0)) },
		"Number.isInteger": func(_ *Machine, _ Value, args []Value) Value {
			f, ok := arg(args, 0).(float64)
			return ok && f == math.Trunc(f) && !math.IsInf(f, 0)
		},
		"Number.isSafeInteger": func(_ *Machine, _ Value, args []Value) Value {
			f, ok := arg(args, 0).(float64)
			return ok && f == math.Trunc(f) && math.Abs(f) < 1<<53
		},
		"Number.isNaN": func(_ *Machine, _ Value, args []Value) Value {
			f, ok := arg(args, 0).(float64)
			return ok && f != f
		},
		"Number.isFinite": func(_ *Machine, _ Value, args []Value) Value {
			f, ok := arg(args, 0).(float64)
			return ok && f == f && !math.IsInf(f, 0)
		},
		"isNaN": func(m *Machine, _ Value, args []Value) Value { f := m.number(arg(args, 0)); return f != f },
		"isFinite": func(m *Machine, _ Value, args []Value) Value {
			f := m.number(arg(args, 0))
			return f == f && !math.IsInf(f, 0)
		},
		"parseInt": parseInt, "Number.parseInt": parseInt,
		"parseFloat": parseFloat, "Number.parseFloat": parseFloat,
		"Number.prototype.toString": func(m *Machine, this Value, args []Value) Value {
			f := m.number(this)
			base := 10
			if arg(args, 0) != nil {
				base = m.integer(arg(args, 0))
			}
			if base == 10 {
				return m.text(f)
			}
			if base < 2 || base > 36 || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
				m.Fail("a number is not written in base %d", base)
			}
			return strconv.FormatInt(int64(f), base)
		},
		"Number.prototype.toFixed": func(m *Machine, this Value, args []Value) Value {
			f, digits := m.number(this), m.integer(arg(args, 0))
			if digits < 0 || digits > 100 {
				m.Throw("toFixed has 0 to 100 digits")
			}
			if f != f || math.Abs(f) >= 1e21 {
				return m.text(f)
			}
			return strconv.FormatFloat(f, 'f', digits, 64)
		},
		"Number.prototype.valueOf":   func(_ *Machine, this Value, _ []Value) Value { return this },
		"Boolean.prototype.valueOf":  func(_ *Machine, this Value, _ []Value) Value { return this },
		"Boolean.prototype.toString": func(m *Machine, this Value, _ []Value) Value { return m.text(this) },
		"BigInt.prototype.toString":  func(m *Machine, this Value, _ []Value) Value { return m.text(this) },
		"Math.floor":                 calculated(math.Floor), "Math.ceil": calculated(math.Ceil),
		"Math.trunc": calculated(math.Trunc),
		"Math.abs":   calculated(math.Abs), "Math.sqrt": calculated(math.Sqrt), "Math.log10": calculated(math.Log10),
		"Math.log2": calculated(math.Log2), "Math.log": calculated(math.Log),
		"Math.round": calculated(func(f float64) float64 { return math.Floor(f + 0.5) }),
		"Math.max":   extreme(math.Inf(-1), math.Max), "Math.min": extreme(math.Inf(1), math.Min),
		"Math.pow": func(m *Machine, _ Value, args []Value) Value {
			return math.Pow(m.number(arg(args, 0)), m.number(arg(args, 1)))
		},
	})
}

func calculated(f func(float64) float64) builtin {
	return func(m *Machine, _ Value, args []Value) Value { return f(m.number(arg(args, 0))) }
}

func extreme(from float64, f func(a, b float64) float64) builtin {
	return func(m *Machine, _ Value, args []Value) Value {
		best := from
		for _, a := range args {
			best = f(best, m.number(a))
		}
		return best
	}
}

func parseInt(m *Machine, _ Value, args []Value) Value {
	s := strings.TrimSpace(m.text(arg(args, 0)))
	base := m.integer(arg(args, 1))
	sign := 1.0
	if strings.HasPrefix(s, "-") {
		sign = -1
	}
	s = strings.TrimLeft(s, "+-")
	if (base == 0 || base == 16) && len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x' {
		s, base = s[2:], 16
	}
	if base == 0 {
		base = 10
	}
	digits := "0123456789abcdefghijklmnopqrstuvwxyz"[:max(min(base, 36), 0)]
	n := 0
	f := 0.0
	for n < len(s) && strings.IndexByte(digits, lower(s[n])) >= 0 {
		f = f*float64(base) + float64(strings.IndexByte(digits, lower(s[n])))
		n++
	}
	if n == 0 {
		return math.NaN()
	}
	return sign * f
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	return c
}

func parseFloat(m *Machine, _ Value, args []Value) Value {
	s := strings.TrimSpace(m.text(arg(args, 0)))
	for n := min(len(s), 400); n > 0; n-- {
		if f := textNumber(s[:n]); f == f {
			return f
		}
	}
	return math.NaN()
}
