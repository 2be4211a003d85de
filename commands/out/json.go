package out

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// JSON writes v as one line of JSON. Keys keep the order of the struct's
// fields.
func (w *Writer) JSON(v any) error {
	b, err := Marshal(v)
	if err != nil {
		return fmt.Errorf("record %T has no JSON form: %w", v, err)
	}
	w.putWhole(escapeJSON(string(b)) + "\n")
	return w.err
}

// A Formed is a record that programs see as another one.
type Formed interface{ JSON() any }

// Marshal makes JSON of v. It leaves < and > as they are, unlike json.Marshal:
// names of C++ and Java are full of them. A Record begins with its type.
func Marshal(v any) ([]byte, error) {
	if f, ok := v.(Formed); ok {
		v = f.JSON()
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return typed(v, unescapeHTML(bytes.TrimRight(b.Bytes(), "\n"))), err
}

// unescapeHTML undoes the escapes of <, > and & that a value has made by itself
// with json.Marshal: an encoder does not look into what a json.Marshaler wrote.
func unescapeHTML(b []byte) []byte {
	if !bytes.Contains(b, []byte(`\u00`)) {
		return b
	}
	text := b[:0]
	for len(b) > 0 {
		if b[0] != '\\' || len(b) < 2 {
			text, b = append(text, b[0]), b[1:]
			continue
		}
		if len(b) >= 6 {
			switch string(b[:6]) {
			case `\u003c`:
				text, b = append(text, '<'), b[6:]
				continue
			case `\u003e`:
				text, b = append(text, '>'), b[6:]
				continue
			case `\u0026`:
				text, b = append(text, '&'), b[6:]
				continue
			}
		}
		text, b = append(text, b[:2]...), b[2:]
	}
	return text
}

// escapeJSON writes characters that could steer a terminal as JSON escapes.
// The encoder has already escaped those below the blank.
func escapeJSON(s string) string {
	steers := func(r rune) bool { return r >= 0x7f && (r < 0xa0 || unseen(r)) }
	if strings.IndexFunc(s, steers) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if steers(r) {
			b.WriteString(escapeRune(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func escapeRune(r rune) string {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Sprintf(`\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
