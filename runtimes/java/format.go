package java

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A FormatOptions says how a value looks as text.
type FormatOptions struct {
	// OneLine writes no line breaks.
	OneLine bool
	// Addresses writes the address of each object before it.
	Addresses bool
	// Hex writes integers in hexadecimal.
	Hex bool
	// Width is the columns of a line; 0 for 100.
	Width int
}

// Format writes v: primitive values and strings as Java's language does,
// objects as their class with fields in braces, arrays and collections in
// brackets and braces; on one line where it fits.
func (v *Value) Format(o FormatOptions) string {
	if o.Width == 0 {
		o.Width = 100
	}
	f := &formatter{o: o}
	return f.value(v, 0)
}

type formatter struct{ o FormatOptions }

const indentation = "    "

// value writes v. Lines after the first are indented by level.
func (f *formatter) value(v *Value, level int) string {
	s := f.plain(v, level)
	if f.o.Addresses && v.Addr != 0 && v.Kind != ValueRef {
		return fmt.Sprintf("%v: %s", v.Addr, s)
	}
	return s
}

func (f *formatter) plain(v *Value, level int) string {
	switch v.Kind {
	case ValueNull:
		return "null"
	case ValueNumber:
		return f.number(v)
	case ValueString:
		s := quote(v.Text)
		if v.More > 0 {
			s += fmt.Sprintf("... %d more characters", v.More)
		}
		if v.Type != "java.lang.String" {
			return v.Type + " " + s
		}
		return s
	case ValueText:
		return ShortName(v.Type) + " " + v.Text
	case ValueClass:
		return "class " + v.Text
	case ValueEnum:
		return ShortName(v.Type) + "." + v.Text
	case ValueShut:
		return "[" + v.Type + "]"
	case ValueRef:
		return fmt.Sprintf("<%s %v>", v.Type, v.Addr)
	case ValueCorrupt:
		return "<" + v.Text + ">"
	case ValueArray:
		name := strings.Replace(v.Type, "[]", fmt.Sprintf("[%d]", v.Length), 1)
		return f.block(name, "{", "}", f.items(v, level), level)
	case ValueList:
		if v.Length == 0 && strings.HasPrefix(v.Type, "java.util.Optional") {
			return ShortName(v.Type) + ".empty"
		}
		return f.block(fmt.Sprintf("%s(%d)", v.Type, v.Length), "[", "]", f.items(v, level), level)
	case ValueMap:
		return f.block(fmt.Sprintf("%s(%d)", v.Type, v.Length), "{", "}", f.entries(v, level), level)
	}
	var parts []string
	labels := v.Labels()
	for i := range v.Fields {
		parts = append(parts, labels[i]+": "+f.value(v.Fields[i].Value, level+1))
	}
	return f.block(v.Type, "{", "}", parts, level)
}

func (f *formatter) number(v *Value) string {
	s := v.Text
	switch v.Type {
	case "byte", "short", "int", "long", "java.lang.Byte", "java.lang.Short", "java.lang.Integer", "java.lang.Long":
		if f.o.Hex {
			bits := map[byte]uint64{'b': 8, 's': 16, 'i': 32, 'B': 8, 'S': 16, 'I': 32}
			n := bits[ShortName(v.Type)[0]]
			raw := v.Raw
			if n != 0 {
				raw &= 1<<n - 1
			}
			s = fmt.Sprintf("%#x", raw)
		}
	}
	if v.Addr != 0 { // boxed
		return ShortName(v.Type) + " " + s
	}
	return s
}

// items writes elements; equal numbers in a row once, as gdb does.
func (f *formatter) items(v *Value, level int) []string {
	var parts []string
	for i := 0; i < len(v.Items); {
		s := f.value(v.Items[i], level+1)
		n := 1
		for v.Items[i].Kind != ValueObject && i+n < len(v.Items) && same(v.Items[i], v.Items[i+n]) {
			n++
		}
		if n >= 10 {
			s += fmt.Sprintf(" <repeats %d times>", n)
		} else {
			n = 1
		}
		parts = append(parts, s)
		i += n
	}
	return f.more(parts, v)
}

// same reports whether two values look the same, and are plain.
func same(a, b *Value) bool {
	return a.Kind == b.Kind && (a.Kind == ValueNumber || a.Kind == ValueNull) && a.Text == b.Text && a.Addr == b.Addr
}

func (f *formatter) entries(v *Value, level int) []string {
	var parts []string
	for i := 0; i+1 < len(v.Items); i += 2 {
		parts = append(parts, f.value(v.Items[i], level+1)+": "+f.value(v.Items[i+1], level+1))
	}
	return f.more(parts, v)
}

func (f *formatter) more(parts []string, v *Value) []string {
	if v.More > 0 {
		parts = append(parts, fmt.Sprintf("... %d more", v.More))
	}
	return parts
}

// block writes parts in brackets: on one line if that is short.
func (f *formatter) block(name, open, end string, parts []string, level int) string {
	if len(parts) == 0 {
		return name + " " + open + end
	}
	length := len(name) + 4 + level*len(indentation)
	lines := false
	for _, p := range parts {
		length += len(p) + 2
		lines = lines || strings.Contains(p, "\n")
	}
	if f.o.OneLine || !lines && length <= f.o.Width {
		if open == "[" {
			return name + " [" + strings.Join(parts, ", ") + "]"
		}
		return name + " " + open + " " + strings.Join(parts, ", ") + " " + end
	}
	in := "\n" + strings.Repeat(indentation, level+1)
	return name + " " + open + in + strings.Join(parts, ","+in) + "\n" + strings.Repeat(indentation, level) + end
}

// quote writes text as a string of Java's language, and escapes characters that a terminal could take
// for more than text, and surrogates without their other half.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for rest := s; rest != ""; {
		if unit, ok := LoneSurrogate(rest); ok {
			fmt.Fprintf(&b, `\u%04x`, unit)
			rest = rest[3:]
			continue
		}
		n := 1
		for n < len(rest) && rest[n] != 0xed {
			n++
		}
		text := strconv.Quote(rest[:n])
		if n < len(rest) { // 0xed begins a character
			if _, lone := LoneSurrogate(rest[n:]); !lone {
				_, size := utf8.DecodeRuneInString(rest[n:])
				n += size
				text = strconv.Quote(rest[:n])
			}
		}
		b.WriteString(text[1 : len(text)-1])
		rest = rest[n:]
	}
	b.WriteByte('"')
	return b.String()
}
