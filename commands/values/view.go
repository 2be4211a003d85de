package values

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
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
}

// A viewer makes nodes of values.
type viewer struct {
	s     *commands.Session
	depth int   // of members that are shown
	limit int64 // of elements of an array
	hex   bool
	left  int // nodes that may still be made
	lost  bool
}

// The defaults of what is shown of a value.
const (
	defaultDepth = 8
	defaultLimit = 32
	maxString    = 200
	maxNodes     = 20000
)

func newViewer(s *commands.Session) *viewer {
	return &viewer{s: s, depth: defaultDepth, limit: defaultLimit, left: maxNodes}
}

// unknownNode is a value that cannot be read.
func (w *viewer) unknownNode(n *node, err error) *node {
	n.kind, n.text = unknown, err.Error()
	if !errors.Is(err, dwarf.ErrNoLocation) {
		w.lost = true
	}
	return n
}

// view returns the node of a value.
func (w *viewer) view(name string, v dwarf.Value, depth int) *node {
	n := &node{name: name, typ: v.Type.Name()}
	n.addr, _ = v.Addr()
	if w.left--; w.left < 0 {
		n.kind, n.text = unknown, "left out, after so many values"
		return n
	}
	t := v.Type.Strip().Complete()
	if t == nil {
		return w.unknownNode(n, errors.New("a value of type void"))
	}
	v = v.As(t)
	switch t.Kind {
	case dwarf.Base:
		return w.base(n, v, t)
	case dwarf.Enum:
		return w.enum(n, v, t)
	case dwarf.Pointer, dwarf.Reference, dwarf.RvalueReference:
		if t.Own() != "" {
			if r := w.recipe(n, v, t, depth); r != nil {
				return r
			}
		}
		return w.pointer(n, v, t, depth)
	case dwarf.MemberPointer:
		if size, _ := t.Size(); size <= 8 {
			return w.number(n, v, true)
		}
		return w.raw(n, v)
	case dwarf.Unspecified:
		return w.raw(n, v)
	case dwarf.Array:
		return w.array(n, v, t, depth)
	case dwarf.Struct, dwarf.Class, dwarf.Union:
		if r := w.recipe(n, v, t, depth); r != nil {
			return r
		}
		return w.members(n, v, t, depth)
	}
	if t.Kind == dwarf.Function && t.Lang() == dwarf.LangGo { // a pointer to a closure
		return w.pointer(n, v.As(t.PointerTo()), t.PointerTo(), depth)
	}
	return w.unknownNode(n, errors.New("a value of type "+t.Name()))
}

// number sets a node to an integer.
func (w *viewer) number(n *node, v dwarf.Value, signed bool) *node {
	u, err := v.Uint()
	if err != nil {
		return w.unknownNode(n, err)
	}
	if w.hex {
		n.text = "0x" + strconv.FormatUint(u, 16)
	}
	if i, _ := v.Int(); signed {
		n.json = i
		if !w.hex {
			n.text = strconv.FormatInt(i, 10)
		}
		return n
	}
	n.json = u
	if !w.hex {
		n.text = strconv.FormatUint(u, 10)
	}
	return n
}

// base sets a node to a value of a base type.
func (w *viewer) base(n *node, v dwarf.Value, t *dwarf.Type) *node {
	size, ok := t.Size()
	if ok && size == 0 { // Rust's ()
		n.text = "()"
		return n
	}
	switch t.Encoding {
	case dwarf.EncFloat:
		f, err := v.Float()
		if err != nil {
			return w.unknownNode(n, err)
		}
		bits := 64
		if size == 4 {
			bits = 32
		}
		n.text = strconv.FormatFloat(f, 'g', -1, bits)
		n.json = f
		if math.IsNaN(f) || math.IsInf(f, 0) {
			n.json = n.text
		}
		return n
	case dwarf.EncComplexFloat:
		return w.complex(n, v)
	}
	if size > 8 {
		return w.wide(n, v, t)
	}
	if t.Encoding == dwarf.EncBoolean {
		u, err := v.Uint()
		if err != nil {
			return w.unknownNode(n, err)
		}
		n.text, n.json = strconv.FormatBool(u != 0), u != 0
		if u > 1 { // no compiler writes that
			n.text, n.json = "true ("+strconv.FormatUint(u, 10)+")", u
		}
		return n
	}
	w.number(n, v, t.Encoding.Signed())
	if n.kind == unknown {
		return n
	}
	if c, ok := character(t); ok {
		u, _ := v.Uint()
		if u < 0x80 || c && u < 0x110000 {
			n.note = strconv.QuoteRune(rune(u))
		}
		if n.note != "" && (c || t.Own() == "char") {
			n.text, n.note = n.note, n.text
		}
		if c {
			n.json = string(rune(u))
		}
	}
	return n
}

