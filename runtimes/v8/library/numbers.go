package library

import (
	"math"
	"math/big"
	"strings"

	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

func init() {
	register(map[string]ecma.Builtin{
		"Number": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			if len(args) == 0 {
				return 0.0
			}
			if b, ok := m.ToPrimitive(args[0], "number").(ecma.BigInt); ok {
				f, _ := new(big.Float).SetInt(bigOf(b)).Float64()
				return f
			}
			return m.Number(args[0])
		},
		"Boolean": func(_ *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return ecma.Truthy(ecma.Arg(args, 0))
		},
		"Number.isInteger": func(_ *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			f, ok := ecma.Arg(args, 0).(float64)
			return ok && f == math.Trunc(f) && !math.IsInf(f, 0)
		},
		"Number.isSafeInteger": func(_ *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			f, ok := ecma.Arg(args, 0).(float64)
			return ok && f == math.Trunc(f) && math.Abs(f) < 1<<53
		},
		"Number.isNaN": func(_ *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			f, ok := ecma.Arg(args, 0).(float64)
			return ok && f != f
		},
		"Number.isFinite": func(_ *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			f, ok := ecma.Arg(args, 0).(float64)
			return ok && f == f && !math.IsInf(f, 0)
		},
		"isNaN": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			f := m.Number(ecma.Arg(args, 0))
			return f != f
		},
		"isFinite": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			f := m.Number(ecma.Arg(args, 0))
			return f == f && !math.IsInf(f, 0)
		},
	})
}

// Functions of Number.prototype and of Math.
func init() {
	register(map[string]ecma.Builtin{
		"parseInt": parseInt, "Number.parseInt": parseInt,
		"parseFloat": parseFloat, "Number.parseFloat": parseFloat,
		"Number.prototype.toString": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			f, base := thisNumber(m, this), 10
			if ecma.Arg(args, 0) != nil {
				base = m.Integer(args[0])
			}
			if base < 2 || base > 36 {
				m.ThrowAs("RangeError", "toString() radix must be between 2 and 36")
			}
			if base == 10 {
				return m.Text(f)
			}
			return inBase(f, base)
		},
		"Number.prototype.toFixed": func(m *ecma.Machine, this ecma.Value, args []ecma.Value) ecma.Value {
			f, digits := thisNumber(m, this), m.Integer(ecma.Arg(args, 0))
			if digits < 0 || digits > 100 {
				m.ThrowAs("RangeError", "toFixed() digits argument must be between 0 and 100")
			}
			if f != f || math.Abs(f) >= 1e21 {
				return m.Text(f)
			}
			s := rounded(f, digits)
			if f < 0 && strings.Trim(s, "0.") == "" {
				s = "-" + s
			}
			return s
		},
		"Number.prototype.valueOf":   unboxed,
		"Boolean.prototype.valueOf":  unboxed,
		"Boolean.prototype.toString": unboxedText,
		"Math.floor":                 calculated(math.Floor), "Math.ceil": calculated(math.Ceil),
		"Math.trunc": calculated(math.Trunc),
		"Math.abs":   calculated(math.Abs), "Math.sqrt": calculated(math.Sqrt), "Math.log10": calculated(math.Log10),
		"Math.log2": calculated(math.Log2), "Math.log": calculated(math.Log),
		"Math.round": calculated(func(f float64) float64 {
			if math.Abs(f) < 1<<52 && math.Floor(f+0.5) == 0 && f < 0 {
				return math.Copysign(0, -1)
			}
			if math.Abs(f) >= 1<<52 || f == 0.49999999999999994 {
				return math.Trunc(f)
			}
			return math.Floor(f + 0.5)
		}),
		"Math.max": extreme(math.Inf(-1), math.Max), "Math.min": extreme(math.Inf(1), math.Min),
		"Math.pow": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return math.Pow(m.Number(ecma.Arg(args, 0)), m.Number(ecma.Arg(args, 1)))
		},
	})
}

// unboxed is the primitive value that an object wraps.
func unboxed(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
	switch x := this.(type) {
	case *ecma.Object:
		if x.Boxed != nil {
			return x.Boxed
		}
	case ecma.Heap:
		if m.IsObject(x) && m.Kind(x) == object.KindBoxed {
			if t, ok := m.Reader.Field(layout.Tagged(x), m.Reader.Layout.JSPrimitiveWrapper.Value); ok {
				return m.Word(t)
			}
		}
	}
	return this
}

func unboxedText(m *ecma.Machine, this ecma.Value, _ []ecma.Value) ecma.Value {
	return m.Text(unboxed(m, this, nil))
}

func calculated(f func(float64) float64) ecma.Builtin {
	return func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		return f(m.Number(ecma.Arg(args, 0)))
	}
}

func extreme(from float64, f func(a, b float64) float64) ecma.Builtin {
	return func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		best := from
		for _, a := range args {
			best = f(best, m.Number(a))
		}
		return best
	}
}

func parseInt(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	s := strings.TrimSpace(m.Text(ecma.Arg(args, 0)))
	base := m.Integer(ecma.Arg(args, 1))
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

func parseFloat(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	s := strings.TrimSpace(m.Text(ecma.Arg(args, 0)))
	for n := min(len(s), 400); n > 0; n-- {
		if f := ecma.TextNumber(s[:n]); f == f {
			return f
		}
	}
	return math.NaN()
}
