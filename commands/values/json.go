package values

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// MarshalJSON writes the node as plain JSON: numbers, texts, arrays, objects by member. An unknown value is
// {"error":WHY}; omitted parts are absent.
func (n *node) MarshalJSON() ([]byte, error) {
	switch n.kind {
	case text:
		return json.Marshal(valid(n.text))
	case unknown:
		return json.Marshal(map[string]string{"error": n.text})
	case array, pair, object:
		return n.wholeJSON()
	}
	if n.has {
		return json.Marshal(valid(n.str))
	}
	if s, ok := n.json.(string); ok {
		return json.Marshal(valid(s))
	}
	return json.Marshal(n.json)
}

// leftOut returns how many elements, members and characters of a value are not shown; -1 if that
// is not known.
func (n *node) leftOut() int64 {
	count := max(n.more, 0)
	if n.more < 0 || n.cut {
		return -1
	}
	for _, x := range n.list {
		more := x.leftOut()
		if more < 0 {
			return -1
		}
		count += more
	}
	return count
}

// valid replaces bytes that are not UTF-8.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// listJSON writes elements; pairs make an object if all keys are texts.
func (n *node) listJSON() ([]byte, error) {
	named := n.kind == array && len(n.list) > 0
	for _, x := range n.list {
		named = named && x.kind == pair && x.list[0].kind == text
	}
	if !named {
		if n.list == nil {
			return []byte("[]"), nil
		}
		return json.Marshal(n.list)
	}
	members := make([]*node, len(n.list))
	for i, x := range n.list {
		m := *x.list[1]
		m.name = x.list[0].text
		members[i] = &m
	}
	return membersJSON(members)
}

// wholeJSON writes a node with parts; a variant is an object with its name as the only key, or
// its name alone.
func (n *node) wholeJSON() (inner []byte, err error) {
	switch {
	case n.tag != "" && len(n.list) == 0 && n.more == 0:
		return json.Marshal(valid(n.tag))
	case n.tag != "" && n.tuple && len(n.list) == 1:
		inner, err = n.list[0].MarshalJSON()
	case n.kind == object:
		inner, err = membersJSON(n.list)
	default:
		inner, err = n.listJSON()
	}
	if err != nil || n.tag == "" {
		return inner, err
	}
	tag, err := json.Marshal(valid(n.tag))
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{{'{'}, tag, {':'}, inner, {'}'}}, nil), nil
}

// flattened returns members, with nameless members replaced by their own members, as C has them.
func flattened(list []*node) []*node {
	var out []*node
	for _, x := range list {
		if x.name == "" && x.kind == object && x.tag == "" {
			out = append(out, flattened(x.list)...)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// membersJSON writes an object in the members' order.
func membersJSON(list []*node) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, x := range flattened(list) {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(valid(x.name))
		if err != nil {
			return nil, err
		}
		value, err := x.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
