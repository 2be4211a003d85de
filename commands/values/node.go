package values

import (
	"encoding/binary"
	"strconv"
	"unicode/utf16"

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
