package jit

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// Paths of the modules of code that was made at run time.
const (
	ObjectPath = "[jit]"      // an object that the process registered
	MapPath    = "[perf map]" // code that a perf map names
)

// Code is the code that a process made at run time, as far as something describes it. It implements core.Maker, and
// is safe for concurrent use.
type Code struct {
	p     *core.Process
	debug func(*core.Module) core.Image
	perf  func() (*Map, error)
	load  func() *known
}

// known is what was found.
type known struct {
	places  []place // by address
	perf    *core.Module
	named   *Map
	modules []*core.Module
	notes   []core.Warning
}

// A place is code of an object.
type place struct {
	extent
	m *core.Module
}

// New returns the code of p. It reads nothing yet. Debug returns the separate debug file of a module, and perf the
// perf map of the process, nil if there is none; both may be nil.
func New(p *core.Process, debug func(*core.Module) core.Image, perf func() (*Map, error)) *Code {
	c := &Code{p: p, debug: debug, perf: perf}
	c.load = sync.OnceValue(c.find)
	return c
}

// ModuleAt returns the image that has the code at an address, or nil.
func (c *Code) ModuleAt(a core.Addr) *core.Module {
	k := c.load()
	// Where objects overlap, the one that was registered last counts. It comes last.
	i := sort.Search(len(k.places), func(i int) bool { return k.places[i].start > a })
	for j := i - 1; j >= 0 && j >= i-8; j-- {
		if a < k.places[j].end {
			return k.places[j].m
		}
	}
	if k.named != nil && k.named.has(a) {
		return k.perf
	}
	return nil
}

// Modules returns all images.
func (c *Code) Modules() []*core.Module { return c.load().modules }

// Notes name the parts that could not be read.
func (c *Code) Notes() []core.Warning { return c.load().notes }

// find looks for objects and the perf map.
func (c *Code) find() *known {
	k := &known{}
	if !c.any() {
		return k
	}
	mem := c.p.Space
	order, ptr := c.p.Words()
	class := format.Class{Order: order, Wide: ptr == 8}
	headers := maxHeaders
	for _, at := range descriptors(c.p, c.debug) {
		list, err := objects(mem, c.p, class, at, &headers)
		if err != nil {
			k.note(err.Error())
		}
		for i := len(list) - 1; i >= 0; i-- {
			k.add(list[i], mem)
		}
	}
	slices.SortStableFunc(k.places, func(a, b place) int { return cmp.Compare(a.start, b.start) })
	if c.perf != nil {
		k.readMap(c.perf())
	}
	return k
}

// any reports whether the process has code of no file.
func (c *Code) any() bool {
	return slices.ContainsFunc(c.p.Mappings, func(m core.Mapping) bool {
		return m.Prot&core.Exec != 0 &&
			c.p.OfNoFile(m.Start)
	})
}

func (k *known) note(text string) {
	k.notes = append(k.notes, core.Warning{Place: "code made at run time", Text: text})
}

// add adds an object.
func (k *known) add(o *object, mem core.Memory) {
	code := o.code()
	if len(code) == 0 {
		code = o.symbolExtents(mem)
	}
	if len(code) == 0 {
		return
	}
	m := core.Module{Path: ObjectPath, Origin: core.FromJIT, Start: code[0].start, End: code[0].end}
	for _, e := range code {
		m.Start, m.End = min(m.Start, e.start), max(m.End, e.end)
	}
	of := core.NewModule(m, func(*core.Module) core.ModuleFacts {
		img, err := o.image(mem)
		if err != nil {
			return core.ModuleFacts{Err: err}
		}
		return core.ModuleFacts{Image: img, BiasKnown: true, InMemory: true}
	})
	k.modules = append(k.modules, of)
	for _, e := range code {
		k.places = append(k.places, place{e, of})
	}
}

// readMap adds a perf map.
func (k *known) readMap(x *Map, err error) {
	if err != nil {
		k.note(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if x == nil || x.Len() == 0 {
		return
	}
	if x.bad > 0 {
		k.note(fmt.Sprintf("%s: %d lines are none of a perf map", x.path, x.bad))
	}
	m := core.Module{Path: MapPath, Origin: core.FromPerfMap, Start: core.Addr(x.names[0].start),
		End: core.Addr(x.names[len(x.names)-1].end)}
	k.named = x
	k.perf = core.NewModule(m, func(*core.Module) core.ModuleFacts {
		return core.ModuleFacts{Image: x,
			BiasKnown: true}
	})
	k.modules = append(k.modules, k.perf)
}
