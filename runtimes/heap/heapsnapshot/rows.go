package heapsnapshot

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// The fields of nodes that are not 0.
const (
	otherField = iota
	typeField
	nameField
	idField
	sizeField
	edgesField
)

// fieldsOf returns the fields of a schema.
func fieldsOf(schema Schema) []uint8 {
	known := map[string]uint8{"type": typeField, "name": nameField, "id": idField, "self_size": sizeField,
		"edge_count": edgesField}
	list := make([]uint8, len(schema.NodeFields))
	for i, f := range schema.NodeFields {
		list[i] = known[f]
	}
	return list
}

// row keeps a node: its type and name, how far its id is from the one before, its size,
// and how many edges it has. No edge that comes later is from it.
func (s *writer) row(t NodeType, name *Name, id, size uint64, edges int) {
	if int(t) >= len(s.schema.NodeTypes) {
		t = Hidden
	}
	b := binary.AppendUvarint(s.nodes.buf, uint64(s.number(name))<<typeBits|uint64(t))
	b = binary.AppendVarint(b, int64(id-s.id))
	b = binary.AppendUvarint(b, size)
	s.nodes.buf = binary.AppendUvarint(b, uint64(edges))
	s.nodes.end()
	s.id = id
	s.count.nodes++
}

const (
	typeBits     = 5 // of types of nodes
	edgeTypeBits = 3 // of types of edges
	lastEdge     = 1<<edgeTypeBits - 1
)

// edge keeps an edge to a node: its type and name, and how far the node is from that
// which it comes from.
func (s *writer) edge(t EdgeType, name *Name, index, node int) {
	v := uint64(max(index, 0))
	if t != ElementEdge && t != HiddenEdge {
		v = uint64(s.number(name))
	}
	b := binary.AppendUvarint(s.edges.buf, v<<edgeTypeBits|uint64(t))
	s.edges.buf = binary.AppendVarint(b, int64(node-s.current))
	s.edges.end()
	s.count.edges++
}

// lastOf ends the edges of a node: later edges belong to the next.
func (s *writer) lastOf() {
	s.edges.buf = append(s.edges.buf, lastEdge)
	s.current++
}

// writeNodes writes the nodes that were kept.
func (s *writer) writeNodes(ctx context.Context, w io.Writer) error {
	id, first := uint64(0), true
	return s.nodes.text(ctx, w, "writing nodes", func(in *unspool, b []byte) []byte {
		if first {
			first = false
		} else {
			b = append(b, '\n', ',')
		}
		var v [edgesField + 1]uint64
		head := in.next()
		v[typeField], v[nameField] = head&(1<<typeBits-1), head>>typeBits
		id += uint64(in.distance())
		v[idField], v[sizeField], v[edgesField] = id, in.next(), in.next()
		for i, f := range s.fields {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendNumber(b, v[f])
		}
		return b
	})
}

// writeEdges writes the edges that were kept.
func (s *writer) writeEdges(ctx context.Context, w io.Writer) error {
	node, first := int64(0), true
	fields := uint64(len(s.schema.NodeFields))
	return s.edges.text(ctx, w, "writing edges", func(in *unspool, b []byte) []byte {
		head := in.next()
		if head == lastEdge {
			node++
			return b
		}
		if first {
			first = false
		} else {
			b = append(b, '\n', ',')
		}
		b = append(b, '0'+byte(head&(1<<edgeTypeBits-1)), ',')
		b = appendNumber(b, head>>edgeTypeBits)
		return appendNumber(append(b, ','), uint64(node+in.distance())*fields)
	})
}

// pairs are the numbers below 100 in two digits each.
var pairs = func() (list [200]byte) {
	for i := range 100 {
		list[2*i], list[2*i+1] = '0'+byte(i/10), '0'+byte(i%10)
	}
	return list
}()

// appendNumber appends a number as strconv.AppendUint does, in fewer steps: a large heap has
// half a billion digits.
func appendNumber(b []byte, v uint64) []byte {
	if v < 10 {
		return append(b, '0'+byte(v))
	}
	begin, n := len(b), digits(v)
	b = slices.Grow(b, n)[:begin+n]
	i := begin + n - 2
	for ; v >= 100; v /= 100 {
		k := v % 100 * 2
		b[i], b[i+1] = pairs[k], pairs[k+1]
		i -= 2
	}
	if v >= 10 {
		b[i], b[i+1] = pairs[2*v], pairs[2*v+1]
	} else {
		b[i+1] = '0' + byte(v)
	}
	return b
}

// digits returns how many a number has.
func digits(v uint64) int {
	n := bits.Len64(v) * 1233 >> 12 // by the logarithm of 2 to base 10, up to one too few
	if v >= tens[n] {
		n++
	}
	return n
}

// tens are the powers of ten.
var tens = func() (list [20]uint64) {
	for i, v := 0, uint64(1); i < len(list); i, v = i+1, 10*v {
		list[i] = v
	}
	return list
}()

// number returns the number of a name's string.
func (s *writer) number(name *Name) uint32 {
	if name.n == 0 {
		name.n = s.string(name.Text)
	}
	return name.n
}

// string returns the number of a string.
func (s *writer) string(text string) uint32 {
	if len(text) > maxName {
		n := maxName
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n]
	}
	return s.texts.number(text)
}

// head writes the description.
func (s *writer) head(w *bufio.Writer) {
	fmt.Fprint(w, `{"snapshot":{"meta":{"node_fields":`, quoted(s.schema.NodeFields), `,"node_types":[`,
		quoted(s.schema.NodeTypes), `,"string"`)
	for range s.schema.NodeFields[2:] {
		fmt.Fprint(w, `,"number"`)
	}
	fmt.Fprint(w, `],"edge_fields":["type","name_or_index","to_node"],`,
		`"edge_types":[["context","element","property","internal","hidden","shortcut","weak"],"string_or_number","node"],`,
		`"trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],`,
		`"trace_node_fields":["id","function_info_index","count","size","children"],`,
		`"sample_fields":["timestamp_us","last_assigned_id"],"location_fields":["object_index","script_id","line","column"]},`)
	fmt.Fprintf(w, `"node_count":%d,"edge_count":%d,"trace_function_count":0`, s.count.nodes, s.count.edges)
	if s.schema.Extra {
		fmt.Fprint(w, `,"extra_native_bytes":0`)
	}
	fmt.Fprint(w, "},\n")
}

func quoted(list []string) string {
	b := []byte{'['}
	for i, x := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendQuoted(b, x)
	}
	return string(append(b, ']'))
}

func (s *writer) writeStrings(w *bufio.Writer) error {
	io.WriteString(w, "\"strings\":[")
	first := true
	s.texts.each(func(text []byte) {
		if !first {
			io.WriteString(w, ",\n")
		}
		first = false
		s.buf = appendQuoted(s.buf[:0], string(text))
		w.Write(s.buf)
	})
	io.WriteString(w, "]}")
	return s.texts.err
}

// appendQuoted appends a string as JSON has it.
func appendQuoted(b []byte, x string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	plain := 0 // where those begin that stay as they are
	for i, r := range x {
		if r >= ' ' && r < 0x7f && r != '"' && r != '\\' {
			continue
		}
		b = append(b, x[plain:i]...)
		switch plain = i + 1; {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r < ' ' || r == 0x7f:
			b = append(b, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
		default:
			_, size := utf8.DecodeRuneInString(x[i:])
			b = utf8.AppendRune(b, r)
			plain = i + size
		}
	}
	return append(append(b, x[plain:]...), '"')
}
