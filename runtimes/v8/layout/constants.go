package layout

import (
	"fmt"
	"slices"
	"strings"
)

// Constants are values by the names of v8dbg_* symbols, without that prefix.
type Constants struct {
	Values map[string]int
	// Table is the table that they are from, nil for the symbols of the image.
	Table *Table
}

// Find returns the constant whose name begins with prefix, the first one of several.
func (c Constants) Find(prefix string) (int, bool) {
	name, ok := findConstant(sortedNames(c.Values), prefix)
	return c.Values[name], ok
}

// Supplier says what the constants are from.
func (c Constants) Supplier() Supplier {
	if c.Table != nil {
		return FromTable
	}
	return FromSymbol
}

// fact returns the constant of that name with its supplier.
func (c Constants) fact(name string) Fact {
	f := Fact{Value: c.Values[name], Supplier: c.Supplier(), Source: symbolPrefix + name}
	if c.Table != nil {
		f.Source = fmt.Sprintf("%s of %d.%d", name, c.Table.Version.Major, c.Table.Version.Minor)
	}
	return f
}

// A Table is the constants of a version, which layout/gen writes.
//
// A row has the name that the v8dbg_* symbol has, without that prefix, where V8's script
// lists the constant. Fields have rows for all classes of objects on the heap,
// class_<class>__<field>__<type>, with the field's name as in V8's class, without the
// underscore at its end. There are also:
//
//	layout_<Class>_<Field>                the field of Layout of that name
//	bytecode_<number>_<name>__<operands>  the letters of runtimes/v8/bytecode, or "-"; the value is the number
//
// Reads says which of the constants have rows.
type Table struct {
	Version   Version
	Variant   Variant
	Constants map[string]int
	// MapsWidth is the bytes of a tagged field in the build that ReadOnlyMaps come from.
	MapsWidth int
	// Moved is set if the instance types come from a core of another version.
	Moved bool
	peers []*Table // of sources of the same variant, the nearest to the version asked for first
	// layouts are what PeerLayouts returns, made once for all tables with the same peers.
	layouts func() []*Layout
}

// ReadOnlyMaps returns what the maps of the version's read-only heap look like, in their
// order: the instance type, from bit 16 the words of an instance, from bit 24 bit_field2.
func (t *Table) ReadOnlyMaps() (list []int) {
	for _, name := range sortedNames(t.Constants) {
		if strings.HasPrefix(name, "romap_") {
			list = append(list, t.Constants[name])
		}
	}
	return list
}

// PeerLayouts returns what the tables have that were written of sources of the same variant, and of its like
// without the sandbox, each as it has it of its own version. The caller must not change them.
func (t *Table) PeerLayouts() []*Layout {
	if t.layouts == nil {
		return nil
	}
	return t.layouts()
}

// PeerFrameTypes returns the frame types of the same tables.
func (t *Table) PeerFrameTypes() (list []FrameTypes) {
	for _, peer := range t.peers {
		list = append(list, newFrameTypes(peer.Constants))
	}
	return list
}

// nearType is how far from a type that is known another one may be whose number follows
// from it.
const nearType = 8

// inOrder returns a function like to that does not know the types which to moves out of their
// order, by name, although there is room for them between their neighbours.
func (t *Table) inOrder(to func(typ int) (int, bool)) func(typ int) (int, bool) {
	var known []int
	taken := map[int]int{} // which type has a number
	for name, value := range t.Constants {
		if n, ok := to(value); ok && strings.HasPrefix(name, "type_") {
			known, taken[n] = append(known, value), value
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	room := map[int]int{} // of the types that are out of the order
	for i := 1; i+1 < len(known); i++ {
		a, _ := to(known[i-1])
		n, _ := to(known[i])
		b, _ := to(known[i+1])
		if (n <= a || n >= b) && b-a == known[i+1]-known[i-1] {
			room[known[i]] = a + known[i] - known[i-1]
		}
	}
	astray := map[int]bool{}
	for typ, n := range room {
		other, has := taken[n]
		_, out := room[other] // two may have each other's
		below, is := taken[n-1]
		above, is1 := taken[n+1]
		between := is && is1 && below == typ-1 && above == typ+1
		astray[typ] = astray[typ] || !has || out || between
		if has && between {
			astray[other] = true // it has a number that is not its own
		}
	}
	return func(typ int) (int, bool) {
		n, ok := to(typ)
		return n, ok && !astray[typ]
	}
}

// Renumbered returns the table with other instance types: the types that to knows, and the types
// between two of them that are as far apart as before, or near to one of them.
func (t *Table) Renumbered(to func(typ int) (int, bool)) *Table {
	out := &Table{Version: t.Version, Variant: t.Variant, MapsWidth: t.MapsWidth, Moved: true, peers: t.peers,
		layouts: t.layouts, Constants: map[string]int{}}
	to = t.inOrder(to)
	var known []int
	taken := map[int]bool{}
	for name, value := range t.Constants {
		switch {
		case strings.HasPrefix(name, "romap_"):
		case !strings.HasPrefix(name, "type_"):
			out.Constants[name] = value
		default:
			if n, ok := to(value); ok {
				known = append(known, value)
				taken[n] = true
			}
		}
	}
	slices.Sort(known)
	for name, value := range t.Constants {
		if !strings.HasPrefix(name, "type_") {
			continue
		}
		if n, ok := to(value); ok {
			out.Constants[name] = n
			continue
		}
		i, _ := slices.BinarySearch(known, value)
		if i == 0 || i == len(known) {
			continue
		}
		before, after := known[i-1], known[i]
		a, _ := to(before)
		b, _ := to(after)
		switch n, m := a+value-before, b-(after-value); {
		case n == m && taken[n]:
		case n == m, value-before <= after-value && value-before <= nearType && n < b && !taken[n]:
			out.Constants[name] = n
		case after-value <= nearType && m > a && !taken[m]:
			out.Constants[name] = m
		}
	}
	return out
}
