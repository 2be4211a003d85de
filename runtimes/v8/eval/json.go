package eval

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
)

func init() {
	register(map[string]builtin{"JSON.stringify": stringify})
}

// stringify is JSON.stringify (ECMA-262, 25.5.2). A replacer is not known.
func stringify(m *Machine, _ Value, args []Value) Value {
	if !isNullish(arg(args, 1)) {
		m.Fail("JSON.stringify with a replacer is not known")
	}
	w := &jsonWriter{m: m}
	switch gap := arg(args, 2).(type) {
	case float64:
		if gap >= 1 { // not NaN
			w.gap = strings.Repeat(" ", int(min(10, gap)))
		}
	case string:
		w.gap = m.Prefix(gap, 10)
	}
	if !w.value(arg(args, 0), "", "") {
		return nil
	}
	return w.b.String()
}

// A jsonWriter writes one value as JSON.
type jsonWriter struct {
	m    *Machine
	b    bytes.Buffer
	gap  string
	open []Value // objects that the value is in
}

// value writes a value that is the member key of another. It reports false for a value that JSON leaves out.
func (w *jsonWriter) value(v Value, key, indent string) bool {
	m := w.m
	m.step()
	if w.b.Len() > maxText {
		m.Fail("a string is too long")
	}
	if m.IsObject(v) {
		if fn := m.get(v, Key{Name: "toJSON"}); m.typeOf(fn) == "function" {
			v = m.call(fn, v, []Value{key})
		}
	}
	switch x := v.(type) {
	case Null:
		w.b.WriteString("null")
		return true
	case bool:
		fmt.Fprint(&w.b, x)
		return true
	case string:
		quoteJSON(&w.b, x)
		return true
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			w.b.WriteString("null")
		} else {
			w.b.WriteString(m.text(x))
		}
		return true
	}
	switch m.typeOf(v) {
	case "bigint":
		m.Throw("a BigInt cannot be written as JSON")
	case "object":
		w.object(v, indent)
		return true
	}
	return false
}

// object writes an array or the members of another object.
func (w *jsonWriter) object(v Value, indent string) {
	m := w.m
	if slices.Contains(w.open, v) {
		m.Throw("an object that is in itself cannot be written as JSON")
	}
	if len(w.open) >= maxCalls {
		m.Fail("its values are nested too deep")
	}
	w.open = append(w.open, v)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	inner, first := indent+w.gap, true
	separate := func() {
		if !first {
			w.b.WriteByte(',')
		}
		if first = false; w.gap != "" {
			w.b.WriteString("\n" + inner)
		}
	}
	brackets := "{}"
	if isArray(m, v) {
		brackets = "[]"
	}
	w.b.WriteByte(brackets[0])
	if brackets == "[]" {
		n := int(min(m.number(m.get(v, Key{Name: "length"})), maxItems+1))
		if n > maxItems {
			m.Fail("an array is too long")
		}
		for i := range n {
			separate()
			name := m.text(float64(i))
			if !w.value(m.get(v, Key{Name: name}), name, inner) {
				w.b.WriteString("null")
			}
		}
	} else {
		m.Each(v, func(k Key, x Value) {
			if k.Symbol != 0 {
				return
			}
			before, was := w.b.Len(), first
			separate()
			quoteJSON(&w.b, k.Name)
			w.b.WriteByte(':')
			if w.gap != "" {
				w.b.WriteByte(' ')
			}
			if !w.value(x, k.Name, inner) {
				w.b.Truncate(before)
				first = was
			}
		})
	}
	if !first && w.gap != "" {
		w.b.WriteString("\n" + indent)
	}
	w.b.WriteByte(brackets[1])
}

// quoteJSON is QuoteJSONString (ECMA-262, 25.5.2.3).
func quoteJSON(b *bytes.Buffer, s string) {
	const short = "\b\t\n\f\r\"\\"
	b.WriteByte('"')
	run := []uint16(nil)
	flush := func() {
		b.WriteString(fromUnits(run))
		run = run[:0]
	}
	list := units(s)
	for i, u := range list {
		lone := u >= 0xd800 && u < 0xdc00 && (i+1 == len(list) || list[i+1]&0xfc00 != 0xdc00) ||
			u >= 0xdc00 && u < 0xe000 && (i == 0 || list[i-1]&0xfc00 != 0xd800)
		switch at := strings.IndexByte(short, byte(u)); {
		case u < 0x80 && at >= 0:
			flush()
			b.WriteByte('\\')
			b.WriteByte("btnfr\"\\"[at])
		case u < 0x20 || lone:
			flush()
			fmt.Fprintf(b, `\u%04x`, u)
		default:
			run = append(run, u)
		}
	}
	flush()
	b.WriteByte('"')
}
