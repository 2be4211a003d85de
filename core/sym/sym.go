// Package sym finds names and source lines for addresses, and addresses for names, over all images of a
// process. It parses an image on the first query for an address in it or for a name, and demangles a
// name when it is shown.
//
// The object chain: an address is in a core.Module; its mapping, or the module's bias, turns it into a
// link-time address of the module's core.Image; the symbol tables of the image, of its separate debug
// file and of its .gnu_debugdata make one sorted index for looking up the address. Lines come from
// DWARF in the image or in its separate debug file (core/sym/lines), for a Mach-O image from the object
// files that its debug map names. A Go program's own function table (core/sym/pcln) has the lines that
// DWARF lacks, and names if there are no symbols.
//
// Facts: ELF gABI chapter 4 (symbol table, special section indices); "ELF for
// the Arm 64-bit Architecture" and "ELF for the Arm Architecture" (mapping
// symbols); RISC-V ELF psABI (mapping symbols); GDB manual, "Debugging
// Information in Separate Files" and "MiniDebugInfo".
//
// LIMITATIONS: split DWARF (.dwo, .dwp) gives lines but no inlined functions;
// names that dwz moved into a supplementary file are absent; prelinked
// libraries whose debug file has other addresses than they are not noticed.
package sym

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"sync"

	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/elf"
	"coredbg/core/find"
	"coredbg/core/sym/pcln"
)

// A Symbol is a name with its place in the process.
type Symbol struct {
	// Name is the name as the image spells it, mangled, without a symbol
	// version. It comes from the core or a file: Clean it before it is shown.
	Name string
	// Addr is the symbol's address in the process. For a thread-local symbol (Kind is core.SymTLS) it
	// is the offset in bytes in the thread-local block of its module.
	Addr   core.Addr
	Size   uint64 // bytes; guessed from the next symbol where absent
	Kind   core.SymKind
	Global bool // global or weak, not local
	Module *core.Module
}

// Table is the symbols of a process. It is safe for concurrent use.
type Table struct {
	// AllowRemote allows debug files to come from servers; see Fetch.
	AllowRemote bool
	// Holds reports whether the code of the function that begins at start may be at a. It is called for
	// exported functions without a size, such as assembly functions of some libraries. If it is nil,
	// such functions have no such limit.
	Holds func(start, a core.Addr) bool
	// Indexes keeps what takes long to find out of large debug files, for the next process that asks;
	// nil for none. It is set before anything is asked.
	Indexes dwarf.Keeper

	p       *core.Process
	debug   find.Finder
	minKept int // symbols that are worth being kept

	mu      sync.RWMutex
	modules map[*core.Module]*module
	fetched map[*core.Module]bool // servers have been asked for its debug file
	private []Symbol              // by address

	answers  answers
	opened   sources
	readable nameCache
}

// module is the table's state for one module.
type module struct {
	m     *core.Module
	segs  func() []core.ImageSegment
	files func() *files
	index func() *index
	names func() *names
	lines func() *lineTable
	data  func() (*dwarf.Data, error)
}

// NewTable returns the symbol table of p. It reads nothing yet. Separate debug files are looked for
// where debug says, or in this machine's usual places if there is none; the opened files are closed
// with p.
func NewTable(p *core.Process, debug ...find.Finder) *Table {
	t := &Table{p: p, minKept: MinKept, debug: elf.Disk{}, modules: make(map[*core.Module]*module)}
	if len(debug) > 0 {
		t.debug = debug[0]
	}
	p.Closers = append(p.Closers, &t.opened)
	return t
}

