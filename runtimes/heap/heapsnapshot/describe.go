package heapsnapshot

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// maxText bounds the bytes of a string that are read: V8 cuts them at 1024 characters.
const maxText = 4096

// maxShown is how many characters of a string are shown.
const maxShown = 60

// stringAt returns a string, cut at maxText.
func (s *Snapshot) stringAt(n uint32) string {
	if int64(n) >= int64(len(s.text)) {
		return ""
	}
	return s.string(s.text[n])
}

// string returns the string that begins at an offset.
func (s *Snapshot) string(off int64) string {
	sc := scanner{src: s.src, off: off}
	if sc.next() != '"' {
		return ""
	}
	var out []byte
	for len(out) < maxText {
		switch c := sc.next(); {
		case c == '"' || c == 0:
			return valid(out)
		case c == '\\':
			out = sc.escape(out)
		default:
			out = append(out, c)
		}
	}
	return valid(out)
}

func valid(b []byte) string { return strings.ToValidUTF8(string(b), string(utf8.RuneError)) }

// escape appends what an escape sequence stands for.
func (s *scanner) escape(out []byte) []byte {
	switch c := s.next(); c {
	case 'n':
		return append(out, '\n')
	case 't':
		return append(out, '\t')
	case 'r':
		return append(out, '\r')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case 'u':
		r := s.unit()
		if utf16.IsSurrogate(r) {
			low := utf8.RuneError
			if s.i+1 < len(s.w) && s.w[s.i] == '\\' && s.w[s.i+1] == 'u' {
				s.i += 2
				low = s.unit()
			}
			r = utf16.DecodeRune(r, low)
		}
		return utf8.AppendRune(out, r)
	default:
		return append(out, c)
	}
}

// unit reads the four digits of a code unit.
func (s *scanner) unit() rune {
	var d [4]byte
	for i := range d {
		d[i] = s.next()
	}
	var b [2]byte
	if _, err := hex.Decode(b[:], d[:]); err != nil {
		return utf8.RuneError
	}
	return rune(b[0])<<8 | rune(b[1])
}

// Describe says what a node is: the text of a string, the name of a function.
func (s *Snapshot) Describe(at core.Addr) string {
	n, ok := s.nodeAt(at)
	if !ok {
		return ""
	}
	name := s.stringAt(s.name[n])
	if r := []rune(name); len(r) > maxShown {
		name = string(r[:maxShown]) + "…"
	}
	switch kind := s.node.kinds[s.kind[n]]; kind {
	case "string", "concatenated string", "sliced string":
		return strconv.Quote(name)
	case "object", "native", "synthetic":
		return name
	case "regexp":
		return "RegExp /" + name + "/"
	}
	return strings.TrimSpace(s.classes[s.typ[n]].Class + " " + name)
}

// FunctionOf says which function a node is.
func (s *Snapshot) FunctionOf(at core.Addr) (name string, place heap.Place, ok bool) {
	n, ok := s.nodeAt(at)
	if !ok || s.node.kinds[s.kind[n]] != "closure" {
		return "", place, false
	}
	return s.stringAt(s.name[n]), place, true
}

// reference says what an edge is.
func (s *Snapshot) reference(e uint32) heap.Reference {
	kind := heap.ReferenceKind(s.edge.kinds[s.edgeKind[e]])
	if kind == "context" {
		kind = heap.Variable
	}
	if s.numbered[s.edgeKind[e]] {
		return heap.Reference{Kind: kind, Name: strconv.FormatUint(uint64(s.edgeName[e]), 10)}
	}
	return heap.Reference{Kind: kind, Name: s.stringAt(s.edgeName[e])}
}

// References visits all edges of a node, weak ones too.
func (s *Snapshot) References(at core.Addr, _ uint64, visit func(heap.Edge)) {
	n, ok := s.nodeAt(at)
	if !ok {
		return
	}
	r := s.Reader().(*edgeReader)
	for e := s.first[n]; e < s.first[n+1]; e++ {
		visit(heap.Edge{Reference: s.reference(e), To: addr(s.to[e]), Weak: !r.keeps(n, e)})
	}
}

// Steps describes a way: of several edges between two nodes, the first that keeps the
// second alive is named.
func (s *Snapshot) Steps(path []core.Addr) []heap.Step {
	steps := make([]heap.Step, len(path))
	r := s.Reader().(*edgeReader)
	for i, at := range path {
		n, ok := s.nodeAt(at)
		if !ok {
			continue
		}
		steps[i].Class = s.Describe(at)
		if i == 0 {
			continue
		}
		from, ok := s.nodeAt(path[i-1])
		for e := s.first[from]; ok && e < s.first[from+1]; e++ {
			if s.to[e] == n && r.keeps(from, e) {
				steps[i].Reference = s.reference(e)
				break
			}
		}
	}
	return steps
}
