package values

import (
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// The layout of an associative array of D (druntime, rt/aaA.d since 2.068), for words of w bytes: a slice of buckets
// at 0, the count of used entries at 2w and of deleted ones after it, an address at 2w+8, and at 3w+8 four uints:
// the first used bucket, the size of a key, of a value, and the offset of the value in an entry. A bucket is a hash,
// whose upper bit is set if it is filled, and the address of its entry.
const (
	aaCounts = 2
	aaSizes  = 3
)

// associative shows an associative array of D, a record called "V[K]" with one address. It returns nil for other
// records, and if the types of its keys and values are not known.
func (w *viewer) associative(n *node, v dwarf.Value, t *dwarf.Type, depth int) *node {
	list := t.Members()
	name := t.Own()
	i := keyStart(name)
	if w.s == nil || len(list) != 1 || list[0].Name != "ptr" || i <= 0 {
		return nil
	}
	at, err := v.Member(&list[0]).Pointer()
	if err != nil {
		return nil
	}
	if at == 0 {
		n.kind = array
		return n
	}
	key, frame := dType(w.s, name[i+1:len(name)-1])
	value, _ := dType(w.s, name[:i])
	if key == nil || value == nil {
		return nil
	}
	c := core.NewCursor(frame.Mem, frame.Arch.Order, frame.Arch.PtrSize)
	word := core.Addr(frame.Arch.PtrSize)
	slots, first := c.Word(at), c.Pointer(at+word)
	used := int64(c.U32(at+aaCounts*word)) - int64(c.U32(at+aaCounts*word+4))
	sizes := at + aaSizes*word + 8
	keySize, valueSize, offset := c.U32(sizes+4), c.U32(sizes+8), c.U32(sizes+12)
	if err := c.Reset(); err != nil {
		return w.unknownNode(n, err)
	}
	k, _ := key.Size()
	e, _ := value.Size()
	if int64(keySize) != k || int64(valueSize) != e || used < 0 || offset < keySize {
		return nil
	}
	n.kind = array
	for i := range core.Addr(min(slots, maxSlots)) {
		if int64(len(n.list)) == min(used, w.limit) || depth >= w.depth || w.left < 0 {
			break
		}
		hash, entry := c.Word(first+2*i*word), c.Pointer(first+(2*i+1)*word)
		if err := c.Reset(); err != nil {
			n.list = append(n.list, w.unknownNode(&node{}, err))
			return n
		}
		if hash>>(8*word-1) == 0 {
			continue
		}
		x := frame.At(value, entry+core.Addr(offset))
		n.list = append(n.list, &node{kind: pair, list: []*node{w.view("", frame.At(key, entry), depth+1), w.view("", x, depth+1)}, value: &x})
	}
	n.more = max(used-int64(len(n.list)), 0)
	return n
}

// maxSlots bounds the buckets that are looked at.
const maxSlots = 1 << 20

// keyStart returns the index of the bracket before the type of the keys in the name of an associative array, -1 if
// there is none.
func keyStart(name string) int {
	if !strings.HasSuffix(name, "]") {
		return -1
	}
	depth := 0
	for i := len(name) - 1; i > 0; i-- {
		switch name[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// dType returns the type with a name of D, and what its values are read with; nil if there is no such type.
func dType(s *commands.Session, name string) (*dwarf.Type, *dwarf.Frame) {
	for _, spelt := range []string{name, strings.ReplaceAll(name, ".", "::")} {
		if t, f, err := typeNamed(s, spelt); err == nil && !t.Declared {
			return t, f
		}
	}
	return nil, nil
}

// dynamicD returns the object of a class that a value of a class or an interface of D is a part of, as the class that
// it was made of; ok is false if that is the type itself, or is not known. The first word of an object leads to its
// virtual functions, the first of which is the TypeInfo_Class; the first word of an interface in an object leads to
// one for whose first entry an object.Interface stands, with the offset of the interface at its end (D's ABI, "Classes").
func dynamicD(s *commands.Session, v dwarf.Value) (whole dwarf.Value, ok bool) {
	t := v.Type.Strip().Complete()
	at, inMemory := v.Addr()
	list := t.Members()
	if s == nil || !inMemory || len(list) == 0 {
		return v, false
	}
	f := v.Frame()
	c := core.NewCursor(f.Mem, f.Arch.Order, f.Arch.PtrSize)
	word := core.Addr(f.Arch.PtrSize)
	name := className(c, c.Pointer(c.Pointer(at)), word)
	if name == "" && len(list) == 1 && list[0].Name == "__vptr" {
		up := c.Pointer(c.Pointer(c.Pointer(at)) + 3*word)
		if c.Reset() != nil || up > at {
			return v, false
		}
		at -= up
		name = className(c, c.Pointer(c.Pointer(at)), word)
	}
	if name == "" || name == t.Name() {
		return v, false
	}
	class, frame := dType(s, name)
	if class == nil || !class.Composite() {
		return v, false
	}
	return frame.At(class, at), true
}

// className returns the name that a TypeInfo_Class of D has, "" if there is none: a string after the words of the
// object itself and those of the initial value.
func className(c *core.Cursor, info, word core.Addr) string {
	n, at := c.Word(info+4*word), c.Pointer(info+5*word)
	if c.Reset() != nil || n == 0 || n > maxClassName {
		return ""
	}
	b := make([]byte, n)
	c.Bytes(b, at)
	if c.Reset() != nil || strings.ContainsFunc(string(b), func(r rune) bool { return r < ' ' || r == '\ufffd' }) {
		return ""
	}
	return string(b)
}
