package java

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// AppendJSON writes v as docs/records.md describes values of Java: plain where
// JSON can say it, {"$":KIND,…} where it cannot, and for objects {"$class":NAME}
// with their fields.
func (v *Value) AppendJSON(b []byte) []byte {
	switch v.Kind {
	case ValueNull:
		return append(b, "null"...)
	case ValueNumber:
		return v.appendNumber(b)
	case ValueString:
		if v.More > 0 {
			return fmt.Appendf(b, `{"$":"string","length":%d,"value":%s}`, v.Length, jsonText(v.Text))
		}
		return append(b, jsonText(v.Text)...)
	case ValueClass:
		return fmt.Appendf(b, `{"$":"class","name":%s,"addr":"%#x"}`, jsonText(v.Text), uint64(v.Addr))
	case ValueEnum:
		return fmt.Appendf(b, `{"$":"enum","class":%s,"name":%s}`, jsonText(v.Type), jsonText(v.Text))
	case ValueText:
		return fmt.Appendf(b, `{"$":%s,"value":%s}`, jsonText(v.Type), jsonText(v.Text))
	case ValueShut, ValueRef:
		return fmt.Appendf(b, `{"$":"ref","class":%s,"addr":"%#x"}`, jsonText(v.Type), uint64(v.Addr))
	case ValueCorrupt:
		return fmt.Appendf(b, `{"$":"error","reason":%s}`, jsonText(v.Text))
	case ValueArray, ValueList:
		b = fmt.Appendf(b, `{"$":%s,"length":%d,"values":[`, jsonText(v.Type), v.Length)
		return append(v.appendItems(b), "]}"...)
	case ValueMap:
		b = fmt.Appendf(b, `{"$":%s,"length":%d,"entries":[`, jsonText(v.Type), v.Length)
		return append(v.appendEntries(b), "]}"...)
	}
	b = fmt.Appendf(b, `{"$class":%s,"$addr":"%#x"`, jsonText(v.Type), uint64(v.Addr))
	for i, key := range v.Labels() {
		if key == "$class" || key == "$addr" {
			key = v.Fields[i].Class + "." + key
		}
		b = append(append(b, ','), jsonText(key)...)
		b = v.Fields[i].Value.AppendJSON(append(b, ':'))
	}
	return append(b, '}')
}

// appendNumber writes a number. Numbers that JSON's readers would round, or that JSON does not have,
// are written as text with the type.
func (v *Value) appendNumber(b []byte) []byte {
	const exact = 1 << 53
	switch ShortName(v.Type) {
	case "boolean", "Boolean", "AtomicBoolean":
		if v.Raw <= 1 {
			return append(b, v.Text...)
		}
	case "char", "Character":
		if utf16.IsSurrogate(rune(v.Raw)) { // half of a character, which UTF-8 cannot say
			return fmt.Appendf(b, `"\u%04x"`, v.Raw)
		}
		return append(b, jsonText(string(rune(v.Raw)))...)
	case "long", "Long", "AtomicLong":
		if n := int64(v.Raw); -exact <= n && n <= exact {
			return strconv.AppendInt(b, n, 10)
		}
	case "float", "double", "Float", "Double":
		if json.Valid([]byte(v.Text)) {
			return append(b, v.Text...)
		}
	default:
		return append(b, v.Text...)
	}
	return fmt.Appendf(b, `{"$":%s,"value":%s}`, jsonText(v.Type), jsonText(v.Text))
}

func (v *Value) appendItems(b []byte) []byte {
	for i, x := range v.Items {
		if i > 0 {
			b = append(b, ',')
		}
		b = x.AppendJSON(b)
	}
	return v.appendMore(b, len(v.Items))
}

func (v *Value) appendEntries(b []byte) []byte {
	for i := 0; i+1 < len(v.Items); i += 2 {
		if i > 0 {
			b = append(b, ',')
		}
		b = v.Items[i].AppendJSON(append(b, '['))
		b = append(v.Items[i+1].AppendJSON(append(b, ',')), ']')
	}
	return v.appendMore(b, len(v.Items))
}

func (v *Value) appendMore(b []byte, before int) []byte {
	if v.More == 0 {
		return b
	}
	if before > 0 {
		b = append(b, ',')
	}
	return fmt.Appendf(b, `{"$":"more","count":%d}`, v.More)
}

// jsonText returns text as a JSON string, with < and > as they are: names such
// as <init> are full of them. A surrogate without its other half is an escape.
func jsonText(s string) string {
	for i := 0; i < len(s); i++ {
		if unit, ok := LoneSurrogate(s[i:]); ok {
			head, tail := jsonText(s[:i]), jsonText(s[i+3:])
			return fmt.Sprintf(`%s\u%04x%s`, head[:len(head)-1], unit, tail[1:])
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
