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

// stringify is JSON.stringify (ECMA-262, 25.5.2).
func stringify(m *Machine, _ Value, args []Value) Value {
	w := &jsonWriter{m: m}
	switch by := arg(args, 1); {
	case m.typeOf(by) == "function":
		w.replacer = by
	case isArray(m, by):
		w.only = []string{}
		for _, x := range elementsOf(m, by) {
			if name := m.text(x); !slices.Contains(w.only, name) {
				w.only = append(w.only, name)
			}
		}
	}
	switch gap := arg(args, 2).(type) {
	case float64:
		if gap >= 1 { // not NaN
			w.gap = strings.Repeat(" ", int(min(10, gap)))
		}
	case string:
		w.gap = m.Prefix(gap, 10)
	}
	holder := &Object{}
	holder.Set(Key{}, arg(args, 0))
	if !w.value(holder, arg(args, 0), "", "") {
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

	replacer Value    // a function; nil without one
	only     []string // the members that are written, in order; nil for all
}

// value writes a value that is the member key of another. It reports false for a value that JSON leaves out.
func (w *jsonWriter) value(holder, v Value, key, indent string) bool {
	m := w.m
	m.step()
	if w.b.Len() > m.longest {
		m.Fail("a string is too long")
	}
	if m.IsObject(v) {
		if fn := m.get(v, Key{Name: "toJSON"}); m.typeOf(fn) == "function" {
			v = m.call(fn, v, []Value{key})
		}
	}
	if w.replacer != nil {
		v = m.call(w.replacer, holder, []Value{key, v})
	}
	if m.IsObject(v) {
		v = unboxed(m, v, nil)
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
		m.Throw("Do not know how to serialize a BigInt")
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
		m.Throw("Converting circular structure to JSON")
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
			if !w.value(v, m.get(v, Key{Name: name}), name, inner) {
				w.b.WriteString("null")
			}
		}
	} else {
		w.eachMember(v, func(k Key, x Value) {
			if k.IsSymbol() {
				return
			}
			before, was := w.b.Len(), first
			separate()
			quoteJSON(&w.b, k.Name)
			w.b.WriteByte(':')
			if w.gap != "" {
				w.b.WriteByte(' ')
			}
			if !w.value(v, x, k.Name, inner) {
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

// eachMember calls yield for each member of an object that is written.
func (w *jsonWriter) eachMember(v Value, yield func(k Key, x Value)) {
	if w.only == nil {
		w.m.Each(v, yield)
		return
	}
	for _, name := range w.only {
		yield(Key{Name: name}, w.m.get(v, Key{Name: name}))
	}
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
