package dwarf

import "coredbg/core/dwarf/format"

// NewBase returns a base type that no debugging information has, of a machine whose addresses have addr bytes.
func NewBase(name string, e Encoding, size int64, addr int) *Type {
	t := newType(Base, addr)
	t.own, t.Encoding, t.size = name, e, size
	return t
}

// NewFunction returns the type of a function without debugging information.
func NewFunction(addr int) *Type { return newType(Function, addr) }

// NewStruct returns a struct or a union with the given members, that no debugging information has, of a machine whose
// addresses have addr bytes. A type without a name is anonymous.
func NewStruct(k Kind, name string, size int64, addr int, members []Member) *Type {
	t := newType(k, addr)
	t.own, t.size, t.members = name, size, members
	return t
}

// NewMember returns a member for NewStruct that begins off bytes into it.
func NewMember(name string, t *Type, off int64) Member { return Member{Name: name, Off: off, made: t} }

// Named returns a typedef of t.
func (t *Type) Named(name string) *Type {
	x := newType(Typedef, t.u.w.Addr)
	x.own, x.of = name, t
	return x
}

// newType returns a type of a unit without entries.
func newType(k Kind, addr int) *Type {
	u := &Unit{w: format.Widths{Addr: addr}}
	u.root.Do(func() {})
	u.named.once.Do(func() {})
	t := &Type{u: u, Kind: k, size: -1}
	t.full.Do(func() {})
	return t
}

// Made returns a value of a type whose bytes are known, in the order of the machine.
func (f *Frame) Made(t *Type, b []byte) Value {
	return Value{Type: t, f: f, pieces: []piece{{size: -1, data: b}}}
}

// VoidPointer returns the type "void *" of a machine whose addresses have addr bytes.
func VoidPointer(addr int) *Type {
	t := newType(Pointer, addr)
	t.size = int64(addr)
	return t
}

// Type returns the function's type.
func (s *Scope) Type() *Type {
	t := newType(Function, s.fn.u.w.Addr)
	t.u, t.d = s.fn.u, s.fn.u.d
	at, _ := s.fn.inherited(format.AtType).ref()
	t.of = at.typ()
	for _, v := range s.Vars {
		if v.Kind == Argument {
			t.members = append(t.members, Member{Name: v.Name, made: v.Type()})
		}
	}
	return t
}
