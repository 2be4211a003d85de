package library

import (
	"strconv"
	"strings"

	"coredbg/runtimes/v8/ecma"
)

func init() {
	register(map[string]ecma.Builtin{"escape": escaped, "unescape": unescaped})
}

// escaped is the function escape, which writes characters as %XX and %uXXXX.
func escaped(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@*_+-./"
	var b strings.Builder
	for _, c := range ecma.Units(m.Text(ecma.Arg(args, 0))) {
		switch {
		case c < 0x80 && strings.IndexByte(plain, byte(c)) >= 0:
			b.WriteByte(byte(c))
		case c < 0x100:
			b.WriteString("%" + hexText(uint64(c)|0x100))
		default:
			b.WriteString("%u" + hexText(uint64(c)|0x10000))
		}
	}
	return m.Bounded(b.String())
}

// hexText are the digits of a number without the first one.
func hexText(n uint64) string { return strings.ToUpper(strconv.FormatUint(n, 16)[1:]) }

// unescaped is the function unescape.
func unescaped(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	u := ecma.Units(m.Text(ecma.Arg(args, 0)))
	out := u[:0:0]
	for i := 0; i < len(u); i++ {
		skip, digits := 1, 2
		if i+1 < len(u) && u[i+1] == 'u' {
			skip, digits = 2, 4
		}
		if u[i] == '%' && i+skip+digits <= len(u) {
			n, err := strconv.ParseUint(ecma.FromUnits(u[i+skip:i+skip+digits]), 16, 16)
			if err == nil {
				out = append(out, uint16(n))
				i += skip + digits - 1
				continue
			}
		}
		out = append(out, u[i])
	}
	return ecma.FromUnits(out)
}