// complex sets a node to a complex number: its real part is followed by the other.
func (w *viewer) complex(n *node, v dwarf.Value) *node {
	re, im, err := v.Complex()
	if err != nil {
		return w.raw(n, v)
	}
	n.text = strconv.FormatFloat(re, 'g', -1, 64) + " + " + strconv.FormatFloat(im, 'g', -1, 64) + "i"
	n.json = n.text
	return n
}

// character reports whether a base type is one of characters, and whether all of its values
// are: those of Unicode.
func character(t *dwarf.Type) (unicode, ok bool) {
	switch t.Encoding {
	case dwarf.EncUTF:
		return true, true
	case dwarf.EncSignedChar:
		return false, t.Own() == "char" || t.Own() == "signed char"
	case dwarf.EncUnsignedChar:
		return t.Own() == "char" && t.Lang() == dwarf.LangRust, t.Own() == "char" || t.Own() == "wchar_t"
	}
	size, _ := t.Size()
	return size == 4, t.Own() == "wchar_t"
}

// wide sets a node to an integer of more than 8 bytes.
func (w *viewer) wide(n *node, v dwarf.Value, t *dwarf.Type) *node {
	i, err := v.Big(t.Encoding.Signed())
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.text, n.json = i.String(), i.String()
	if w.hex {
		n.text = "0x" + i.Text(16)
	}
	return n
}

// raw sets a node to bytes.
func (w *viewer) raw(n *node, v dwarf.Value) *node {
	size, ok := v.Type.Size()
	if !ok || size > 64 {
		return w.unknownNode(n, errors.New("a value of "+v.Type.Name()))
	}
	b, err := v.Bytes(size)
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.text = "0x" + hex.EncodeToString(b)
	n.json = n.text
	return n
}

