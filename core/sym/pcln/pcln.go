// Package pcln reads the function table of a Go program, which its runtime needs and which a linker therefore
// keeps when it drops symbols and DWARF (go build -ldflags='-s -w'): names of functions, source lines,
// inlined calls and frames.
//
// pcHeader -> functab, pairs of a function's code and of its _func -> offsets of its name and of tables
// of values by pc: its files, its lines, the size of its frame, and the entry of its tree of inlined
// calls for each address. The tree is among the program's constants; the runtime's description of the
// program says where (moduledata).
//
// Files:
//
//	pcln.go      the header of the table; functions
//	module.go    moduledata, and where code starts
//	value.go     values by pc
//	lines.go     source lines and inlined calls
//	frame.go     what functions have on the stack
//
// Sources: Go 1.16, 1.18, 1.20 and 1.26, runtime/symtab.go (pcHeader, moduledata, funcdata, pcvalue, inlinedCall),
// runtime/symtabinl.go, runtime/runtime2.go (_func), internal/abi/symtab.go, cmd/link/internal/ld/pcln.go.
//
// LIMITATIONS: of programs whose code is in several sections, as large ones of Arm and PowerPC are, only what the first
// has is found. Without a process, a position-independent program has no inlined calls, before Go 1.18
// nothing, and one of Go 1.26 with C in it nothing either: a loader has still to write where these are.
package pcln

import (
	"bytes"
	"encoding/binary"
	"errors"
	"sort"

	"coredbg/core"
)

// Values of pcHeader.magic, named by the first version of Go that has them.
const (
	go116 = 0xfffffffa
	go118 = 0xfffffff0
	go120 = 0xfffffff1
)

// Bounds of a table.
const (
	maxFunctions = 64 << 20
	maxName      = 32 << 10 // bytes
	maxFile      = 4 << 10  // bytes
)

var errTable = errors.New(".gopclntab: not understood")

// A Program is a program of Go, or any other image.
type Program struct {
	Image core.Image
	// Read reads the memory at a link-time address and returns how many bytes it could; nil if the program
	// does not run.
	Read func(b []byte, link uint64) int
	Bias uint64 // what is added to link-time addresses in memory; 0 without a process
}

// A Table is the function table of a program. It is safe for concurrent use.
type Table struct {
	Program
	data  []byte // the section
	addr  uint64 // its link-time address
	order binary.ByteOrder
	magic uint64
	word  uint64 // bytes of a pointer
	step  uint64 // bytes of the smallest instruction
	count uint64 // functions
	text  uint64 // link-time address that code counts from

	// Offsets in bytes in data: names, files of units, names of files, values by pc, and the functab.
	// Offsets in the functab count from its start.
	names, units, files, values, funcs uint64

	gofunc uint64 // link-time address that trees of calls count from; 0 if unknown
}

// Open returns the table of a program; nil if the program has no table.
func Open(p Program) (*Table, error) {
	s := section(p.Image)
	if len(s.Data) == 0 {
		return nil, nil
	}
	t, err := newTable(s.Data)
	if err != nil {
		return nil, err
	}
	t.Program, t.addr = p, s.Addr
	if t.magic == go116 && p.Read != nil && p.Bias != 0 {
		// A loader has written where functions are.
		b := make([]byte, len(s.Data))
		t.data = b[:p.Read(b, s.Addr)]
		if err := t.checkBounds(); err != nil {
			return nil, err
		}
	}
	return t, t.locate()
}

// section returns the section of a program's table, or the rest of a larger section from the table's
// start on. It is empty if there is no table. Before Go 1.26, a linker of C puts the table of a
// position-independent program among other tables that a loader writes to.
func section(img core.Image) core.Section {
	for _, name := range []string{".gopclntab", ".data.rel.ro.gopclntab"} {
		if s, err := img.Section(name); err == nil && len(s.Data) > 0 {
			return s
		}
	}
	if _, err := img.Section(".note.go.buildid"); err != nil {
		return core.Section{}
	}
	s, err := img.Section(".data.rel.ro")
	if err != nil {
		return core.Section{}
	}
	const align = 8
	for off := -s.Addr & (align - 1); off < uint64(len(s.Data)); off += align {
		if b := s.Data[off:]; begins(b) {
			return core.Section{Addr: s.Addr + off, Data: b}
		}
	}
	return core.Section{}
}

// begins reports whether a table begins there: all its parts follow in the linker's order.
func begins(b []byte) bool {
	if len(b) < 8 || b[0] < 0xf0 && b[3] < 0xf0 || b[4]|b[5] != 0 {
		return false
	}
	t, err := newTable(b)
	return err == nil && t.count > 0 && t.names < t.units && t.units < t.files && t.files < t.values &&
		t.values < t.funcs
}

