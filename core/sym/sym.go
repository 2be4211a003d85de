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
	"sync"

	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/elf"
	"coredbg/core/find"
	"coredbg/core/sym/pcln"
)

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
		return newIndex(f, arm, newKeeping(t.Indexes, t.minKept, f, arm))
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

// Demangle is the function of that name with a memory.
func (t *Table) Demangle(name string, short bool) string { return t.readable.get(name, short) }

// DebugImage returns the separate debug file of m, or nil if there is none.
func (t *Table) DebugImage(m *core.Module) core.Image { return t.module(m).files().debug }
