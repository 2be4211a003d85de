package dwarf

// NewBase returns a base type that no debugging information has, of a machine whose addresses have addr bytes.
func NewBase(name string, e Encoding, size int64, addr int) *Type {
	t := newType(Base, addr)
	t.own, t.Encoding, t.size = name, e, size
	return t
}

// NewFunction returns the type of a function without debugging information.
func NewFunction(addr int) *Type { return newType(Function, addr) }

// newType returns a type of a unit without entries.
func newType(k Kind, addr int) *Type {
	u := &Unit{addr: addr}
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
