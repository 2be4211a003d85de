package eval

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// More functions of strings, and the functions of URIs.
func init() {
	register(map[string]builtin{
		"String.raw": func(m *Machine, _ Value, args []Value) Value {
			var b strings.Builder
			for i, part := range elementsOf(m, m.get(arg(args, 0), Key{Name: "raw"})) {
				if i > 0 && i < len(args) {
					b.WriteString(m.text(args[i]))
				}
				b.WriteString(m.text(part))
			}
			return m.bounded(b.String())
		},
		"String.fromCharCode": func(m *Machine, _ Value, args []Value) Value {
			var u []uint16
			for _, a := range args {
				u = append(u, uint16(int32Of(m.number(a))))
			}
			return fromUnits(u)
		},
		"String.fromCodePoint": func(m *Machine, _ Value, args []Value) Value {
			var b strings.Builder
			for _, a := range args {
				f := m.number(a)
				if f != math.Trunc(f) || f < 0 || f > unicode.MaxRune {
					m.throwAs("RangeError", "Invalid code point %s", m.text(a))
				}
				if f >= 0xd800 && f < 0xe000 {
					b.WriteString(fromUnits([]uint16{uint16(f)}))
					continue
				}
				b.WriteRune(rune(f))
			}
			return b.String()
		},
		"String.prototype.codePointAt": onText(func(m *Machine, s string, args []Value) Value {
			u, i := units(s), m.integer(arg(args, 0))
			if i < 0 || i >= len(u) {
				return nil
			}
			if rest := fromUnits(u[i:min(i+2, len(u))]); utf8.ValidString(rest) {
				c, _ := utf8.DecodeRuneInString(rest)
				return float64(c)
			}
			return float64(u[i])
		}),
		"String.prototype.at": onText(func(m *Machine, s string, args []Value) Value {
			u, i := units(s), m.integer(arg(args, 0))
			if i < 0 {
				i += len(u)
			}
			if i < 0 || i >= len(u) {
				return nil
			}
			return fromUnits(u[i : i+1])
		}),
		"String.prototype.isWellFormed": onText(func(_ *Machine, s string, _ []Value) Value {
			return utf8.ValidString(s)
		}),
		"String.prototype.toWellFormed": onText(func(_ *Machine, s string, _ []Value) Value {
			return strings.ToValidUTF8(s, "\ufffd")
		}),
		"String.prototype.toLocaleUpperCase": onText(func(_ *Machine, s string, _ []Value) Value { return upper(s) }),
		"String.prototype.toLocaleLowerCase": onText(func(_ *Machine, s string, _ []Value) Value {
			return strings.ToLower(s)
		}),
		"String.prototype.toUpperCase": onText(func(_ *Machine, s string, _ []Value) Value { return upper(s) }),
		"String.prototype.normalize": onText(func(m *Machine, s string, _ []Value) Value {
			if strings.ContainsFunc(s, func(c rune) bool { return c >= 0x80 }) {
				m.Fail("normal forms of characters outside of ASCII are not known")
			}
			return s
		}),
		"String.prototype.localeCompare": onText(func(m *Machine, s string, args []Value) Value {
			return float64(collate(m, s, m.text(arg(args, 0))))
		}),
		"encodeURIComponent": encoded("-_.!~*'()"),
		"encodeURI":          encoded("-_.!~*'();/?:@&=+$,#"),
		"decodeURIComponent": decodedURI(""),
		"decodeURI":          decodedURI(";/?:@&=+$,#"),
	})
}

// upper is toUpperCase, where a few characters become several.
func upper(s string) string {
	return strings.ToUpper(strings.NewReplacer("ß", "SS", "ﬁ", "FI", "ﬂ", "FL", "ŉ", "ʼN").Replace(s))
}

// collate compares texts of ASCII as the root collation of Unicode does: punctuation, digits, letters; case decides
// where nothing else does, with small letters first.
func collate(m *Machine, a, b string) int {
	plain := func(s string) bool {
		return !strings.ContainsFunc(s, func(c rune) bool { return c >= 0x80 || c < ' ' })
	}
	if a == b {
		return 0
	}
	if !plain(a) || !plain(b) {
		m.Fail("the order of characters outside of ASCII is not known")
	}
	const order = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
	weight := func(c byte) int { return strings.IndexByte(order, lower(c)) }
	for i := range min(len(a), len(b)) {
		if d := cmp.Compare(weight(a[i]), weight(b[i])); d != 0 {
			return d
		}
	}
	if d := cmp.Compare(len(a), len(b)); d != 0 {
		return d
	}
	for i := range len(a) {
		if a[i] != b[i] {
			return -cmp.Compare(a[i], b[i])
		}
	}
	return 0
}

