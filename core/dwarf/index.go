package dwarf

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"coredbg/core"
	"coredbg/core/dwarf/format"
	"coredbg/core/dwarf/index"
)

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

// makeIndex returns the index of all units: the kept one, or else one that it makes by reading them.
func (d *Data) makeIndex() *indexed {
	defer d.full.Store(true)
	if x := d.keptNames(); x != nil {
		return x
	}
	x := d.indexUnits(d.unitsToIndex())
	d.keepNames(x)
	return x
}

// keptNames returns the index of all names that was kept, nil if there is none.
func (d *Data) keptNames() *indexed {
	data := d.kept.get(keptNames)
	if data == nil {
		return nil
	}
	x := &indexed{parts: []*part{d.own, d.own.kin}}
	var err error
	x.names, err = index.ReadNames(data, func(r index.Ref) bool {
		return r.Part() == partRoot && r.Off() < uint64(len(d.own.Info.Data)) ||
			r.Part() == partKin && d.own.kin != nil && r.Off() < uint64(len(d.own.kin.Info.Data))
	})
	if err != nil {
		return nil
	}
	return x
}

// keepNames keeps an index of all units, if the image alone has all of them.
func (d *Data) keepNames(x *indexed) {
	if d.kept == nil || x.partly != nil || d.own.link != nil {
		return
	}
	for _, p := range x.parts[partRest:] {
		if p != nil {
			return
		}
	}
	d.kept.put(keptNames, x.names.Bytes())
}

// indexUnits reads units, several at a time.
func (d *Data) indexUnits(units []*Unit) *indexed {
	n := max(min(runtime.GOMAXPROCS(0), len(units)), 1)
	sup, _ := d.own.supplement()
	x := &indexed{parts: make([]*part, partRest+2*len(units))}
	x.parts[partRoot], x.parts[partKin], x.parts[partSup] = d.own, d.own.kin, sup
	workers := make([]indexer, n)
	var read atomic.Uint64 // bytes, since memory was given back
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			w := &workers[i]
			w.parts = x.parts
			// Neighbours tend to have one size: each worker takes every n-th.
			for k := i; k < len(units); k += n {
				w.number = k
				if u := units[k]; d.own.Forget != nil && read.Add(uint64(u.end-u.Off)) > format.EnoughBytes {
					read.Store(0)
					d.own.Forget()
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
	if x.partly = d.own.broken; all.lost.n > 0 && x.partly == nil {
		x.partly = fmt.Errorf("dwarf: %d of %d units: %w", all.lost.n, len(units), all.lost.err)
	}
	var err error
	if x.names, err = all.x.Names(); err != nil {
		x.partly = errors.Join(x.partly, fmt.Errorf("dwarf: %w", err))
	}
	return x
}

// unitsToIndex returns the units that the index covers: the image's units, and the units that it
// imports from files it shares with other images.
func (d *Data) unitsToIndex() []*Unit {
	list := slices.Clone(d.own.units)
	list = append(list, d.own.kinUnits()...)
	if s, _ := d.own.supplement(); s != nil {
		imports := d.imports()
		for _, u := range s.units {
			if imports[u] != nil {
				list = append(list, u)
			}
		}
	}
	for _, u := range d.own.units {
		if u.load(); u.split.name == "" {
			continue
		}
		p, _ := d.whole()
		if p == nil {
			break
		}
		for row := range p.TypeUnits.Rows {
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

// FindTypes returns the types with a qualified name, or if there is no such type, all types whose name
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
	if i := strings.IndexByte(name, '<'); len(out) == 0 && i > 0 && strings.HasSuffix(name, ">") {
		return d.findMade(name, name[:i])
	}
	return out
}

// findMade returns the types that a template has made and that have a name, where the entries have the template's
// alone; an inner one ends in the name.
func (d *Data) findMade(name, template string) (out []*Type) {
	for _, t := range d.FindTypes(template) {
		if full := t.Qualified(); full == name || strings.HasSuffix(full, "::"+name) {
			out = append(out, t)
		}
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
	b := core.Buf{Data: expr, Order: u.d.order}
	switch b.U8() {
	case format.OpAddr:
		addr = b.Uint(u.w.Addr)
	case format.OpAddrx, format.OpGNUAddrIndex:
		addr, ok = u.indexedAddr(b.ULEB())
	default:
		return 0, false
	}
	return addr, ok && !b.Bad && !b.More() && addr != 0
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
	v := &Variable{Kind: Global, e: e}
	e.origin(func(e *Entry) bool {
		if name := e.attr(format.AtName).Text(); name != "" {
			v.Name = e.u.qualify(e.Off, name)
		}
		return v.Name != ""
	})
	v.Line = e.declLine()
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

// Partly says why what is found by name may be there all the same: units that cannot be read,
// as where the file that has the rest of one is missing. It is nil if all can be read, and reads
// all of them.
func (d *Data) Partly() error { return d.index().partly }
