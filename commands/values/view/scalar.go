package view

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// A Leaf makes nodes of values that have no others in them.
type Leaf struct {
	Session *commands.Session // nil if pointers are shown without names
	Hex     bool
	Lost    bool
}

// unknownNode is a value that cannot be read.
func (w *Leaf) unknownNode(n *Node, err error) *Node {
	n.Kind, n.Text = Unknown, err.Error()
	if !errors.Is(err, dwarf.ErrNoLocation) {
		w.Lost = true
	}
	return n
}

// pointed adds to a node the text that its address leads to, or why that is not known.
func (w *Leaf) pointed(n *Node, a core.Addr, s string, cut bool, err error) {
	if err == nil {
		n.Str, n.HasStr, n.Cut = s, true, cut
	} else if f := core.Fault(err); f != nil && f.Gap != core.Unmapped {
		n.Note = strings.TrimPrefix(err.Error(), a.String()+": ")
		w.Lost = true
	}
}

// symbol names what a pointer leads to: a function, or a variable.
func (w *Leaf) symbol(a core.Addr, function bool) string {
	if w.Session == nil {
		return ""
	}
	s, off, ok := w.Session.Symbols.Lookup(a)
	if !ok || function && off != 0 {
		return ""
	}
	name := sym.Demangle(s.Name, false)
	if spelt := w.spelt(a); function && spelt != "" {
		name = spelt
	}
	if s.Module != nil {
		name = s.Module.Name() + "`" + name
	}
	if off != 0 {
		name += "+0x" + strconv.FormatUint(off, 16)
	}
	return name
}

// spelt returns the name of the function at an address as the source has it, in a language whose linkage names are not
// demangled; else "".
func (w *Leaf) spelt(a core.Addr) string {
	m := w.Session.Process.Module(a)
	if m == nil {
		return ""
	}
	d, err := w.Session.Symbols.Data(m)
	link, ok := m.LinkAddr(a)
	if err != nil || !ok {
		return ""
	}
	u := d.UnitAt(link)
	if u == nil {
		return ""
	}
	calls := u.Calls(link)
	if len(calls) == 0 {
		return ""
	}
	return calls[len(calls)-1].Spelt
}

// Number sets a node to an integer.
func (w *Leaf) Number(n *Node, v dwarf.Value, signed bool) *Node {
	u, err := v.Uint()
	if err != nil {
		return w.unknownNode(n, err)
	}
	if w.Hex {
		n.Text = "0x" + strconv.FormatUint(u, 16)
	}
	if size, _ := v.Type.Size(); w.Hex && signed && v.BitSize > 0 { // with the sign, as the type has it
		i, _ := v.Int()
		n.Text = "0x" + strconv.FormatUint(cut(uint64(i), size), 16)
	}
	if i, _ := v.Int(); signed {
		n.JSON = exact(i)
		if !w.Hex {
			n.Text = strconv.FormatInt(i, 10)
		}
		return n
	}
	n.JSON = exact(u)
	if !w.Hex {
		n.Text = strconv.FormatUint(u, 10)
	}
	return n
}

// exact returns an integer for JSON: a number of up to 53 bits, else its digits as a string.
// Readers of JSON round larger numbers (RFC 8259, section 6).
func exact[T int64 | uint64](i T) any {
	const limit = 1 << 53
	if i <= limit && (i >= 0 || int64(i) >= -limit) {
		return i
	}
	return fmt.Sprint(i)
}

// address sets a node to a value of a base type that holds addresses, such as Ada's System.Address.
func (w *Leaf) address(n *Node, v dwarf.Value) *Node {
	u, err := v.Uint()
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.Text = core.Addr(u).String()
	n.JSON = n.Text
	return n
}

