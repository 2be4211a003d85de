package view

import (
	"bytes"
	"strings"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// maxString bounds the characters of a text that are shown.
const maxString = 200

// charsAt returns the text of characters that have no address, up to its zero.
func charsAt(v dwarf.Value) (string, bool) {
	if t := v.Type.Strip(); t == nil || t.Kind != dwarf.Base || !isText(t) {
		return "", false
	}
	for n := int64(1); n <= maxString; n++ {
		b, err := v.Bytes(n)
		if err != nil {
			return "", false
		}
		if b[n-1] == 0 {
			return string(b[:n-1]), true
		}
	}
	return "", false
}

// isText reports whether characters of a base type make C's strings.
func isText(t *dwarf.Type) bool {
	size, _ := t.Size()
	_, ok := character(t)
	return size == 1 && ok
}

// wideChar reports whether a type is one of characters of 2 or 4 bytes: of C++, of Rust, or one of
// C's, which are typedefs of integers (ISO C, 7.19 and 7.28).
func wideChar(t *dwarf.Type) (size int64, ok bool) {
	named := false
	for range maxTypedefs {
		if t == nil {
			return 0, false
		}
		if t.Kind == dwarf.Base {
			break
		}
		if t.Kind == dwarf.Typedef {
			named = named || t.Own() == "wchar_t" || t.Own() == "char16_t" || t.Own() == "char32_t"
		} else if t.Strip() == t {
			return 0, false
		}
		t = t.Elem()
	}
	if t == nil || t.Kind != dwarf.Base {
		return 0, false
	}
	size, _ = t.Size()
	_, ok = character(t)
	return size, (named || ok) && (size == 2 || size == 4)
}

// maxTypedefs bounds the typedefs and qualifiers of a character.
const maxTypedefs = 16

// wideAt returns the text of wide characters in memory, up to its zero; cut if that is too far.
func wideAt(v dwarf.Value, a core.Addr, size int64) (s string, cut bool, err error) {
	b := make([]byte, maxString*size)
	n, err := v.Frame().Mem.ReadAt(b, a)
	text, _, ended := strings.Cut(decodeWide(b[:n], int(size), v.Frame().Arch.Order), "\x00")
	if ended {
		return text, false, nil
	}
	return text, err == nil, err
}

// chars sets a node to the text in an array of characters, up to its first zero. An array that begins with a zero and
// has other bytes is shown up to the last of them.
func (w *Leaf) chars(n *Node, v dwarf.Value, count int64) *Node {
	take := min(count, maxString)
	b, err := v.Bytes(take)
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.Kind = Text
	i := bytes.IndexByte(b, 0)
	if rest := bytes.TrimRight(b, "\x00"); i == 0 && len(rest) > 0 { // no empty text, but bytes: not all are zero
		i = len(rest)
	}
	if i >= 0 && i < len(b) && v.First() == 0 { // languages that count from 1 do not end texts so
		b = b[:i]
	}
	n.Text = string(b)
	if int64(len(b)) == maxString && count > maxString {
		n.More = count - maxString
	}
	return n
}

// bytes sets a node to the text that a type of strings has.
func (w *Leaf) bytes(n *Node, v dwarf.Value) *Node {
	size, _ := v.Type.Size()
	b, err := v.Bytes(min(size, maxString))
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.Kind, n.Text, n.More = Text, string(b), max(size-maxString, 0)
	return n
}

// wideChars is chars for characters of 2 or 4 bytes.
func (w *Leaf) wideChars(n *Node, v dwarf.Value, count, size int64) *Node {
	take := min(count, maxString)
	b, err := v.Bytes(take * size)
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.Kind = Text
	ended := false
	if n.Text, _, ended = strings.Cut(decodeWide(b, int(size), v.Frame().Arch.Order), "\x00"); !ended {
		n.More = count - take
	}
	return n
}
