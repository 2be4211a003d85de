package dwarf

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
)

// index has what units name at their top level, in namespaces and in classes.
type index struct {
	types map[string][]ref // by qualified name, declarations left out
	vars  map[string][]ref // variables that have a place or a value
	// gone are variables that the compiler has left without a place.
	gone map[string]ref
	// functions are those that have code, by the name that the linker knows.
	functions map[string][]ref
	// last has the qualified names by their last part.
	last map[string][]string
	// places are variables with one address, in order of it.
	places []placed
	// partly is why units are missing.
	partly error
	lost   lost
}

// lost counts the units that cannot be read.
type lost struct {
	n     int
	first int   // of the list of units
	err   error // of first
}

func (l *lost) add(o lost) {
	if l.n == 0 || o.n > 0 && o.first < l.first {
		l.first, l.err = o.first, o.err
	}
	l.n += o.n
}

// placed is a variable at a link-time address.
type placed struct {
	addr uint64
	ref
}

// maxSame bounds the entries of one name that are kept: those of the first units. Thousands of
// units have the types of one header.
const maxSame = 64

// addTo adds an entry to those of a name.
func addTo(m map[string][]ref, name []byte, r ref) {
	if list := m[string(name)]; len(list) < maxSame {
		m[string(name)] = append(list, r)
	}
}

// makeIndex reads all units.
func (d *Data) makeIndex() *index {
	x := d.indexUnits(d.indexed())
	d.full.Store(true)
	return x
}

// indexUnits reads units, several at a time.
func (d *Data) indexUnits(units []*Unit) *index {
	n := max(min(runtime.GOMAXPROCS(0), len(units)), 1)
	parts := make([]*index, n)
	var wg sync.WaitGroup
	for i := range parts {
		parts[i] = &index{types: map[string][]ref{}, vars: map[string][]ref{}, functions: map[string][]ref{}, gone: map[string]ref{}}
		wg.Go(func() {
			w := &indexer{x: parts[i]}
			// Neighbours are of one size, as a rule: each takes every n-th.
			for k := i; k < len(units); k += n {
				if err := w.whole(units[k]); err != nil {
					parts[i].lost.add(lost{1, k, err})
				}
			}
		})
	}
	wg.Wait()
	x := parts[0]
	for _, p := range parts[1:] {
		for name, list := range p.types {
			x.types[name] = append(x.types[name], list...)
		}
		for name, list := range p.vars {
			x.vars[name] = append(x.vars[name], list...)
		}
		for name, list := range p.functions {
			x.functions[name] = append(x.functions[name], list...)
		}
		maps.Copy(x.gone, p.gone)
		x.places = append(x.places, p.places...)
		x.lost.add(p.lost)
	}
	if x.partly = d.broken; x.lost.n > 0 && x.partly == nil {
		x.partly = fmt.Errorf("dwarf: %d of %d units: %w", x.lost.n, len(units), x.lost.err)
	}
	slices.SortStableFunc(x.places, func(a, b placed) int { return cmp.Compare(a.addr, b.addr) })
	x.last = map[string][]string{}
	for _, m := range []map[string][]ref{x.types, x.vars} {
		for name, list := range m {
			slices.SortFunc(list, func(a, b ref) int { return cmp.Compare(a.off, b.off) })
			m[name] = list[:min(len(list), maxSame)]
			if l := lastPart(name); l != name {
				x.last[l] = append(x.last[l], name)
			}
		}
	}
	for _, list := range x.last {
		slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	}
	return x
}

