package values

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// The kinds of nodes.
type nodeKind uint8

const (
	scalar  nodeKind = iota // a number, a pointer, a name
	text                    // a string
	object                  // members
	array                   // elements
	pair                    // a key and its value, an element of an array
	unknown                 // not known, for a reason
)

// A node is a value as it is shown: as text and as JSON.
type node struct {
	kind   nodeKind
	name   string    // of the member; "" of an element
	typ    string    // the type's name
	addr   core.Addr // 0 if it is not in memory
	text   string    // of scalar, text and unknown
	json   any       // of scalar: a number, a bool, a string, or nil
	list   []*node
	tag    string       // the variant's name, before its members
	tuple  bool         // an array in parentheses
	prefix string       // the address that leads here, before the value
	more   int64        // elements that are not shown
	note   string       // after the value: the symbol that a pointer leads to
	str    string       // what a pointer to characters leads to
	has    bool         // str is set
	cut    bool         // str is not all of it
	value  *dwarf.Value // of a pair
	// opened is the structure that a pointer leads to. It is shown behind the address; JSON has the address alone.
	opened *node
	// constant is the name that an integer of Go has, which is its text, too.
	constant string
}

// round makes a node with only numbers as member names an array: Rust's tuples.
func (n *node) round() {
	for i, x := range n.list {
		if x.name != "__"+strconv.Itoa(i) {
			return
		}
	}
	if len(n.list) == 0 || n.kind != object {
		return
	}
	n.kind, n.tuple = array, true
	for _, x := range n.list {
		x.name = ""
	}
}

// decodeWide returns characters of UTF-16 or UTF-32 as text.
func decodeWide(b []byte, size int, order binary.ByteOrder) string {
	var out []rune
	var half []uint16
	for i := 0; i+size <= len(b); i += size {
		if size == 2 {
			half = append(half, order.Uint16(b[i:]))
			continue
		}
		out = append(out, rune(order.Uint32(b[i:])))
	}
	if size == 2 {
		out = utf16.Decode(half)
	}
	return string(out)
}

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