// base sets a node to a value of a base type.
func (w *Leaf) base(n *Node, v dwarf.Value, t *dwarf.Type) *Node {
	size, ok := t.Size()
	if ok && size == 0 { // Rust's ()
		n.Text = "()"
		return n
	}
	if x, is, err := v.Fixed(); is {
		if err != nil {
			return w.unknownNode(n, err)
		}
		f, _ := x.Float64()
		n.Text, n.JSON = strconv.FormatFloat(f, 'g', -1, 64), f
		return n
	}
	switch {
	case t.Encoding == dwarf.EncFloat:
		return w.float(n, v, size)
	case t.Encoding == dwarf.EncComplexFloat:
		return w.complex(n, v)
	case t.Encoding == dwarf.EncAddress:
		return w.address(n, v)
	case size > 8:
		return w.wide(n, v, t)
	case t.Encoding == dwarf.EncBoolean:
		return w.boolean(n, v)
	}
	w.Number(n, v, t.Encoding.Signed())
	if n.Kind == Unknown {
		return n
	}
	if c, ok := character(t); ok {
		u, _ := v.Uint()
		if u < 0x80 || c && u < 0x110000 {
			n.Note = strconv.QuoteRune(rune(u))
		}
		if n.Note != "" && (c || t.Own() == "char" || t.Lang().Ada()) {
			n.Text, n.Note = n.Note, n.Text
		}
		if c {
			n.JSON = string(rune(u))
		}
	}
	return n
}

// float sets a node to a floating-point number of size bytes.
func (w *Leaf) float(n *Node, v dwarf.Value, size int64) *Node {
	f, err := v.Float()
	if err != nil {
		return w.unknownNode(n, err)
	}
	bits := 64
	if size == 4 {
		bits = 32
	}
	n.Text = strconv.FormatFloat(f, 'g', -1, bits)
	n.JSON = f
	if math.IsNaN(f) || math.IsInf(f, 0) {
		n.JSON = n.Text
	}
	return n
}

// boolean sets a node to true or false.
func (w *Leaf) boolean(n *Node, v dwarf.Value) *Node {
	u, err := v.Uint()
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.Text, n.JSON = strconv.FormatBool(u != 0), u != 0
	if w.Hex {
		n.Text = "0x" + strconv.FormatUint(u, 16)
		return n
	}
	if u > 1 { // no compiler writes that
		n.Text, n.JSON = "true ("+strconv.FormatUint(u, 10)+")", exact(u)
	}
	return n
}

// wideScalar sets a node to a character of 2 or 4 bytes; half of a pair is a number.
func (w *Leaf) wideScalar(n *Node, v dwarf.Value, t *dwarf.Type) *Node {
	w.base(n, v, t)
	u, err := v.Uint()
	if err != nil || n.Kind != Scalar || u > utf8.MaxRune || utf16.IsSurrogate(rune(u)) {
		return n
	}
	if n.Note == "" {
		n.Note = n.Text
	}
	n.Text, n.JSON = strconv.QuoteRune(rune(u)), string(rune(u))
	return n
}

// complex sets a node to a complex number: its real part is followed by the other.
func (w *Leaf) complex(n *Node, v dwarf.Value) *Node {
	re, im, err := v.Complex()
	if err != nil {
		return w.raw(n, v)
	}
	n.Text = strconv.FormatFloat(re, 'g', -1, 64) + " + " + strconv.FormatFloat(im, 'g', -1, 64) + "i"
	n.JSON = n.Text
	return n
}

// character reports whether a base type is a type of characters, and whether all of its values are Unicode
// characters.
func character(t *dwarf.Type) (unicode, ok bool) {
	switch t.Encoding {
	case dwarf.EncUTF:
		return true, true
	case dwarf.EncSignedChar:
		return false, t.Own() == "char" || t.Own() == "signed char"
	case dwarf.EncUnsignedChar:
		if l := t.Lang(); !l.C() && !l.CPlusPlus() && l != dwarf.LangRust && l != dwarf.LangGo {
			return false, true // Ada's, Fortran's and Pascal's bytes are other types
		}
		return t.Own() == "char" && t.Lang() == dwarf.LangRust, t.Own() == "char" || t.Own() == "char8_t" ||
			t.Own() == "wchar_t"
	}
	size, _ := t.Size()
	if t.Lang().Fortran() && size == 4 {
		return true, t.Own() == "character(kind=4)"
	}
	return size == 4, t.Own() == "wchar_t"
}

