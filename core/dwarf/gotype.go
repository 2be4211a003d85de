package dwarf

// Attributes that the Go linker adds to types (cmd/internal/dwarf, "Go-specific type attributes").
const (
	atGoKind        attr = 0x2900
	atGoKey         attr = 0x2901
	atGoElem        attr = 0x2902
	atGoRuntimeType attr = 0x2904
)

// A GoType is what the Go linker says of a type besides what DWARF has for it.
type GoType struct {
	// Kind is its reflect.Kind; 0 if the linker does not say.
	Kind uint8
	// Key and Elem are what a map has, Elem what a channel and a slice are of.
	Key, Elem *Type
	// Runtime is where the runtime describes the type: its address, or how far it is from
	// the first of the types (moduledata.types); 0 if the program has none.
	Runtime uint64
}

// goKinds is the part of a kind that is not flags.
const goKinds = 1<<5 - 1

// Go returns what the Go linker says of a type.
func (t *Type) Go() (g GoType) {
	if t == nil || t.Off == 0 || t.Lang() != LangGo {
		return g
	}
	e := t.d.entry(t.Off)
	if e == nil {
		return g
	}
	kind, _ := e.attr(atGoKind).Uint()
	g.Kind = uint8(kind & goKinds)
	if r, ok := e.attr(atGoKey).ref(); ok {
		g.Key = r.typ()
	}
	if r, ok := e.attr(atGoElem).ref(); ok {
		g.Elem = r.typ()
	}
	if a, ok := e.attr(atGoRuntimeType).Addr(); ok {
		g.Runtime = a
	} else {
		g.Runtime, _ = e.attr(atGoRuntimeType).Uint()
	}
	return g
}
