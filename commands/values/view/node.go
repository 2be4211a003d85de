package view

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

// A Kind is the kind of a node.
type Kind uint8

const (
	Scalar  Kind = iota // a number, a pointer, a name
	Text                // a string
	Object              // members
	Array               // elements
	Pair                // a key and its value, an element of an array
	Unknown             // not known, for a reason
)

// A Node is a value as it is shown: as text and as JSON.
type Node struct {
	Kind   Kind
	Name   string    // of the member; "" of an element
	Type   string    // the type's name
	Addr   core.Addr // 0 if it is not in memory
	Text   string    // of scalar, text and unknown
	JSON   any       // of scalar: a number, a bool, a string, or nil
	List   []*Node
	Tag    string       // the variant's name, before its members
	Tuple  bool         // an array in parentheses
	prefix string       // the address that leads here, before the value
	More   int64        // elements that are not shown
	Note   string       // after the value: the symbol that a pointer leads to
	Str    string       // what a pointer to characters leads to
	HasStr bool         // Str is set
	Cut    bool         // Str is not all of it
	value  *dwarf.Value // of a pair
	// opened is the structure that a pointer leads to. It is shown behind the address; JSON has the address alone.
	opened *Node
	// Constant is the name that an integer of Go has, which is its text, too.
	Constant string
}

// round makes a node with only numbers as member names an array: Rust's tuples.
func (n *Node) round() {
	for i, x := range n.List {
		if x.Name != "__"+strconv.Itoa(i) {
			return
		}
	}
	if len(n.List) == 0 || n.Kind != Object {
		return
	}
	n.Kind, n.Tuple = Array, true
	for _, x := range n.List {
		x.Name = ""
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
func (n *Node) MarshalJSON() ([]byte, error) {
	switch n.Kind {
	case Text:
		return json.Marshal(valid(n.Text))
	case Unknown:
		return json.Marshal(map[string]string{"error": n.Text})
	case Array, Pair, Object:
		return n.wholeJSON()
	}
	if n.HasStr {
		return json.Marshal(valid(n.Str))
	}
	if s, ok := n.JSON.(string); ok {
		return json.Marshal(valid(s))
	}
	return json.Marshal(n.JSON)
}

// LeftOut returns how many elements, members and characters of a value are not shown; -1 if that
// is not known.
func (n *Node) LeftOut() int64 {
	count := max(n.More, 0)
	if n.More < 0 || n.Cut {
		return -1
	}
	for _, x := range n.List {
		more := x.LeftOut()
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
func (n *Node) listJSON() ([]byte, error) {
	named := n.Kind == Array && len(n.List) > 0
	for _, x := range n.List {
		named = named && x.Kind == Pair && x.List[0].Kind == Text
	}
	if !named {
		if n.List == nil {
			return []byte("[]"), nil
		}
		return json.Marshal(n.List)
	}
	members := make([]*Node, len(n.List))
	for i, x := range n.List {
		m := *x.List[1]
		m.Name = x.List[0].Text
		members[i] = &m
	}
	return membersJSON(members)
}

// wholeJSON writes a node with parts; a variant is an object with its name as the only key, or
// its name alone.
func (n *Node) wholeJSON() (inner []byte, err error) {
	switch {
	case n.Tag != "" && len(n.List) == 0 && n.More == 0:
		return json.Marshal(valid(n.Tag))
	case n.Tag != "" && n.Tuple && len(n.List) == 1:
		inner, err = n.List[0].MarshalJSON()
	case n.Kind == Object:
		inner, err = membersJSON(n.List)
	default:
		inner, err = n.listJSON()
	}
	if err != nil || n.Tag == "" {
		return inner, err
	}
	tag, err := json.Marshal(valid(n.Tag))
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{{'{'}, tag, {':'}, inner, {'}'}}, nil), nil
}

// flattened returns members, with nameless members replaced by their own members, as C has them.
func flattened(list []*Node) []*Node {
	var out []*Node
	for _, x := range list {
		if x.Name == "" && x.Kind == Object && x.Tag == "" {
			out = append(out, flattened(x.List)...)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// membersJSON writes an object in the members' order.
func membersJSON(list []*Node) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, x := range flattened(list) {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(valid(x.Name))
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
