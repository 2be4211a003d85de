package out

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
)

// JSON writes v as one line of JSON. Keys keep the order of the struct's
// fields. The list of a Long record is written element by element.
func (w *Writer) JSON(v any) error {
	if err := w.object(v); err != nil {
		return err
	}
	w.putWhole("\n")
	return w.err
}

// A Long is a record with a list that may be too long to hold.
type Long interface {
	// Long returns the record with an empty list, the key and the elements of the list. An element is a
	// value, a Long too, or finished JSON as a json.RawMessage. A list of nil stands for a record that
	// is not long.
	Long() (head any, key string, list iter.Seq[any])
}

// object writes v as JSON without a newline.
func (w *Writer) object(v any) error {
	var list iter.Seq[any]
	head, key := v, ""
	if l, ok := v.(Long); ok {
		if head, key, list = l.Long(); list == nil {
			head = v
		}
	}
	b, err := Marshal(head)
	if err != nil {
		return fmt.Errorf("record %T has no JSON form: %w", v, err)
	}
	if list == nil {
		w.putWhole(escapeJSON(string(b)))
		return w.err
	}
	// A quote inside a string is escaped: what is found is the key.
	empty := []byte(`"` + key + `":[]`)
	before, after, found := bytes.Cut(b, empty)
	if !found {
		return fmt.Errorf("record %T has no empty list %s", v, key)
	}
	w.putWhole(escapeJSON(string(before)) + `"` + key + `":[`)
	if err := w.elements(list); err != nil {
		return err
	}
	w.putWhole("]" + escapeJSON(string(after)))
	return w.err
}

// elements writes a list's elements with commas between them.
func (w *Writer) elements(list iter.Seq[any]) error {
	some := false
	for x := range list {
		if some {
			w.putWhole(",")
		}
		some = true
		raw, ok := x.(json.RawMessage)
		if ok {
			w.putWhole(escapeJSON(string(unescapeHTML(raw))))
		} else if err := w.object(x); err != nil {
			return err
		}
		if w.err != nil {
			return w.err
		}
	}
	return nil
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
