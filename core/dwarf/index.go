package dwarf

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"coredbg/core/dwarf/index"
)

// indexed is what units name at their top level, in namespaces and in classes.
type indexed struct {
	names *index.Names
	parts []*Data // by the numbers that names have for them
	// partly is why units are missing.
	partly error
}

// The parts that an index of all units has, whatever files these lead to; see indexer.part.
const (
	partRoot = iota // .debug_info of the image
	partKin         // its .debug_types
	partSup         // what it shares with others
	partRest        // of each unit the file that has the rest of it, and the .debug_types of that
)

// refs returns the entries of a name.
func (x *indexed) refs(k index.Kind, name string) []ref {
	list := x.names.Find(k, name)
	out := make([]ref, len(list))
	for i, r := range list {
		out[i] = x.ref(r)
	}
	return out
}

func (x *indexed) ref(r index.Ref) ref { return ref{x.parts[r.Part()], Offset(r.Off())} }

// last returns the entries whose names end in one.
func (x *indexed) last(k index.Kind, name string) (out []ref) {
	for _, whole := range x.names.Whole(k, name) {
		out = append(out, x.refs(k, whole)...)
	}
	return out
}

// has reports whether an entry has a name, or one that ends in it.
func (x *indexed) has(k index.Kind, name string) bool {
	return len(x.names.Find(k, name)) > 0 || len(x.names.Whole(k, name)) > 0
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

// makeIndex returns the index of all units: the one that was kept, or what reading them gives.
func (d *Data) makeIndex() *indexed {
	defer d.full.Store(true)
	if x := d.keptNames(); x != nil {
		return x
	}
	x := d.indexUnits(d.unitsToIndex())
	d.keepNames(x)
	return x
}

// indexUnits reads units, several at a time.
func (d *Data) indexUnits(units []*Unit) *indexed {
	n := max(min(runtime.GOMAXPROCS(0), len(units)), 1)
	sup, _ := d.supplement()
	x := &indexed{parts: make([]*Data, partRest+2*len(units))}
	x.parts[partRoot], x.parts[partKin], x.parts[partSup] = d, d.kin, sup
	workers := make([]indexer, n)
	var read atomic.Uint64 // bytes, since memory was given back
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			w := &workers[i]
			w.parts = x.parts
			// Neighbours are of one size, as a rule: each takes every n-th.
			for k := i; k < len(units); k += n {
				w.number = k
				if u := units[k]; d.forget != nil && read.Add(uint64(u.end-u.Off)) > enoughBytes {
					read.Store(0)
					d.forget()
				}
				if err := w.whole(units[k]); err != nil {
					w.lost.add(lost{1, k, err})
				}
			}
		})
	}
	wg.Wait()
	all := &workers[0]
	for i := range workers[1:] {
		all.x.Merge(&workers[i+1].x)
		all.lost.add(workers[i+1].lost)
	}
	if x.partly = d.broken; all.lost.n > 0 && x.partly == nil {
		x.partly = fmt.Errorf("dwarf: %d of %d units: %w", all.lost.n, len(units), all.lost.err)
	}
	var err error
	if x.names, err = all.x.Names(); err != nil {
		x.partly = errors.Join(x.partly, fmt.Errorf("dwarf: %w", err))
	}
	return x
}

// unitsToIndex returns the units that the index is made of: those of the image, and of files that it
// shares with others those that it imports.
func (d *Data) unitsToIndex() []*Unit {
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
	x := d.indexFor(name, func(x *indexed) bool { return x.has(index.Types, name) })
	add(x.refs(index.Types, name))
	if len(out) == 0 {
		add(x.last(index.Types, name))
	}
	return out
}

// TypeNames calls yield for the qualified names of types, in no order, until it returns false.
func (d *Data) TypeNames(yield func(name string) bool) { d.index().names.All(index.Types, yield) }

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
	x := d.index()
	tried := 0
	x.names.Before(addr, func(p index.Place) bool {
		if tried++; tried > 4 {
			return false
		}
		e := x.ref(p.Ref).entry()
		if e == nil {
			return true
		}
		v = global(e)
		n, known := v.Type().Size()
		off = addr - p.Addr
		ok = known && off < uint64(n) || off == 0
		return !ok
	})
	if !ok {
		return nil, 0, false
	}
	return v, off, true
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
	d.index().names.All(index.Variables, yield)
}

// FindVariables returns the variables with a name outside of functions; see FindTypes.
func (d *Data) FindVariables(name string) []*Variable {
	x := d.indexFor(name, func(x *indexed) bool { return x.has(index.Variables, name) })
	list := x.refs(index.Variables, name)
	if len(list) == 0 {
		list = x.last(index.Variables, name)
	}
	if len(list) == 0 {
		list = x.refs(index.Gone, name)
	}
	var out []*Variable
	for _, r := range list {
		if e := r.entry(); e != nil {
			out = append(out, global(e))
		}
	}
	return out
}
