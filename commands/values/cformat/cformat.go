// Package cformat reads formats of C's printf and writes values with them.
package cformat

import (
	"fmt"
	"strconv"
	"strings"
)

// maxWidth bounds a field, in columns.
const maxWidth = 4096

// A Conversion is a part of a format of C's printf (C17, 7.21.6.1).
type Conversion struct {
	Text  string // before it
	flags string
	width string
	exact string // the precision, with its dot
	size  string // of the argument: h, l, z
	Verb  byte   // 0 for the text at the end
}

// Parse splits a format into conversions with the texts before them.
func Parse(format string) (list []Conversion, err error) {
	text := ""
	for format != "" {
		before, rest, found := strings.Cut(format, "%")
		if text += before; !found {
			break
		}
		if strings.HasPrefix(rest, "%") {
			text, format = text+"%", rest[1:]
			continue
		}
		c := Conversion{Text: text}
		c.flags, rest = cutSet(rest, "-+ #0")
		c.width, rest = cutSet(rest, "0123456789")
		if strings.HasPrefix(rest, ".") {
			c.exact, rest = cutSet(rest[1:], "0123456789")
			c.exact = "." + c.exact
		}
		c.size, rest = cutSet(rest, "hlLqjzt")
		if rest == "" || strings.IndexByte("diuxXocspfeEgGaA", rest[0]) < 0 {
			return nil, fmt.Errorf("the format has a %% that begins no conversion: %%%.10s", rest)
		}
		for _, n := range []string{c.width, strings.TrimPrefix(c.exact, ".")} {
			if i, err := strconv.Atoi(n); n != "" && (err != nil || i > maxWidth) {
				return nil, fmt.Errorf("a width of %s is too large", n)
			}
		}
		c.Verb, format, text = rest[0], rest[1:], ""
		list = append(list, c)
	}
	return append(list, Conversion{Text: text}), nil
}

// cutSet splits off the bytes of a set that s begins with.
func cutSet(s, set string) (head, rest string) {
	rest = strings.TrimLeft(s, set)
	return s[:len(s)-len(rest)], rest
}

// Unescape returns a text with the escapes of C's strings resolved. One that is not known stays.
func Unescape(s string) string {
	var b strings.Builder
	for s != "" {
		if strings.HasPrefix(s, `\e`) {
			b.WriteByte(0x1b)
			s = s[2:]
			continue
		}
		r, wide, rest, err := strconv.UnquoteChar(s, '"')
		if err != nil {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		if wide || r < 0x80 {
			b.WriteRune(r)
		} else {
			b.WriteByte(byte(r))
		}
		s = rest
	}
	return b.String()
}

// spec is the conversion for package fmt.
func (c *Conversion) spec(verb byte) string {
	return "%" + c.flags + c.width + c.exact + string(rune(verb))
}

// String writes a text.
func (c *Conversion) String(s string) string { return fmt.Sprintf(c.spec('s'), s) }

// IsFloat reports whether the conversion writes a real number.
func (c *Conversion) IsFloat() bool { return strings.IndexByte("feEgGaA", c.Verb) >= 0 }

// Float writes a real number.
func (c *Conversion) Float(f float64) string {
	verb := c.Verb
	if verb == 'a' || verb == 'A' {
		verb += 'x' - 'a'
	}
	return fmt.Sprintf(c.spec(verb), f)
}

// Int writes an integer whose type has size bytes. u has its sign's bits.
func (c *Conversion) Int(u uint64, size int64) string {
	bits := 64
	if size < 8 && size > 0 && !strings.HasPrefix(c.size, "l") {
		bits = int(8 * size)
	}
	switch c.Verb {
	case 'd', 'i':
		return fmt.Sprintf(c.spec('d'), int64(u))
	case 'c':
		return fmt.Sprintf(c.spec('c'), rune(u&0x1fffff))
	case 'p':
		return c.String("0x" + strconv.FormatUint(u, 16))
	case 'u':
		return fmt.Sprintf(c.spec('d'), u<<(64-bits)>>(64-bits))
	}
	return fmt.Sprintf(c.spec(c.Verb), u<<(64-bits)>>(64-bits))
}
