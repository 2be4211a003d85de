package cformat

import (
	"strings"
	"testing"
)

// TestParse: truth is printf(1) of coreutils 9.1 for the same formats and values.
func TestParse(t *testing.T) {
	for _, x := range []struct {
		format, want string
		value        any
	}{
		{`%5d|`, "   -4|", int64(-4)}, {`%-5d|`, "-4   |", int64(-4)}, {`%05d`, "-0004", int64(-4)},
		{`%x`, "ff", int64(255)}, {`%#x`, "0xff", int64(255)}, {`%lu`, "18446744073709551615", int64(-1)},
		{`%u`, "4294967295", int64(-1)}, {`%o`, "10", int64(8)}, {`%c`, "A", int64(65)}, {`%p`, "0x10", int64(16)},
		{`%.2f`, "1.50", 1.5}, {`%g`, "0.25", 0.25}, {`%e`, "1.500000e+00", 1.5},
		{`100%% %s.`, "100% ab.", "ab"}, {`%.1s|%3s`, "", nil}, {`\t%d\n`, "\t7\n", int64(7)},
	} {
		list, err := Parse(Unescape(x.format))
		if err != nil {
			t.Errorf("%s: %v", x.format, err)
			continue
		}
		if x.value == nil {
			if len(list) != 3 || list[0].String("ab") != "a" || list[1].Text != "|" || list[1].String("b") != "  b" {
				t.Errorf("%s: %+v", x.format, list)
			}
			continue
		}
		var b strings.Builder
		for _, c := range list {
			b.WriteString(c.Text)
			switch v := x.value.(type) {
			case int64:
				if c.Verb != 0 {
					b.WriteString(c.Int(uint64(v), 4))
				}
			case float64:
				if c.Verb != 0 && c.IsFloat() {
					b.WriteString(c.Float(v))
				}
			case string:
				if c.Verb != 0 {
					b.WriteString(c.String(v))
				}
			}
		}
		if b.String() != x.want {
			t.Errorf("%s: %q, want %q", x.format, b.String(), x.want)
		}
	}
	for _, format := range []string{"%", "%y", "%99999999d", "%.99999999f", "%5"} {
		if list, err := Parse(format); err == nil {
			t.Errorf("%s: %+v", format, list)
		}
	}
}

// TestUnescape: C17, 6.4.4.4, and GCC's \e.
func TestUnescape(t *testing.T) {
	for text, want := range map[string]string{`a\nb`: "a\nb", `\x41\101`: "AA", `\e[1m`: "\x1b[1m", `\"`: `"`,
		`\q`: `\q`, `é`: "é", `\`: `\`} {
		if got := Unescape(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzParse: no format makes the parser panic, or a field without a bound.
func FuzzParse(f *testing.F) {
	f.Add("%5.3ld %s%%", "text")
	f.Fuzz(func(t *testing.T, format, text string) {
		list, err := Parse(Unescape(format))
		if err != nil {
			return
		}
		for _, c := range list {
			if c.Verb != 0 && len(c.String(text)) > len(text)*4+2*maxWidth {
				t.Errorf("%q: a long field", format)
			}
		}
	})
}
