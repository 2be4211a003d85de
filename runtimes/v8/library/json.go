package library

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"coredbg/runtimes/v8/ecma"
)

func init() {
	register(map[string]ecma.Builtin{"JSON.stringify": Stringify})
}

// Stringify is JSON.stringify (ECMA-262, 25.5.2).
func Stringify(m *ecma.Machine, _ ecma.Value, args []ecma.Value) ecma.Value {
	w := &jsonWriter{m: m}
	switch by := ecma.Arg(args, 1); {
	case m.TypeOf(by) == "function":
		w.replacer = by
	case IsArray(m, by):
		w.only = []string{}
		for _, x := range ecma.ElementsOf(m, by) {
			if name := m.Text(x); !slices.Contains(w.only, name) {
				w.only = append(w.only, name)
			}
		}
	}
	switch gap := ecma.Arg(args, 2).(type) {
	case float64:
		if gap >= 1 { // not NaN
			w.gap = strings.Repeat(" ", int(min(10, gap)))
		}
	case string:
		w.gap = m.Prefix(gap, 10)
	}
	holder := &ecma.Object{}
	holder.Set(ecma.Key{}, ecma.Arg(args, 0))
	if !w.value(holder, ecma.Arg(args, 0), "", "") {
		return nil
	}
	return w.b.String()
}

// A jsonWriter writes one value as JSON.
type jsonWriter struct {
	m    *ecma.Machine
	b    bytes.Buffer
	gap  string
	open []ecma.Value // objects that the value is in

	replacer ecma.Value // a function; nil without one
	only     []string   // the members that are written, in order; nil for all
}

// value writes a value that is the member key of another. It reports false for a value that JSON leaves out.
func (w *jsonWriter) value(holder, v ecma.Value, key, indent string) bool {
	m := w.m
	m.Step()
	if w.b.Len() > m.Longest {
		m.Fail("a string is too long")
	}
	if m.IsObject(v) {
		if fn := m.Get(v, ecma.Key{Name: "toJSON"}); m.TypeOf(fn) == "function" {
			v = m.Call(fn, v, []ecma.Value{key})
		}
	}
	if w.replacer != nil {
		v = m.Call(w.replacer, holder, []ecma.Value{key, v})
	}
	if m.IsObject(v) {
		v = unboxed(m, v, nil)
	}
	switch x := v.(type) {
	case ecma.Null:
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
			w.b.WriteString(m.Text(x))
		}
		return true
	}
	switch m.TypeOf(v) {
	case "bigint":
		m.Throw("Do not know how to serialize a BigInt")
	case "object":
		w.object(v, indent)
		return true
	}
	return false
}

// object writes an array or the members of another object.
func (w *jsonWriter) object(v ecma.Value, indent string) {
	m := w.m
	if slices.Contains(w.open, v) {
		m.Throw("Converting circular structure to JSON")
	}
	if len(w.open) >= ecma.MaxCalls {
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
	if IsArray(m, v) {
		brackets = "[]"
	}
	w.b.WriteByte(brackets[0])
	if brackets == "[]" {
		n := int(min(m.Number(m.Get(v, ecma.Key{Name: "length"})), ecma.MaxItems+1))
		if n > ecma.MaxItems {
			m.Fail("an array is too long")
		}
		for i := range n {
			separate()
			name := m.Text(float64(i))
			if !w.value(v, m.Get(v, ecma.Key{Name: name}), name, inner) {
				w.b.WriteString("null")
			}
		}
	} else {
		w.eachMember(v, func(k ecma.Key, x ecma.Value) {
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
func (w *jsonWriter) eachMember(v ecma.Value, yield func(k ecma.Key, x ecma.Value)) {
	if w.only == nil {
		w.m.Each(v, yield)
		return
	}
	for _, name := range w.only {
		yield(ecma.Key{Name: name}, w.m.Get(v, ecma.Key{Name: name}))
	}
}

// quoteJSON is QuoteJSONString (ECMA-262, 25.5.2.3).
func quoteJSON(b *bytes.Buffer, s string) {
	const short = "\b\t\n\f\r\"\\"
	b.WriteByte('"')
	run := []uint16(nil)
	flush := func() {
		b.WriteString(ecma.FromUnits(run))
		run = run[:0]
	}
	list := ecma.Units(s)
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
