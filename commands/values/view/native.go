package view

import (
	"errors"
	"strings"

	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// native shows a record that a compiler of Fortran, Pascal, D or Nim makes for a value of its language. It returns nil
// for other records.
func (w *Viewer) native(n *Node, v dwarf.Value, t *dwarf.Type, depth int) *Node {
	switch l := t.Lang(); {
	case l.Fortran():
		return w.polymorphic(n, v, t, depth)
	case l.Pascal() && t.Interface():
		at, err := v.As(t.PointerTo()).Pointer()
		if err != nil {
			return w.Leaf.unknownNode(n, err)
		}
		if n.Text, n.JSON = at.String(), at.String(); at == 0 {
			n.Text, n.JSON = "NULL", nil
		}
		return n
	case l == dwarf.LangD:
		return w.associative(n, v, t, depth)
	case l.C() || l.CPlusPlus():
		return w.nimSequence(n, v, t, depth)
	}
	return nil
}

// polymorphic shows a CLASS variable of gfortran, a record of the address of its data and of the table of its type,
// as a value of its dynamic type. It returns nil if that is not known. Arrays have a descriptor instead of the address.
func (w *Viewer) polymorphic(n *Node, v dwarf.Value, t *dwarf.Type, depth int) *Node {
	data, ok1 := t.Find("_data")
	table, ok2 := t.Find("_vptr")
	if !ok1 || !ok2 || w.Leaf.Session == nil || depth >= w.Depth {
		return nil
	}
	if to := data.Type().Strip(); to == nil || to.Kind != dwarf.Pointer {
		return nil
	}
	at, err1 := v.Member(&data).Pointer()
	vtab, err2 := v.Member(&table).Pointer()
	if err1 != nil || err2 != nil {
		return nil
	}
	if at == 0 {
		n.Text = "NULL"
		return n
	}
	y, off, ok := w.Leaf.Session.Symbols.Lookup(vtab)
	if !ok || off != 0 {
		return nil
	}
	name := vtabType(y.Name)
	class, frame, err := program.TypeNamed(w.Leaf.Session, name)
	if err != nil || class.Declared {
		if class, frame = t.Beside(name[strings.LastIndexByte(name, ':')+1:]), v.Frame(); class == nil {
			return nil
		}
	}
	x := w.View(n.Name, frame.At(class, at), depth)
	if length, ok := t.Find("_len"); ok && isText(class.Strip()) {
		count, err := v.Member(&length).Int()
		if err != nil || count < 0 {
			return nil
		}
		x = w.Leaf.chars(&Node{Name: n.Name}, frame.At(class.ArrayOf(count), at), count)
	}
	x.Type, x.Addr = n.Type, n.Addr
	x.prefix = "(" + class.Name() + ")"
	return x
}

// vtabType returns the name of the type that gfortran has made a table for: __kinds_MOD___vtab_kinds_Ring belongs to
// kinds::ring, __vtab_INTEGER_4_ to integer(kind=4). The first letter of a derived type is in upper case there.
func vtabType(symbol string) string {
	_, name, ok := strings.Cut(symbol, "__vtab_")
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, ".")
	if kind, ok := strings.CutSuffix(name, "_"); ok { // an intrinsic type and its kind
		if i := strings.LastIndexByte(kind, '_'); i > 0 {
			return strings.ToLower(kind[:i]) + "(kind=" + kind[i+1:] + ")"
		}
	}
	for i := 1; i+1 < len(name); i++ {
		if c := name[i+1]; name[i] == '_' && c >= 'A' && c <= 'Z' {
			return name[:i] + "::" + strings.ToLower(name[i+1:])
		}
	}
	return ""
}

// deferred adds the length to the text of a component of Fortran whose length is deferred: "_name_length" comes after
// the address of name. It reports whether m is that length.
func (w *Viewer) deferred(n *Node, v dwarf.Value, m *dwarf.Member) bool {
	name, ok := strings.CutSuffix(m.Name, "_length")
	if name = strings.TrimPrefix(name, "_"); !ok || m.Name[0] != '_' || len(n.List) == 0 ||
		n.List[len(n.List)-1].Name != name {
		return false
	}
	count, err := v.Member(m).Int()
	p, is := v.Type.Strip().Find(name)
	if err != nil || !is || count < 0 {
		return false
	}
	to := p.Type().Strip()
	if to == nil || to.Kind != dwarf.Pointer || to.Elem() == nil || to.Elem().Kind != dwarf.String {
		return false
	}
	at, err := v.Member(&p).Pointer()
	if err != nil || at == 0 {
		return err == nil
	}
	b, err := core.ReadBytes(v.Frame().Mem, at, uint64(min(count, maxString)))
	last := n.List[len(n.List)-1]
	if err != nil {
		w.Leaf.unknownNode(last, err)
		return true
	}
	last.Kind, last.Text, last.More = Text, string(b), max(count-maxString, 0)
	return true
}

// nimSequence shows a string or a sequence of Nim: a record of Sup, which has the length, and data (Nim 1 without ARC),
// or of len and p, the address of a record with data (Nim 2, lib/system/strs_v2.nim). It returns nil for other records.
func (w *Viewer) nimSequence(n *Node, v dwarf.Value, t *dwarf.Type, depth int) *Node {
	name := t.Own()
	if name != "NimStringDesc" && name != "NimStringV2" && !strings.HasPrefix(name, "tySequence__") {
		return nil
	}
	length, path := []string{"Sup", "len"}, []string{"data"}
	if _, old := t.Find("Sup"); !old {
		length, path = []string{"len"}, []string{"p", "data"}
	}
	l, ok := followOne(v, length)
	if s := l.Type.Strip(); !ok || s == nil || s.Kind != dwarf.Base {
		return nil
	}
	count, err := l.Int()
	if err != nil {
		return w.Leaf.unknownNode(n, err)
	}
	if count == 0 {
		n.Kind = Array
		if strings.HasPrefix(name, "NimString") {
			n.Kind = Text
		}
		return n
	}
	data, ok := followOne(v, path)
	elems := data.Type.Strip()
	if !ok || elems == nil || elems.Kind != dwarf.Array || elems.Elem() == nil {
		return w.Leaf.unknownNode(n, errors.New("where its elements are is not known"))
	}
	place, ok := data.Addr()
	if count < 0 || count > maxLength {
		return w.Leaf.unknownNode(n, errors.New("its length cannot be"))
	}
	if !ok {
		return w.Leaf.unknownNode(n, errors.New("its elements have no place"))
	}
	x := w.View(n.Name, data.To(elems.Elem().ArrayOf(count), place), depth)
	x.Type, x.Addr = n.Type, n.Addr
	return x
}
