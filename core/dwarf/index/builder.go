// Package index holds what is looked up in the whole of an image's debugging information:
// which entries have a name, which variables have an address, which units have code. It is made once,
// as bytes in one piece that are searched as they are, so that it can be kept in a file and be read
// without being decoded.
//
// A Builder collects names of a part of the units; Merge puts several together, and Names makes
// the bytes (names.go). Code is the same for addresses (code.go). Seal and Open are what makes a file
// of such bytes (seal.go). An index says where entries are by Refs; what these mean is core/dwarf's.
//
// Bytes of a file are an input like any other: ReadNames and ReadCode check each length, number
// and offset, so that what they return is in order, if not true.
package index

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// A Kind is what the entries are that have a name.
type Kind uint8

// The kinds of names.
const (
	Types     Kind = iota // by qualified name, declarations left out
	Variables             // variables that have a place or a value
	Gone                  // variables that the compiler has left without a place
	Functions             // functions that have code, by linkage name
	kinds
)

// A Ref is an entry: which of the parts of the debugging information it is in, and where in that part.
type Ref uint64

// Bounds of a Ref.
const (
	offBits = 40 // a TiB
	maxPart = 1<<(64-offBits) - 1
)

// At returns the Ref of an entry of a part; ok is false if it is too far for one.
func At(part int, off uint64) (r Ref, ok bool) {
	return Ref(uint64(part)<<offBits | off), part >= 0 && part <= maxPart && off < 1<<offBits
}

// Part returns the number of the part.
func (r Ref) Part() int { return int(r >> offBits) }

// Off returns where in the part the entry is, in bytes.
func (r Ref) Off() uint64 { return uint64(r) & (1<<offBits - 1) }

// A Place is a variable at a link-time address.
type Place struct {
	Addr uint64
	Ref
}

// MaxSame bounds the entries of one name that are kept: the first ones. Thousands of
// units have the types of one header.
const MaxSame = 64

// A Builder collects the names of entries. The zero Builder is empty and ready to use.
type Builder struct {
	names  [kinds]map[string][]Ref
	places []Place
}

// Add adds an entry for name. It does not keep name.
func (b *Builder) Add(k Kind, name []byte, r Ref) {
	if b.names[k] == nil {
		b.names[k] = map[string][]Ref{}
	}
	if list := b.names[k][string(name)]; len(list) < MaxSame {
		b.names[k][string(name)] = append(list, r)
	}
}

// Place adds a variable that has one address.
func (b *Builder) Place(addr uint64, r Ref) { b.places = append(b.places, Place{addr, r}) }

// Merge moves into b what o has.
func (b *Builder) Merge(o *Builder) {
	for k := range b.names {
		if b.names[k] == nil {
			b.names[k] = o.names[k]
			continue
		}
		for name, list := range o.names[k] {
			b.names[k][name] = append(b.names[k][name], list...)
		}
	}
	b.places = append(b.places, o.places...)
	*o = Builder{}
}

// ErrTooMany is returned for names that take more than 4 GiB.
var ErrTooMany = errors.New("its names take more than 4 GiB")

// Names returns the index of the added names and empties b. The error says why the index is incomplete.
func (b *Builder) Names() (*Names, error) {
	slices.SortFunc(b.places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Addr, b.Addr),
			cmp.Compare(a.Ref, b.Ref))
	})
	w := &writer{}
	for k := range kinds {
		for name, list := range b.names[k] {
			slices.Sort(list)
			list = list[:min(len(list), MaxSame)]
			if !w.count(k, name, list) {
				b.names[k][name] = nil
				continue
			}
			b.names[k][name] = list
		}
	}
	w.begin(b.places)
	for k := range kinds {
		for name, list := range b.names[k] {
			if len(list) > 0 {
				w.add(k, name, list)
			}
		}
		b.names[k] = nil
	}
	b.places = nil
	return w.end(), w.err
}

// LastPart returns what follows the last "::", or the path of a package of Go, that is not within
// brackets.
func LastPart(name string) string {
	depth := 0
	for i := len(name) - 1; i > 0; i-- {
		switch name[i] {
		case '/':
			if depth == 0 && !strings.ContainsAny(name[:i], "*[]{}() ") {
				return name[i+1:]
			}
		case '>', ')', ']', '}':
			depth++
		case '<', '(', '[', '{':
			depth--
		case ':':
			if depth == 0 && name[i-1] == ':' {
				return name[i+1:]
			}
		}
	}
	return name
}