// newTable reads the header.
func newTable(b []byte) (*Table, error) {
	t := &Table{data: b, order: binary.LittleEndian}
	if len(b) < 8 {
		return nil, errTable
	}
	if b[0] == 0xff {
		t.order = binary.BigEndian
	}
	t.magic, t.step, t.word = t.u32(0), uint64(b[6]), uint64(b[7])
	fields := uint64(0)
	switch t.magic {
	case go116:
	case go118, go120:
		t.text = t.pointer(8 + 2*t.word)
		fields = 1
	default:
		return nil, errTable
	}
	if t.word != 4 && t.word != 8 || t.step != 1 && t.step != 2 && t.step != 4 {
		return nil, errTable
	}
	t.count = t.pointer(8)
	for i, to := range []*uint64{&t.names, &t.units, &t.files, &t.values, &t.funcs} {
		*to = t.pointer(8 + (2+fields+uint64(i))*t.word)
	}
	return t, t.checkBounds()
}

// checkBounds reports whether what the header says is in the data.
func (t *Table) checkBounds() error {
	size := uint64(len(t.data))
	for _, off := range []uint64{t.names, t.units, t.files, t.values, t.funcs} {
		if off >= size {
			return errTable
		}
	}
	if t.count > (size-t.funcs)/(2*t.entrySize()) || t.count > maxFunctions {
		return errTable
	}
	return nil
}

// entrySize returns the size in bytes of each of the two parts of a functab entry.
func (t *Table) entrySize() uint64 {
	if t.magic == go116 {
		return t.word
	}
	return 4
}

// u32 returns the 32-bit value at an offset; 0 past the end.
func (t *Table) u32(off uint64) uint64 {
	if off > uint64(len(t.data)) || uint64(len(t.data))-off < 4 {
		return 0
	}
	return uint64(t.order.Uint32(t.data[off:]))
}

// pointer returns the pointer at an offset; 0 past the end.
func (t *Table) pointer(off uint64) uint64 {
	if t.word == 4 {
		return t.u32(off)
	}
	if off > uint64(len(t.data)) || uint64(len(t.data))-off < 8 {
		return 0
	}
	return t.order.Uint64(t.data[off:])
}

// link returns the link-time address of a pointer in memory.
func (t *Table) link(v uint64) uint64 {
	if t.word == 4 {
		return uint64(uint32(v - t.Bias))
	}
	return v - t.Bias
}

// start returns the link-time address of a function by its number; that after the last ends it.
func (t *Table) start(i uint64) uint64 {
	at := t.funcs + 2*t.entrySize()*i
	if t.magic == go116 {
		return t.link(t.pointer(at))
	}
	return t.text + t.u32(at)
}

// textAt returns the text at off in the texts that begin at base; nil if it has no end.
func (t *Table) textAt(base, off, most uint64) []byte {
	b := t.data[base:]
	if off >= uint64(len(b)) {
		return nil
	}
	b = b[off:min(off+most, uint64(len(b)))]
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return nil
	}
	return b[:n]
}

// A function is one with its _func.
type function struct {
	*Table
	entry, end uint64 // link-time addresses; the end is exclusive
	// at is the offset of the field after the first, which is a pointer before Go 1.18.
	at uint64
}

// function returns a function by its number.
func (t *Table) function(i uint64) function {
	size := t.entrySize()
	at := t.funcs + 2*size*i + size
	off := t.u32(at)
	if t.magic == go116 {
		off = t.pointer(at)
	}
	return function{t, t.start(i), t.start(i + 1), t.funcs + off + size}
}

// name returns the function's name; nil if it has no name.
func (f *function) name() []byte { return f.textAt(f.names, f.u32(f.at), maxName) }

// find returns the function that holds a link-time address.
func (t *Table) find(link uint64) (function, bool) {
	i := sort.Search(int(t.count), func(i int) bool { return t.start(uint64(i)) > link }) - 1
	if i < 0 {
		return function{}, false
	}
	f := t.function(uint64(i))
	return f, link < f.end
}

// Functions calls yield for each function, in order of address, until it returns false.
func (t *Table) Functions(yield func(core.ImageSymbol) bool) {
	for i := range t.count {
		f := t.function(i)
		name := f.name()
		if len(name) == 0 || f.end <= f.entry {
			continue
		}
		if !yield(core.ImageSymbol{Name: name, Value: f.entry, Size: f.end - f.entry, Kind: core.SymFunc,
			Defined: true, Section: 1}) {
			return
		}
	}
}