func (t *Table) module(m *core.Module) *module {
	t.mu.RLock()
	e := t.modules[m]
	t.mu.RUnlock()
	if e != nil {
		return e
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e = t.modules[m]; e == nil {
		e = t.newModule(m, false)
		t.modules[m] = e
	}
	return e
}

func (t *Table) newModule(m *core.Module, allowRemote bool) *module {
	e := &module{m: m}
	e.segs = sync.OnceValue(func() []core.ImageSegment {
		if img := m.Facts().Image; img != nil {
			return img.Segments()
		}
		return nil
	})
	e.files = sync.OnceValue(func() *files {
		f := openFiles(m, t.debug, t.order(), &t.opened, allowRemote)
		f.golang = sync.OnceValues(func() (*pcln.Table, error) { return pcln.ForModule(t.p, m) })
		return f
	})
	e.index = sync.OnceValue(func() *index {
		f, arm := e.files(), t.p.Arch == core.ARM
		return newIndex(f, arm, t.keeping(f, arm))
	})
	e.names = sync.OnceValue(func() *names { return newNames(e.index()) })
	e.lines = sync.OnceValue(func() *lineTable {
		d, err := e.data()
		return newLineTable(e.files(), d, err)
	})
	e.data = sync.OnceValues(func() (*dwarf.Data, error) { return t.openData(e.files()) })
	return e
}

// Data returns DWARF's description of the types and variables of m, from its image or its separate
// debug file. The error is dwarf.ErrNone if neither has any.
func (t *Table) Data(m *core.Module) (*dwarf.Data, error) { return t.module(m).data() }

func (t *Table) openData(f *files) (*dwarf.Data, error) {
	img := f.lineImage()
	if img == nil {
		return nil, cmp.Or(f.err, dwarf.ErrNone)
	}
	d, err := dwarf.Open(img, t.order(), dwarfFiles{f, t.order()})
	if of, ok := img.(interface{ BuildID() []byte }); ok && err == nil {
		d.Keep(t.Indexes, of.BuildID(), dwarf.MinKept)
	}
	return d, err
}

func (t *Table) order() binary.ByteOrder {
	if t.p.Arch == nil {
		return binary.LittleEndian
	}
	return t.p.Arch.Order
}

// Lookup returns the symbol that covers a, and a's distance from its start in bytes. It returns false
// for an address after the last byte of every symbol, or in a symbol whose name was left out of a
// bundle; see Cover. Symbols that were added come first.
func (t *Table) Lookup(a core.Addr) (s Symbol, off uint64, ok bool) {
	if s, off, ok = t.Cover(a); s.Name == "" {
		return Symbol{}, 0, false
	}
	return s, off, ok
}

// Cover is like Lookup, but also returns symbols whose names were left out of a bundle, with the Name
// "".
func (t *Table) Cover(a core.Addr) (s Symbol, off uint64, ok bool) {
	if s, ok := t.privateAt(a); ok {
		return s, uint64(a - s.Addr), true
	}
	m, link, ok := t.locate(a)
	if !ok {
		return Symbol{}, 0, false
	}
	x := m.index()
	e := x.lookup(link)
	if e == nil {
		return Symbol{}, 0, false
	}
	off = link - e.addr
	if e.guessed && x.exported && off > 0 && e.kind == core.SymFunc && t.Holds != nil && !t.Holds(a-core.Addr(off), a) {
		return Symbol{}, 0, false
	}
	// The distance counts from where a lies, not from the bias: a may be in
	// a second mapping of the file.
	s = e.symbol(m.m, a-core.Addr(off))
	t.answers.note(s)
	return s, off, true
}

// Module calls yield for each symbol of m in order of address until it returns false; thread-local ones
// come last, in order of offset. Symbols of the static and the dynamic table are merged. The error says
// why symbols of m are missing.
func (t *Table) Module(m *core.Module, yield func(Symbol) bool) error {
	x := t.module(m).index()
	bias := m.Facts().Bias
	for i := range x.len() {
		if e := x.at(i); !e.unnamed && !yield(e.place(m, bias)) {
			return nil
		}
	}
	return cmp.Or(x.err, t.Unnamed(m))
}

// Unnamed says how many symbols of m have no name, and why: they were left out of a
// bundle. It returns nil if there are none.
func (t *Table) Unnamed(m *core.Module) error {
	x := t.module(m).index()
	if x.unnamed == 0 {
		return nil
	}
	return fmt.Errorf("names of %d functions: %w", x.unnamed, x.gap)
}
