package library

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"coredbg/runtimes/v8/ecma"
)

// More functions of strings, and the functions of URIs.
func init() {
	register(map[string]ecma.Builtin{
		"String.raw": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			var b strings.Builder
			for i, part := range ecma.ElementsOf(m, m.Get(ecma.Arg(args, 0), ecma.Key{Name: "raw"})) {
				if i > 0 && i < len(args) {
					b.WriteString(m.Text(args[i]))
				}
				b.WriteString(m.Text(part))
			}
			return m.Bounded(b.String())
		},
		"String.fromCharCode": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			var u []uint16
			for _, a := range args {
				u = append(u, uint16(ecma.Int32Of(m.Number(a))))
			}
			return ecma.FromUnits(u)
		},
		"String.fromCodePoint": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			var b strings.Builder
			for _, a := range args {
				f := m.Number(a)
				if f != math.Trunc(f) || f < 0 || f > unicode.MaxRune {
					m.ThrowAs("RangeError", "Invalid code point %s", m.Text(a))
				}
				if f >= 0xd800 && f < 0xe000 {
					b.WriteString(ecma.FromUnits([]uint16{uint16(f)}))
					continue
				}
				b.WriteRune(rune(f))
			}
			return b.String()
		},
		"String.prototype.codePointAt": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			u, i := ecma.Units(s), m.Integer(ecma.Arg(args, 0))
			if i < 0 || i >= len(u) {
				return nil
			}
			if rest := ecma.FromUnits(u[i:min(i+2, len(u))]); utf8.ValidString(rest) {
				c, _ := utf8.DecodeRuneInString(rest)
				return float64(c)
			}
			return float64(u[i])
		}),
		"String.prototype.at": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			u, i := ecma.Units(s), m.Integer(ecma.Arg(args, 0))
			if i < 0 {
				i += len(u)
			}
			if i < 0 || i >= len(u) {
				return nil
			}
			return ecma.FromUnits(u[i : i+1])
		}),
		"String.prototype.isWellFormed": onText(func(_ *ecma.Machine, s string, _ []ecma.Value) ecma.Value {
			return utf8.ValidString(s)
		}),
		"String.prototype.toWellFormed": onText(func(_ *ecma.Machine, s string, _ []ecma.Value) ecma.Value {
			return strings.ToValidUTF8(s, "\ufffd")
		}),
		"String.prototype.toLocaleUpperCase": onText(func(_ *ecma.Machine, s string,
			_ []ecma.Value) ecma.Value {
			return upper(s)
		}),
		"String.prototype.toLocaleLowerCase": onText(func(_ *ecma.Machine, s string, _ []ecma.Value) ecma.Value {
			return lowered(s)
		}),
		"String.prototype.toUpperCase": onText(func(_ *ecma.Machine, s string,
			_ []ecma.Value) ecma.Value {
			return upper(s)
		}),
		"String.prototype.normalize": onText(func(m *ecma.Machine, s string, _ []ecma.Value) ecma.Value {
			if strings.ContainsFunc(s, func(c rune) bool { return c >= 0x80 }) {
				m.Fail("normal forms of characters outside of ASCII are not known")
			}
			return s
		}),
		"String.prototype.localeCompare": onText(func(m *ecma.Machine, s string, args []ecma.Value) ecma.Value {
			return float64(collate(m, s, m.Text(ecma.Arg(args, 0))))
		}),
		"encodeURIComponent": encoded("-_.!~*'()"),
		"encodeURI":          encoded("-_.!~*'();/?:@&=+$,#"),
		"decodeURIComponent": decodedURI(""),
		"decodeURI":          decodedURI(";/?:@&=+$,#"),
	})
}

// lowered is toLowerCase, where one character becomes two.
func lowered(s string) string { return strings.ToLower(strings.ReplaceAll(s, "İ", "i̇")) }

// upper is toUpperCase, where a few characters become several.
func upper(s string) string {
	return strings.ToUpper(strings.NewReplacer("ß", "SS", "ﬁ", "FI", "ﬂ", "FL", "ŉ", "ʼN").Replace(s))
}

