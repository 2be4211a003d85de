package ask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"coredbg/commands/out"
)

// The bounds of one entry.
const (
	maxString = 2000 // bytes of a text
	maxEntry  = 6000 // bytes of JSON
	maxText   = 4000 // bytes of lines
	maxDepth  = 64   // levels of objects and lists
)

// split returns a record as pieces of at most maxEntry bytes, and whether something was left out. A record whose list
// makes it large becomes several records with parts of the list; others are cut.
func split(record []byte) (pieces []json.RawMessage, cut bool) {
	c := &cutter{text: maxString, items: math.MaxInt}
	b, err := c.copy(record)
	if err != nil {
		return []json.RawMessage{json.RawMessage(`{"type":"text","text":"a record that cannot be shown"}`)}, true
	}
	if len(b) <= maxEntry {
		return []json.RawMessage{b}, c.cut
	}
	if parts := byList(b); parts != nil {
		for _, p := range parts {
			small, less := shrink(p)
			pieces, cut = append(pieces, small), cut || less
		}
		return pieces, cut || c.cut
	}
	small, _ := shrink(b)
	return []json.RawMessage{small}, true
}

// shrink cuts a record until it fits.
func shrink(b []byte) (json.RawMessage, bool) {
	if len(b) <= maxEntry {
		return b, false
	}
	for text, items := maxString, 1024; ; text, items = max(text/2, 40), items/2 {
		c := &cutter{text: text, items: items}
		small, err := c.copy(b)
		if err == nil && len(small) <= maxEntry {
			return small, true
		}
		if items == 0 || err != nil {
			return json.RawMessage(`{"type":"text","text":"a record that is too large to be shown"}`), true
		}
	}
}

// byList splits an object at its longest list if that has most of its bytes; nil if it cannot be.
func byList(b []byte) []json.RawMessage {
	keys, values, err := members(b)
	if err != nil {
		return nil
	}
	at := -1
	for i, v := range values {
		if v[0] == '[' && (at < 0 || len(v) > len(values[at])) {
			at = i
		}
	}
	if at < 0 || len(values[at]) < len(b)/2 {
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(values[at], &items) != nil || len(items) < 2 {
		return nil
	}
	rest := len(b) - len(values[at])
	var pieces []json.RawMessage
	for from := 0; from < len(items); {
		size, to := rest, from // items[from:to] fit
		for to < len(items) && (to == from || size+len(items[to]) < maxEntry-100) {
			size += len(items[to]) + 1
			to++
		}
		var p bytes.Buffer
		p.WriteByte('{')
		for i, k := range keys {
			v := values[i]
			if i == at {
				v, _ = json.Marshal(items[from:to])
			}
			fmt.Fprintf(&p, "%s:%s,", k, v)
		}
		fmt.Fprintf(&p, `"part":"%d to %d of %d"}`, from, to-1, len(items))
		pieces = append(pieces, p.Bytes())
		from = to
	}
	return pieces
}

// members returns the keys of an object, quoted, with their values.
func members(b []byte) (keys, values []json.RawMessage, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, fmt.Errorf("not an object: %v %w", t, err)
	}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, nil, err
		}
		name, _ := json.Marshal(k)
		keys, values = append(keys, name), append(values, v)
	}
	return keys, values, nil
}

// A cutter copies JSON and leaves out the excess: texts get an end that says how many bytes are left out, lists and
// objects end early. Characters that a terminal obeys are escaped.
type cutter struct {
	text, items int
	out         bytes.Buffer
	d           *json.Decoder
	cut         bool
}

func (c *cutter) copy(b []byte) (json.RawMessage, error) {
	c.d = json.NewDecoder(bytes.NewReader(b))
	c.d.UseNumber()
	if err := c.value(0); err != nil {
		return nil, err
	}
	return c.out.Bytes(), nil
}

func (c *cutter) value(depth int) error {
	t, err := c.d.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		return c.list(byte(t), depth)
	case string:
		c.string(t)
	case nil:
		c.out.WriteString("null")
	default:
		fmt.Fprint(&c.out, t)
	}
	return nil
}

// list copies what follows an opening bracket.
func (c *cutter) list(open byte, depth int) error {
	c.out.WriteByte(open)
	keep := c.items
	if depth >= maxDepth {
		keep = 0
	}
	if depth == 0 { // a record keeps its keys
		keep = math.MaxInt
	}
	for n := 0; c.d.More(); n++ {
		if n >= keep {
			c.cut = true
			var skipped json.RawMessage
			if open == '{' {
				if _, err := c.d.Token(); err != nil {
					return err
				}
			}
			if err := c.d.Decode(&skipped); err != nil {
				return err
			}
			continue
		}
		if n > 0 {
			c.out.WriteByte(',')
		}
		if open == '{' {
			k, err := c.d.Token()
			if err != nil {
				return err
			}
			c.string(fmt.Sprint(k))
			c.out.WriteByte(':')
		}
		if err := c.value(depth + 1); err != nil {
			return err
		}
	}
	_, err := c.d.Token()
	c.out.WriteByte(open + 2) // in ASCII both closing brackets are two after the opening ones
	return err
}

func (c *cutter) string(s string) {
	short := cutText(out.Clean(s, true), c.text)
	c.cut = c.cut || len(short) < len(s)
	e := json.NewEncoder(&c.out)
	e.SetEscapeHTML(false)
	e.Encode(short)
	c.out.Truncate(c.out.Len() - 1) // the encoder's newline
}

// cutText cuts a text after most bytes, and says how many are left out.
func cutText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes more)", s[:n], len(s)-n)
}

// shorten joins lines up to a bound.
func shorten(lines []string) string {
	var b strings.Builder
	for i, l := range lines {
		if l = cutText(strings.TrimSuffix(l, "\n"), maxString); b.Len()+len(l) > maxText {
			fmt.Fprintf(&b, "… (%d lines more)\n", len(lines)-i)
			break
		}
		b.WriteString(l + "\n")
	}
	return b.String()
}