// wide sets a node to an integer of more than 8 bytes.
func (w *Leaf) wide(n *Node, v dwarf.Value, t *dwarf.Type) *Node {
	i, err := v.Big(t.Encoding.Signed())
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.Text, n.JSON = i.String(), i.String()
	if w.Hex {
		n.Text = "0x" + i.Text(16)
	}
	return n
}

// raw sets a node to bytes.
func (w *Leaf) raw(n *Node, v dwarf.Value) *Node {
	size, ok := v.Type.Size()
	if !ok || size > 64 {
		return w.unknownNode(n, errors.New("a value of "+v.Type.Name()))
	}
	b, err := v.Bytes(size)
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.Text = "0x" + hex.EncodeToString(b)
	n.JSON = n.Text
	return n
}

// enum sets a node to the name of a value, or to names of flags that make it up.
func (w *Leaf) enum(n *Node, v dwarf.Value, t *dwarf.Type) *Node {
	i, err := v.Int()
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.Text, n.JSON = strconv.FormatInt(i, 10), exact(i)
	rest, flags := i, ""
	size, _ := t.Size()
	for _, e := range t.Enumerators() {
		if cut(uint64(e.Value), size) == cut(uint64(i), size) { // rustc writes -1 of one byte as 255
			n.Text, n.JSON, n.Note = e.Name, e.Name, strconv.FormatInt(i, 10)
			return n
		}
		if e.Value != 0 && e.Value&(e.Value-1) == 0 && rest&e.Value != 0 {
			rest &^= e.Value
			if flags != "" {
				flags += " | "
			}
			flags += e.Name
		}
	}
	if rest == 0 && flags != "" {
		n.Text, n.JSON, n.Note = flags, flags, strconv.FormatInt(i, 10)
	}
	return n
}

// maxSet bounds the size of a set in bytes: Pascal's have 256 elements at most.
const maxSet = 1 << 10

// set sets a node to the elements of a set. Bit i of byte k stands for element 8*k+i.
func (w *Leaf) set(n *Node, v dwarf.Value, t *dwarf.Type) *Node {
	size, ok := t.Size()
	if !ok || size > maxSet {
		return w.unknownNode(n, errors.New("the size of the set is not known"))
	}
	b, err := v.Bytes(size)
	if err != nil {
		return w.unknownNode(n, err)
	}
	names := map[int64]string{}
	for _, e := range t.Elem().Strip().Enumerators() {
		names[e.Value] = e.Name
	}
	n.Kind = Array
	elem := t.Elem().Strip()
	chars := elem != nil && elem.Kind == dwarf.Base && isText(elem)
	for i := range 8 * size {
		if b[i/8]>>(i%8)&1 == 0 {
			continue
		}
		x := &Node{Text: strconv.FormatInt(i, 10), JSON: i}
		if chars && i < utf8.RuneSelf {
			x.Text, x.JSON = strconv.QuoteRune(rune(i)), string(rune(i))
		}
		if name := names[i]; name != "" {
			x.Text, x.JSON = name, name
		}
		n.List = append(n.List, x)
	}
	return n
}

// cut leaves the bytes of a number that a discriminant has.
func cut(n uint64, size int64) uint64 {
	if size <= 0 || size >= 8 {
		return n
	}
	return n & (1<<(8*size) - 1)
}

// NameFlags gives a register of flags the names of the bits that are set.
func NameFlags(s *commands.Session, name string, n *Node, v dwarf.Value) {
	register, is := strings.CutPrefix(name, "$")
	if a := s.Process.Arch; is && a != nil && n.Kind == Scalar && v.Type.Strip() != nil {
		if u, err := v.Uint(); err == nil {
			if text, ok := a.Flags(register, u); ok {
				n.Constant, n.Note = text, text
			}
		}
	}
}

// NameErrno gives a value of errno the name of its error.
func NameErrno(s *commands.Session, name string, n *Node, v dwarf.Value) {
	if t := v.Type.Strip(); name != "errno" || t == nil || t.Kind != dwarf.Base || n.Kind != Scalar {
		return
	}
	if i, err := v.Int(); err == nil {
		n.Constant = s.Process.ErrnoName(i)
		n.Note = n.Constant
	}
}