// collate compares texts of ASCII as the root collation of Unicode does: punctuation, digits, letters; case decides
// where nothing else does, with small letters first.
func collate(m *ecma.Machine, a, b string) int {
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
func encoded(left string) ecma.Builtin {
	return func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		s := m.Text(ecma.Arg(args, 0))
		if !utf8.ValidString(s) {
			m.ThrowAs("URIError", "URI malformed")
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
		return m.Bounded(b.String())
	}
}

// decodedURI makes decodeURI and decodeURIComponent; kept characters stay as they are.
func decodedURI(kept string) ecma.Builtin {
	return func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
		s := m.Text(ecma.Arg(args, 0))
		out := make([]byte, 0, len(s))
		for i := 0; i < len(s); i++ {
			if s[i] != '%' {
				out = append(out, s[i])
				continue
			}
			if i+2 >= len(s) {
				m.ThrowAs("URIError", "URI malformed")
			}
			a, b := strings.IndexByte(strings.ToLower(hexDigits), lower(s[i+1])),
				strings.IndexByte(strings.ToLower(hexDigits), lower(s[i+2]))
			if a < 0 || b < 0 {
				m.ThrowAs("URIError", "URI malformed")
			}
			if c := byte(a<<4 | b); strings.IndexByte(kept, c) >= 0 {
				out = append(out, s[i:i+3]...)
			} else {
				out = append(out, c)
			}
			i += 2
		}
		if !utf8.Valid(out) {
			m.ThrowAs("URIError", "URI malformed")
		}
		return string(out)
	}
}

// structured copies a value as structuredClone does.
func structured(m *ecma.Machine, v ecma.Value, seen map[ecma.Value]*ecma.Object) ecma.Value {
	m.Step()
	if !m.IsObject(v) {
		if m.TypeOf(v) == "symbol" {
			m.ThrowAs("DataCloneError", "%s could not be cloned.", ecma.ShownValue(m, v))
		}
		return v
	}
	if o := seen[v]; o != nil {
		return o
	}
	if m.TypeOf(v) == "function" {
		m.ThrowAs("DataCloneError", "%s could not be cloned.", functionText(m, v))
	}
	if len(seen) > ecma.MaxItems {
		m.Fail("an object is too large")
	}
	o := &ecma.Object{}
	seen[v] = o
	switch class, list, typed := typedOf(m, v); {
	case typed:
		*o = *newTyped(m, class, list, nil)
		return o
	case ecma.IsDate(m, v):
		*o = *madeDate(m, dateOf(m, v))
		return o
	case isRegExp(m, v):
		source, flags := sourceOf(m, v)
		*o = *newRegExp(m, source, flags)
		return o
	case ecma.IsError(m, v):
		*o = *ecma.NewError(m, "Error", m.Text(m.Get(v, ecma.Key{Name: "message"})))
		return o
	case isCollection(m, v):
		c := ecma.CollectionOf(m, v)
		o.Collection = &ecma.Collection{IsMap: c.IsMap}
		for _, e := range slices.Clone(c.Entries) {
			o.Collection.Set(m, structured(m, e.Key, seen), structured(m, e.Value, seen))
		}
		return o
	}
	if o.Array = IsArray(m, v); o.Array {
		for _, x := range ecma.ElementsOf(m, v) {
			o.List = append(o.List, structured(m, x, seen))
		}
		return o
	}
	m.Each(v, func(k ecma.Key, x ecma.Value) {
		if !k.IsSymbol() {
			o.Set(k, structured(m, x, seen))
		}
	})
	return o
}

func init() {
	natives = append(natives, func(m *ecma.Machine, fn ecma.Heap, _ ecma.Value, args []ecma.Value) (ecma.Value, bool) {
		switch m.Name(fn) {
		case "structuredClone":
			return structured(m, ecma.Arg(args, 0), map[ecma.Value]*ecma.Object{}), true
		case "op_is_proxy":
			_, _, proxy := ecma.ProxyParts(m, ecma.Arg(args, 0))
			return proxy, true
		case "encodeUtf8String", "op_encode":
			data := []byte(strings.ToValidUTF8(m.Text(ecma.Arg(args, 0)), "\ufffd"))
			return newTyped(m, "Uint8Array", byteValues(data), nil), true
		case "decodeUTF8":
			text := strings.ToValidUTF8(string(bytesOf(m, args[:min(1, len(args))])), "\ufffd")
			return strings.TrimPrefix(text, "\ufeff"), true
		}
		return nil, false
	})
	register(map[string]ecma.Builtin{
		"structuredClone": func(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
			return structured(m, ecma.Arg(args, 0), map[ecma.Value]*ecma.Object{})
		},
	})
}

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
