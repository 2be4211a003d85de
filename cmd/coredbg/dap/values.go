package dap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands/out"
)

// A tree is a value, read from the JSON of a record, in the order of its keys.
type tree struct {
	kind  byte // '{', '[', 's' for a text, 'n' for a number, a boolean or null
	text  string
	names []string // of an object
	items []*tree
}

// maxDepth bounds the levels of a tree.
const maxDepth = 200

// parse reads a tree.
func parse(b []byte) (*tree, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return parseNext(d, 0)
}

func parseNext(d *json.Decoder, depth int) (*tree, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("a value has more than %d levels", maxDepth)
	}
	switch t := t.(type) {
	case json.Delim:
		x := &tree{kind: byte(t)}
		for d.More() {
			if x.kind == '{' {
				k, err := d.Token()
				if err != nil {
					return nil, err
				}
				x.names = append(x.names, fmt.Sprint(k))
			}
			item, err := parseNext(d, depth+1)
			if err != nil {
				return nil, err
			}
			x.items = append(x.items, item)
		}
		_, err := d.Token()
		return x, err
	case string:
		return &tree{kind: 's', text: t}, nil
	case nil:
		return &tree{kind: 'n', text: "null"}, nil
	}
	return &tree{kind: 'n', text: fmt.Sprint(t)}, nil
}

// get returns the text of a member; "" without the member.
func (t *tree) get(name string) string {
	for i, n := range t.names {
		if n == name {
			return t.items[i].text
		}
	}
	return ""
}

// addr returns the address of an object; "" if its value has no address.
func (t *tree) addr() string {
	if a := t.get("$addr"); a != "" {
		return a
	}
	if t.get("$") != "" {
		return t.get("addr")
	}
	return ""
}

// members returns the members of an object or a list, without the keys with "$" that describe it.
func (t *tree) members() (names []string, items []*tree) {
	for i, x := range t.items {
		switch {
		case t.kind == '[':
			names = append(names, strconv.Itoa(i))
		case strings.HasPrefix(t.names[i], "$"):
			continue
		default:
			names = append(names, t.names[i])
		}
		items = append(items, x)
	}
	return names, items
}

// opens reports whether a value has something inside.
func (t *tree) opens() bool {
	if t.kind != '{' && t.kind != '[' {
		return false
	}
	if special(t) != "" {
		return false
	}
	names, _ := t.members()
	return len(names) > 0
}

// special returns the text of a value that JSON itself cannot express; "" for other values.
func special(t *tree) string {
	if t.kind != '{' {
		return ""
	}
	if why := t.get("error"); why != "" && len(t.names) == 1 {
		return "<" + why + ">"
	}
	switch is := t.get("$"); is {
	case "":
		return ""
	case "undefined", "hole":
		return is
	case "function":
		return "[Function " + t.get("name") + "]"
	case "class":
		return "[class " + t.get("name") + "]"
	case "ref":
		return "[" + t.get("class") + " " + t.get("addr") + "]"
	case "unreadable":
		return "<" + t.get("reason") + ">"
	case "more":
		return "… (" + t.get("count") + " more)"
	}
	return ""
}

// maxSummary bounds the text of a value, in bytes.
const maxSummary = 200

// summary writes a value in one line.
func (t *tree) summary() string {
	var b strings.Builder
	t.write(&b, 0)
	s := out.Clean(b.String(), false)
	if len(s) > maxSummary {
		s = strings.ToValidUTF8(s[:maxSummary], "") + "…"
	}
	return s
}

func (t *tree) write(b *strings.Builder, depth int) {
	switch {
	case b.Len() > maxSummary:
		return
	case t.kind == 's' && depth == 0 && strings.HasPrefix(t.text, "0x"):
		b.WriteString(t.text)
	case t.kind == 's':
		b.WriteString(strconv.Quote(t.text[:min(len(t.text), 4*maxSummary)]))
	case t.kind == 'n':
		b.WriteString(t.text)
	case special(t) != "":
		b.WriteString(special(t))
	case depth > 2:
		b.WriteString("…")
	default:
		t.writeMembers(b, depth)
	}
}

func (t *tree) writeMembers(b *strings.Builder, depth int) {
	if class := t.get("$class"); class != "" {
		b.WriteString(class + " ")
	} else if is := t.get("$"); is != "" {
		b.WriteString(is + " ")
	}
	names, items := t.members()
	if t.kind == '[' {
		fmt.Fprintf(b, "(%d) ", len(items))
	}
	b.WriteByte(t.kind)
	for i, x := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > maxSummary {
			break
		}
		if t.kind == '{' {
			b.WriteString(names[i] + ": ")
		}
		x.write(b, depth+1)
	}
	b.WriteByte(t.kind + 2)
}