// lastPart returns what follows the last "::", or the path of a package of Go, that is not within
// brackets.
func lastPart(name string) string {
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

// indexed returns the units that the index is made of: those of the image, and of files that it
// shares with others those that it imports.
func (d *Data) indexed() []*Unit {
	list := slices.Clone(d.units)
	if d.kin != nil {
		list = append(list, d.kin.units...)
	}
	if s, _ := d.supplement(); s != nil {
		imports := d.imports()
		for _, u := range s.units {
			if imports[u] != nil {
				list = append(list, u)
			}
		}
	}
	for _, u := range d.units {
		if u.load(); u.split.name == "" {
			continue
		}
		p, _ := d.whole()
		if p == nil {
			break
		}
		for row := range p.tus.rows {
			if x, err := p.typeData(row); err == nil {
				x.typeUnits(func(u *Unit) { list = append(list, u) })
			}
		}
		break
	}
	return list
}

// whole adds what a unit names, and the type units of the file that has the rest of it.
func (w *indexer) whole(u *Unit) error {
	all, err := u.whole()
	if err != nil {
		return err
	}
	if w.unit(all); all == u {
		return nil
	}
	all.d.typeUnits(w.unit)
	return all.d.broken
}

// hasType reports whether a type has a name, or one that ends in it.
func (x *index) hasType(name string) bool {
	return len(x.types[name]) > 0 || slices.ContainsFunc(x.last[name], func(whole string) bool { return len(x.types[whole]) > 0 })
}

// hasVariable is hasType for variables that have a place or a value.
func (x *index) hasVariable(name string) bool {
	return len(x.vars[name]) > 0 || slices.ContainsFunc(x.last[name], func(whole string) bool { return len(x.vars[whole]) > 0 })
}

// FindTypes returns the types with a name: a qualified one first, else all those whose name
// ends in it. A name may begin with struct, class, union or enum.
func (d *Data) FindTypes(name string) []*Type {
	var out []*Type
	add := func(list []ref) {
		for _, r := range list {
			if t := r.typ(); t != nil {
				out = append(out, t)
			}
		}
	}
	x := d.indexFor(name, func(x *index) bool { return x.hasType(name) })
	add(x.types[name])
	if len(out) == 0 {
		for _, whole := range x.last[name] {
			add(x.types[whole])
		}
	}
	return out
}

// TypeNames calls yield for the qualified names of types, in no order, until it returns false.
func (d *Data) TypeNames(yield func(name string) bool) {
	for name := range d.index().types {
		if !yield(name) {
			return
		}
	}
}

// fixedAddr returns the link-time address that a location is, if it is nothing else.
func (u *Unit) fixedAddr(a Attr) (addr uint64, ok bool) {
	expr, ok := a.Block()
	if !ok {
		return 0, false
	}
	b := buf{data: expr, order: u.d.order}
	switch b.u8() {
	case OpAddr:
		addr = b.uint(u.addr)
	case OpAddrx, OpGNUAddrIndex:
		addr, ok = u.indexedAddr(b.uleb())
	default:
		return 0, false
	}
	return addr, ok && !b.bad && !b.more() && addr != 0
}

// VariableAt returns the variable that has the byte at a link-time address, and how far into it
// the byte is.
func (d *Data) VariableAt(addr uint64) (v *Variable, off uint64, ok bool) {
	places := d.index().places
	i := sort.Search(len(places), func(i int) bool { return places[i].addr > addr })
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		e := places[k].entry()
		if e == nil {
			continue
		}
		v := global(e)
		n, known := v.Type().Size()
		if off = addr - places[k].addr; known && off < uint64(n) || off == 0 {
			return v, off, true
		}
	}
	return nil, 0, false
}

// global returns the variable of an entry outside of functions, with its qualified name.
func global(e *Entry) *Variable {
	v := &Variable{Kind: Global, e: e, d: e.u.d}
	v.d.origin(e, func(e *Entry) bool {
		if name := e.attr(atName).Text(); name != "" {
			v.Name = e.u.qualify(e.Off, name)
		}
		return v.Name != ""
	})
	return v
}

// VariableNames calls yield for the qualified names of variables outside of functions, in no
// order, until it returns false.
func (d *Data) VariableNames(yield func(name string) bool) {
	for name := range d.index().vars {
		if !yield(name) {
			return
		}
	}
}

// FindVariables returns the variables with a name outside of functions; see FindTypes.
func (d *Data) FindVariables(name string) []*Variable {
	x := d.indexFor(name, func(x *index) bool { return x.hasVariable(name) })
	list := x.vars[name]
	if len(list) == 0 {
		for _, whole := range x.last[name] {
			list = append(list, x.vars[whole]...)
		}
	}
	if r, ok := x.gone[name]; ok && len(list) == 0 {
		list = []ref{r}
	}
	var out []*Variable
	for _, r := range list {
		if e := r.entry(); e != nil {
			out = append(out, global(e))
		}
	}
	return out
}
