package deno

import (
	"context"
	"errors"

	"coredbg/core"
	"coredbg/runtimes/machine"
)

// A Resource is an entry of Deno's table of resources: what has a number (rid) in JavaScript and
// is an object of Rust.
type Resource struct {
	ID     uint32
	Name   string // as the resource names itself: "tcpListener"; "" if that is not known
	Addr   core.Addr
	Owners []Owner // the objects of JavaScript that refer to it
}

// Limits for the table of resources.
const (
	maxState     = 2048 // bytes of an OpState
	maxNameSteps = 256
)

var errNoTable = core.Unknown(errors.New("deno: no OpCtx leads to a table of resources: none was found, or code of this processor cannot be run"))

// Resources returns the open resources in the runtime of each heap, by number. An OpCtx has an Rc of
// the OpState, which contains the table.
func (dr *Reader) Resources(ctx context.Context) ([]Resource, error) {
	contexts, err := dr.allContexts(ctx)
	if err != nil {
		return nil, err
	}
	owners, err := dr.owners(ctx)
	if err != nil {
		return nil, err
	}
	var out []Resource
	found := false
	for i := range contexts {
		c := &contexts[i]
		list, ok := dr.tableOf(c)
		if !ok {
			continue
		}
		found = true
		for k := range list {
			list[k].Owners = owners[ownerKey{c.heap, list[k].ID}]
		}
		out = append(out, list...)
	}
	if !found {
		return nil, errNoTable
	}
	return out, nil
}

// tableOf finds the table of resources from an OpCtx: of all that its words lead to, the one map
// whose entries are numbers in order with objects that name themselves.
func (dr *rustMemory) tableOf(c *opContexts) ([]Resource, bool) {
	m := machine.For(dr.Process, maxNameSteps, true)
	if m == nil {
		return nil, false
	}
	for off := core.Addr(0); off < core.Addr(c.stride); off += 8 {
		state, ok := dr.Word(c.any + off)
		if !ok || state&7 != 0 || state < core.TracePage || dr.image(core.Addr(state)) {
			continue
		}
		for at := core.Addr(state); at < core.Addr(state)+maxState; at += 8 {
			if list, ok := dr.mapAt(at, m); ok {
				return list, true
			}
		}
	}
	return nil, false
}

// mapAt reads a BTreeMap<u32, Rc<dyn Resource>>: numbers rise, and each value is a counted object
// with a table of methods.
func (dr *rustMemory) mapAt(at core.Addr, m machine.Runner) ([]Resource, bool) {
	r := tableReader{rustMemory: dr, m: m}
	ok := dr.treeAt(at, resourceForms, func() { r.list, r.named = nil, 0 }, r.add)
	return r.list, ok && r.named > 0
}

var resourceForms = treeForms(4, 4, 16)

// A tableReader reads the entries of one table.
type tableReader struct {
	*rustMemory
	m     machine.Runner
	list  []Resource
	named int
}

func (r *tableReader) add(key, value core.Addr) bool {
	id, ok1 := r.U32(key)
	rc, ok2 := r.Word(value)
	table, ok3 := r.Word(value + 8)
	if !ok1 || !ok2 || !ok3 || len(r.list) > 0 && id <= r.list[len(r.list)-1].ID ||
		!r.image(core.Addr(table)) || table&7 != 0 {
		return false
	}
	methods := r.methodsOf(core.Addr(table))
	strong, ok := r.Word(core.Addr(rc))
	align, _ := r.Word(core.Addr(table) + 16)
	if !ok || rc&7 != 0 || len(methods) == 0 || strong == 0 || strong > 1<<32 {
		return false
	}
	x := Resource{ID: id, Addr: core.Addr(rc) + core.Addr(max(16, align))} // after the two counts
	if x.Name = r.nameOf(methods, x.Addr); x.Name != "" {
		r.named++
	}
	r.list = append(r.list, x)
	return true
}

// borrowed is the first word of a Cow<str> that borrows its text: no capacity is as large.
const borrowed = 1 << 63

// nameOf runs the methods of a resource until one returns a text: Resource::name returns a
// Cow<str>, three words that are put where the first argument says.
func (r *tableReader) nameOf(methods []core.Addr, object core.Addr) string {
	for _, fn := range methods {
		if err := r.m.Into(fn, machine.Scratch, uint64(object)); err != nil {
			continue
		}
		var w [3]uint64
		known := true
		for i := range w {
			x := r.m.Load(machine.Scratch+core.Addr(8*i), 8)
			w[i], known = x.N, known && x.Known
		}
		if !known {
			continue
		}
		if text, ok := r.text(core.Addr(w[1]), w[2]); ok && (w[0] == borrowed || r.image(core.Addr(w[1]))) {
			return text
		}
	}
	return ""
}