// enum sets a node to the name of a value, or to names of flags that make it up.
func (w *viewer) enum(n *node, v dwarf.Value, t *dwarf.Type) *node {
	i, err := v.Int()
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.text, n.json = strconv.FormatInt(i, 10), i
	rest, flags := i, ""
	for _, e := range t.Enumerators() {
		if e.Value == i {
			n.text, n.json, n.note = e.Name, e.Name, strconv.FormatInt(i, 10)
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
		n.text, n.json, n.note = flags, flags, strconv.FormatInt(i, 10)
	}
	return n
}

// pointer sets a node to an address, with what lies there if that is text or has a name.
func (w *viewer) pointer(n *node, v dwarf.Value, t *dwarf.Type, depth int) *node {
	a, err := v.Pointer()
	if err != nil {
		to, e := v.Deref() // it may lead to a value that has no address
		if e != nil {
			return w.unknownNode(n, err)
		}
		if s, ok := charsAt(to); ok {
			n.kind, n.text = text, s
			return n
		}
		n.kind, n.list = object, []*node{w.view("*", to, depth+1)}
		return n
	}
	elem := t.Elem()
	if t.Kind != dwarf.Pointer && a != 0 && depth < w.depth {
		x := w.view(n.name, v.Frame().At(elem, a), depth) // a reference is what it refers to
		x.typ = n.typ
		return x
	}
	n.text, n.json = a.String(), a.String()
	if a == 0 {
		n.text, n.json = "NULL", nil
		return n
	}
	e := elem.Strip()
	switch {
	case e != nil && e.Kind == dwarf.Base && isText(e):
		if s, err := core.CString(v.Frame().Mem, a, maxString+1); err == nil || len(s) > maxString {
			n.str, n.has = s[:min(len(s), maxString)], true
			n.cut = len(s) > maxString
		} else if f := core.Fault(err); f != nil && f.Gap != core.Unmapped {
			n.note = strings.TrimPrefix(err.Error(), a.String()+": ")
			w.lost = true
		}
	default:
		n.note = w.symbol(a, e != nil && e.Kind == dwarf.Function)
	}
	return n
}

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

// symbol names what a pointer leads to: a function, or a variable.
func (w *viewer) symbol(a core.Addr, function bool) string {
	if w.s == nil {
		return ""
	}
	s, off, ok := w.s.Symbols.Lookup(a)
	if !ok || function && off != 0 {
		return ""
	}
	name := sym.Demangle(s.Name, false)
	if s.Module != nil {
		name = s.Module.Name() + "`" + name
	}
	if off != 0 {
		name += "+0x" + strconv.FormatUint(off, 16)
	}
	return name
}

// array sets a node to the elements of an array, or to the string that they are.
func (w *viewer) array(n *node, v dwarf.Value, t *dwarf.Type, depth int) *node {
	count := v.Len()
	elem := t.Elem().Strip()
	if elem != nil && elem.Kind == dwarf.Base && isText(elem) && count >= 0 {
		return w.chars(n, v, count)
	}
	if size, _ := elem.Size(); elem != nil && elem.Kind == dwarf.Base && size > 1 && size <= 4 && count >= 0 {
		if _, ok := character(elem); ok {
			return w.wideChars(n, v, count, size)
		}
	}
	if count < 0 {
		count = 0
		n.more = -1
	}
	return w.elements(n, count, depth, func(i int64) (dwarf.Value, error) { return v.Index(i) })
}

// elements adds the first of some elements to a node.
func (w *viewer) elements(n *node, count int64, depth int, get func(i int64) (dwarf.Value, error)) *node {
	n.kind = array
	shown := min(count, w.limit)
	if depth >= w.depth {
		shown = 0
	}
	for i := range shown {
		x, err := get(i)
		if err != nil {
			n.list = append(n.list, w.unknownNode(&node{}, err))
			break
		}
		n.list = append(n.list, w.view("", x, depth+1))
		if w.left < 0 {
			break
		}
	}
	if left := count - int64(len(n.list)); left > 0 {
		n.more = left
	}
	return n
}

// chars sets a node to the text in an array of characters, up to its first zero.
func (w *viewer) chars(n *node, v dwarf.Value, count int64) *node {
	take := min(count, maxString)
	b, err := v.Bytes(take)
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.kind = text
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	n.text = string(b)
	if int64(len(b)) == maxString && count > maxString {
		n.more = count - maxString
	}
	return n
}

// wideChars is chars for characters of 2 or 4 bytes.
func (w *viewer) wideChars(n *node, v dwarf.Value, count, size int64) *node {
	take := min(count, maxString)
	b, err := v.Bytes(take * size)
	if err != nil {
		return w.unknownNode(n, err)
	}
	n.kind = text
	n.text, _, _ = strings.Cut(decodeWide(b, int(size), v.Frame().Arch.Order), "\x00")
	n.more = count - take
	return n
}

// members adds the members of a struct, class or union to a node.
func (w *viewer) members(n *node, v dwarf.Value, t *dwarf.Type, depth int) *node {
	n.kind = object
	if t.Declared {
		return w.unknownNode(n, errors.New("what a "+t.Name()+" has is not in the debugging information"))
	}
	if depth >= w.depth {
		n.more = int64(len(t.Members()))
		return n
	}
	list := t.Members()
	for i := range list {
		m := &list[i]
		name := m.Name
		if m.Inherited {
			name = m.Type().Name()
		}
		x := w.view(name, v.Member(m), depth+1)
		if m.Inherited && x.kind == object && len(x.list) == 0 && x.more == 0 {
			continue // an empty base
		}
		n.list = append(n.list, x)
		if w.left < 0 {
			return n
		}
	}
	for _, p := range t.VariantParts() {
		w.variant(n, v, &p, depth)
	}
	n.round()
	return n
}
