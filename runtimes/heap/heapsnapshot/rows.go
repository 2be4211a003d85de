package heapsnapshot

import (
	"bufio"
	"fmt"
	"io"
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

// fieldsOf returns which those of a schema are.
func fieldsOf(schema Schema) []uint8 {
	known := map[string]uint8{"type": typeField, "name": nameField, "id": idField, "self_size": sizeField, "edge_count": edgesField}
	list := make([]uint8, len(schema.NodeFields))
	for i, f := range schema.NodeFields {
		list[i] = known[f]
	}
	return list
}

// row writes a node.
func (s *writer) row(t NodeType, name string, id, size uint64, edges int) {
	if int(t) >= len(s.schema.NodeTypes) {
		t = Hidden
	}
	b := s.buf[:0]
	if s.count.nodes > 0 {
		b = append(b, '\n', ',')
	}
	for i, f := range s.fields {
		if i > 0 {
			b = append(b, ',')
		}
		v := uint64(0)
		switch f {
		case typeField:
			v = uint64(t)
		case nameField:
			v = uint64(s.string(name))
		case idField:
			v = id
		case sizeField:
			v = size
		case edgesField:
			v = uint64(edges)
		}
		b = appendNumber(b, v)
	}
	s.count.nodes++
	s.write(s.nodes, b)
}

// edge writes an edge to a node.
func (s *writer) edge(t EdgeType, name string, index, node int) {
	b := s.buf[:0]
	if s.count.edges > 0 {
		b = append(b, '\n', ',')
	}
	b = appendNumber(b, uint64(t))
	v := uint64(max(index, 0))
	if t != ElementEdge && t != HiddenEdge {
		v = uint64(s.string(name))
	}
	b = appendNumber(append(b, ','), v)
	b = appendNumber(append(b, ','), uint64(node)*uint64(len(s.schema.NodeFields)))
	s.count.edges++
	s.write(s.edges, b)
}

// appendNumber appends a number as strconv.AppendUint does, in place: a large heap has half a
// billion digits.
func appendNumber(b []byte, v uint64) []byte {
	if v < 10 {
		return append(b, '0'+byte(v))
	}
	begin, n := len(b), 1
	for x := v; x >= 10; x /= 10 {
		n++
	}
	b = slices.Grow(b, n)[:begin+n]
	for i := begin + n - 1; i >= begin; i-- {
		b[i] = '0' + byte(v%10)
		v /= 10
	}
	return b
}

func (s *writer) write(w *bufio.Writer, b []byte) {
	s.buf = b
	if _, err := w.Write(b); err != nil && s.err == nil {
		s.err = err
	}
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
	fmt.Fprint(w, `{"snapshot":{"meta":{"node_fields":`, quoted(s.schema.NodeFields), `,"node_types":[`, quoted(s.schema.NodeTypes), `,"string"`)
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

func (s *writer) writeStrings(w *bufio.Writer) {
	io.WriteString(w, "\"strings\":[")
	for i := range s.texts.at {
		if i > 0 {
			io.WriteString(w, ",\n")
		}
		s.buf = appendQuoted(s.buf[:0], string(s.texts.text(uint32(i))))
		w.Write(s.buf)
	}
	io.WriteString(w, "]}")
}

// appendQuoted appends a string as JSON has it.
func appendQuoted(b []byte, x string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range x {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r < ' ' || r == 0x7f:
			b = append(b, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