const hexDigits = "0123456789ABCDEF"

// encoded makes encodeURI and encodeURIComponent, which leave some characters.
func encoded(left string) builtin {
	return func(m *Machine, _ Value, args []Value) Value {
		s := m.text(arg(args, 0))
		if !utf8.ValidString(s) {
			m.throwAs("URIError", "URI malformed")
		}
		var b strings.Builder
		for i := range len(s) {
			c := s[i]
			if l := lower(c); l >= 'a' && l <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(left, c) >= 0 {
				b.WriteByte(c)
				continue
			}
			b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		}
		return m.bounded(b.String())
	}
}

// decodedURI makes decodeURI and decodeURIComponent; kept characters stay as they are.
func decodedURI(kept string) builtin {
	return func(m *Machine, _ Value, args []Value) Value {
		s := m.text(arg(args, 0))
		out := make([]byte, 0, len(s))
		for i := 0; i < len(s); i++ {
			if s[i] != '%' {
				out = append(out, s[i])
				continue
			}
			if i+2 >= len(s) {
				m.throwAs("URIError", "URI malformed")
			}
			a, b := strings.IndexByte(strings.ToLower(hexDigits), lower(s[i+1])),
				strings.IndexByte(strings.ToLower(hexDigits), lower(s[i+2]))
			if a < 0 || b < 0 {
				m.throwAs("URIError", "URI malformed")
			}
			if c := byte(a<<4 | b); strings.IndexByte(kept, c) >= 0 {
				out = append(out, s[i:i+3]...)
			} else {
				out = append(out, c)
			}
			i += 2
		}
		if !utf8.Valid(out) {
			m.throwAs("URIError", "URI malformed")
		}
		return string(out)
	}
}

// structured copies a value as structuredClone does.
func structured(m *Machine, v Value, seen map[Value]*Object) Value {
	m.step()
	if !m.IsObject(v) {
		if m.typeOf(v) == "symbol" {
			m.throwAs("DataCloneError", "%s could not be cloned.", shownValue(m, v))
		}
		return v
	}
	if o := seen[v]; o != nil {
		return o
	}
	if m.typeOf(v) == "function" {
		m.throwAs("DataCloneError", "%s could not be cloned.", functionText(m, v))
	}
	if len(seen) > maxItems {
		m.Fail("an object is too large")
	}
	o := &Object{}
	seen[v] = o
	switch class, list, typed := typedOf(m, v); {
	case typed:
		*o = *newTyped(m, class, list, nil)
		return o
	case isDate(m, v):
		*o = *madeDate(m, dateOf(m, v))
		return o
	case isRegExp(m, v):
		source, flags := sourceOf(m, v)
		*o = *newRegExp(m, source, flags)
		return o
	case isError(m, v):
		*o = *newError(m, "Error", m.text(m.get(v, Key{Name: "message"})))
		return o
	case isCollection(m, v):
		c := collectionOf(m, v)
		o.Collection = &Collection{IsMap: c.IsMap}
		for _, e := range slices.Clone(c.Entries) {
			o.Collection.set(m, structured(m, e.Key, seen), structured(m, e.Value, seen))
		}
		return o
	}
	if o.Array = isArray(m, v); o.Array {
		for _, x := range elementsOf(m, v) {
			o.List = append(o.List, structured(m, x, seen))
		}
		return o
	}
	m.Each(v, func(k Key, x Value) {
		if !k.IsSymbol() {
			o.Set(k, structured(m, x, seen))
		}
	})
	return o
}

func init() {
	natives = append(natives, func(m *Machine, fn Heap, _ Value, args []Value) (Value, bool) {
		switch m.Name(fn) {
		case "structuredClone":
			return structured(m, arg(args, 0), map[Value]*Object{}), true
		case "op_is_proxy":
			_, _, proxy := proxyParts(m, arg(args, 0))
			return proxy, true
		case "encodeUtf8String", "op_encode":
			data := []byte(strings.ToValidUTF8(m.text(arg(args, 0)), "\ufffd"))
			return newTyped(m, "Uint8Array", byteValues(data), nil), true
		case "decodeUTF8":
			text := strings.ToValidUTF8(string(bytesOf(m, args[:min(1, len(args))])), "\ufffd")
			return strings.TrimPrefix(text, "\ufeff"), true
		}
		return nil, false
	})
	register(map[string]builtin{
		"structuredClone": func(m *Machine, _ Value, args []Value) Value {
			return structured(m, arg(args, 0), map[Value]*Object{})
		},
	})
}
