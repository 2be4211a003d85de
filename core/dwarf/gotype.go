package dwarf

import (
	"coredbg/core/dwarf/index"

	"coredbg/core/dwarf/format"
)

// Attributes that the Go linker adds to types (cmd/internal/dwarf, "Go-specific type attributes").
const (
	atGoKind        format.AttrName = 0x2900
	atGoKey         format.AttrName = 0x2901
	atGoElem        format.AttrName = 0x2902
	atGoRuntimeType format.AttrName = 0x2904
)

// A GoType is the Go linker's description of a type, which extends DWARF's.
type GoType struct {
	// Kind is its reflect.Kind; 0 if the linker does not say.
	Kind uint8
	// Key and Elem are set for a map, Elem for a channel and a slice.
	Key, Elem *Type
	// Runtime is the place of the runtime's description of the type: its address, or its offset from
	// the first of the types (moduledata.types). It is 0 if the program does not describe the type.
	Runtime uint64
}

// goKinds is the part of a kind that is not flags.
const goKinds = 1<<5 - 1

// Go returns the Go linker's description of a type.
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
	g.Runtime = e.goRuntime()
	return g
}

// ofGc reports whether a type is as Go's own linker writes them, which alone says their kinds.
func (t *Type) ofGc() bool {
	for n := 0; n < maxChain && t != nil && t.Lang() == LangGo; n++ {
		if t.Go().Kind != 0 || t.Kind != Typedef {
			return t.Go().Kind != 0
		}
		t = t.Elem()
	}
	return false
}

// goRuntime returns where the runtime describes the type of an entry; 0 if that is not said.
func (e *Entry) goRuntime() uint64 {
	if a, ok := e.attr(atGoRuntimeType).Addr(); ok {
		return a
	}
	n, _ := e.attr(atGoRuntimeType).Uint()
	return n
}

// GoDescribed returns the type that the runtime describes at a place, in the form of GoType.Runtime. It
// returns nil if no type is described there.
func (d *Data) GoDescribed(place uint64) *Type {
	if r, ok := d.described()[place]; ok {
		return r.typ()
	}
	return nil
}

// readDescribed finds the places of all types of Go: a type's name in the runtime is not the one
// here, which has the whole path of its package.
func (d *Data) readDescribed() map[uint64]ref {
	out := map[uint64]ref{}
	x := d.index()
	x.names.All(index.Types, func(name string) bool {
		for _, r := range x.refs(index.Types, name) {
			e := r.entry()
			if e == nil || e.u.Lang() != LangGo {
				continue
			}
			if place := e.goRuntime(); place != 0 {
				out[place] = r
			}
		}
		return len(out) < maxTypes
	})
	return out
}

// GoConstants returns the constants with exactly this type, which must be a named Go type; constants of
// predeclared types would tell nothing. Go's compiler writes all constants with a type of a package,
// used or not (DW_TAG_constant).
func (t *Type) GoConstants() []Enumerator {
	if t == nil || t.Off == 0 || t.Lang() != LangGo || t.d != t.d.root.own {
		return nil
	}
	return t.d.root.constants()[t.Off]
}

// readConstants finds the constants of Go by their types.
func (d *Data) readConstants() map[format.Offset][]Enumerator {
	out, count := map[format.Offset][]Enumerator{}, 0
	x := d.index()
	x.names.All(index.Variables, func(name string) bool {
		for _, r := range x.refs(index.Variables, name) {
			e := r.entry()
			if e == nil || e.Tag != format.TagConstant || e.u.Lang() != LangGo {
				continue
			}
			of, ok := e.attr(format.AtType).ref()
			if v, is := e.attr(format.AtConstValue).Int(); ok && is && of.d == d.own {
				out[of.off] = append(out[of.off], Enumerator{e.attr(format.AtName).Text(), v})
				count++
			}
		}
		return count < maxTypes
	})
	return out
}
