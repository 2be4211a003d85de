package class

import (
	"cmp"
	"slices"
	"sort"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes/malloc/block"
)

// A Kind says how it is known what a block is.
type Kind string

// The kinds; they are words of JSON.
const (
	Vtable   Kind = "vtable"   // its first word leads to a table of virtual functions
	Constant Kind = "constant" // one of its first words leads to constant data that has a name
	Text     Kind = "text"     // it begins with text
	Typed    Kind = "type"     // a pointer of a known type leads to it
	Shape    Kind = "shape"    // it is a struct of a library that is known by its members
	Object   Kind = "object"   // its head leads to the record of its type, as a runtime has it
	None     Kind = ""
)

// A Class is what a block is.
type Class struct {
	Name string // "Session", "with &deflate_table"; "" if nothing says it
	Kind Kind
}

const (
	headWords = 4   // of a block that are looked at for pointers to constant data
	minText   = 4   // characters that make a block text
	lookText  = 16  // bytes that are looked at
	maxName   = 512 // bytes of the name of a class
)

// A Namer says what blocks are. It serves one goroutine.
type Namer struct {
	p       *core.Process
	symbols *sym.Table
	c       *core.Cursor
	w       core.Addr
	modules []block.Span         // in order of address
	tables  map[core.Addr]string // names of classes, by what first words lead to
	data    map[core.Addr]string
	typers  []block.Typer
}

// Ask lets the allocators of runtimes say what objects are.
func (n *Namer) Ask(all []block.Allocator) {
	for _, a := range all {
		if t, ok := a.(block.Typer); ok {
			n.typers = append(n.typers, t)
		}
	}
}

// New returns a Namer; symbols may be nil.
func New(p *core.Process, symbols *sym.Table) *Namer {
	n := &Namer{p: p, symbols: symbols, c: p.Cursor(), tables: map[core.Addr]string{}, data: map[core.Addr]string{}}
	n.w = core.Addr(n.c.PtrSize())
	for _, m := range p.Modules {
		n.modules = append(n.modules, block.Span{Start: m.Start, End: m.End})
	}
	slices.SortFunc(n.modules, func(x, y block.Span) int { return cmp.Compare(x.Start, y.Start) })
	for i := 1; i < len(n.modules); i++ { // one may have another inside
		n.modules[i].End = max(n.modules[i].End, n.modules[i-1].End)
	}
	return n
}

// near reports whether an address may be in a module. Most first words of blocks lead to other blocks.
func (n *Namer) near(a core.Addr) bool {
	i := sort.Search(len(n.modules), func(i int) bool { return n.modules[i].Start > a })
	return i > 0 && a < n.modules[i-1].End
}

// Of says what a block is.
func (n *Namer) Of(at core.Addr, size uint64) Class {
	for _, t := range n.typers {
		if name := t.TypeOf(at, size); name != "" {
			return Class{name, Object}
		}
	}
	if name := n.stream(at, size); name != "" {
		return Class{name, Shape}
	}
	for i := range core.Addr(headWords) {
		if uint64((i+1)*n.w) > size {
			break
		}
		v := n.c.Pointer(at + i*n.w)
		if n.c.Reset() != nil || !n.near(v) {
			continue
		}
		if i == 0 {
			if name := n.table(v); name != "" {
				return Class{name, Vtable}
			}
		}
		if name := n.constant(v); name != "" {
			return Class{"with &" + name, Constant}
		}
	}
	if n.text(at, size) {
		return Class{"(text)", Text}
	}
	return Class{}
}

// Virtual returns the class of a block by its table of virtual functions; "" if it has no such table.
func (n *Namer) Virtual(at core.Addr, size uint64) string {
	if size < uint64(n.w) {
		return ""
	}
	v := n.c.Pointer(at)
	if n.c.Reset() != nil || !n.near(v) {
		return ""
	}
	return n.table(v)
}

// constant returns the name of the constant data at an address.
func (n *Namer) constant(a core.Addr) string {
	if name, ok := n.data[a]; ok {
		return name
	}
	name := ""
	if g, ok := n.p.Space.Find(a); ok && g.Prot&(core.Write|core.Exec) == 0 && n.symbols != nil {
		if y, off, ok := n.symbols.Lookup(a); ok && off == 0 {
			name = sym.Demangle(y.Name, true)
		}
	}
	n.data[a] = name
	return name
}

// text reports whether a block begins with text of ASCII.
func (n *Namer) text(at core.Addr, size uint64) bool {
	b, err := n.p.Space.Slice(at, int(min(size, lookText)))
	if err != nil {
		return false
	}
	for i, c := range b {
		if c == 0 && i >= minText {
			return true
		}
		if c < ' ' && c != '\n' && c != '\t' || c > '~' {
			return false
		}
	}
	return len(b) >= minText
}
