package sym

import (
	"cmp"
	"debug/dwarf"
	"encoding/binary"
	"errors"
	"fmt"

	"slices"
	"sort"
	"sync"

	"coredbg/core"
	"coredbg/core/breakpad"
)

// A Line is a place in the source. All text comes from DWARF, so from a file:
// Clean it before it is shown.
type Line struct {
	// Func is the function that the place is in: its linkage name, mangled,
	// where DWARF has one, else its plain name; "" if DWARF names none.
	Func   string
	File   string // path as the compiler had it, made absolute where it could be
	Line   int    // from 1; 0 if the code belongs to no line
	Column int    // from 1; 0 if unknown
	// Inlined is set if Func was inlined: the next Line is the place that it
	// was inlined into.
	Inlined bool
}

// Lines returns the source places that the instruction at pc belongs to: the
// innermost inlined function first, the function that holds the code last. For
// a return address pc must lie in the call, not after it (walk's LookupPC). It
// returns nil where there is no line information.
func (t *Table) Lines(pc core.Addr) []Line {
	e, link, ok := t.locate(pc)
	if !ok {
		return nil
	}
	lines := e.lines().find(link)
	if n := len(lines); n > 0 && !mangled([]byte(lines[n-1].Func)) {
		// DWARF has no linkage name for what has none outside of its file,
		// like a lambda; the symbol table has.
		if s := e.index().lookup(link); s != nil && s.kind == core.SymFunc && mangled(s.name) {
			lines = slices.Clone(lines)
			lines[n-1].Func = string(s.name)
		}
	}
	return lines
}

// LinesError returns why m has no source lines, or only some; nil if nothing is
// known to be wrong. A module without line information is not an error.
func (t *Table) LinesError(m *core.Module) error {
	l := t.module(m).lines()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// lineTable is the line information of a module. Units are parsed when an
// address in them is asked for.
type lineTable struct {
	mu    sync.Mutex
	d     *dwarf.Data // nil if there is none
	units []unitRange // sorted by low
	open  map[dwarf.Offset]*unit
	known map[uint64][]Line
	err   error

	// whole is where all units are, in their order; info and line are the sections
	// that a lean bundle has with gaps.
	whole      []wholeUnit
	info, line core.Section
	program    lineSections

	// object is set for the DWARF of an object file: its code begins at
	// address 0.
	object bool
	// listed is the symbol file of Breakpad that has the lines; else nil.
	listed *breakpad.Image
	// objects are the object files that the code was linked from, if these
	// have the line information; else nil.
	objects *objectFiles
}

// unitRange says that code at [low, high) belongs to the unit whose first entry
// is at off.
type unitRange struct {
	low, high uint64
	off       dwarf.Offset
}

// The bounds of what one module's line information may cost.
const (
	maxUnits      = 1 << 20
	maxEntries    = 8 << 20 // debugging information entries read of one unit
	maxRanges     = 4 << 20 // address ranges read of one unit
	maxKnownLines = 1 << 15 // answers that are remembered
)

// debugSections are those that dwarf.Data takes by name, beside the first few.
var debugSections = []string{".debug_types", ".debug_addr", ".debug_line_str", ".debug_str_offsets", ".debug_rnglists"}

func newLineTable(f *files) *lineTable {
	img := f.lineImage()
	if listed, ok := img.(*breakpad.Image); ok {
		return &lineTable{known: make(map[uint64][]Line), listed: listed}
	}
	t := openLineTable(img, false)
	if t.d == nil && t.err == nil {
		t.objects = newObjectFiles(f, img)
	}
	return t
}

// openLineTable opens the line information of an image, or of an object file.
func openLineTable(img core.Image, object bool) *lineTable {
	t := &lineTable{open: make(map[dwarf.Offset]*unit), known: make(map[uint64][]Line), object: object}
	if img != nil {
		t.guard("opening", func() error { return t.load(img) })
	}
	return t
}

// guard runs f and keeps its error. debug/dwarf was made for the output of
// compilers; on other bytes it may panic, which must cost no more than lines.
func (t *lineTable) guard(doing string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reading DWARF: %v", r)
		}
		if err != nil && t.err == nil {
			t.err = fmt.Errorf("%s line information: %w", doing, err)
		}
	}()
	return f()
}

func (t *lineTable) load(img core.Image) error {
	get := func(name string) ([]byte, error) {
		s, err := img.Section(name)
		switch {
		case errors.Is(err, core.ErrNoSection):
			return nil, nil
		case name == ".debug_info":
			t.info = s
		case name == ".debug_line":
			t.line = s
			t.program.Line = s.Data
		case name == ".debug_str":
			t.program.Str = s.Data
		case name == ".debug_line_str":
			t.program.LineStr = s.Data
		}
		return s.Data, err
	}
	var base [5][]byte
	for i, name := range []string{".debug_info", ".debug_abbrev", ".debug_line", ".debug_ranges", ".debug_str"} {
		data, err := get(name)
		if err != nil {
			return fmt.Errorf("section %s: %w", name, err)
		}
		base[i] = data
	}
	info := base[0]
	if len(info) == 0 {
		return nil
	}
	d, err := dwarf.New(base[1], nil, nil, info, nil, nil, base[3], base[4])
	if err != nil {
		return err
	}
	for _, name := range debugSections {
		data, err := get(name)
		if err == nil && data != nil {
			err = d.AddSection(name, data)
		}
		if err != nil {
			return fmt.Errorf("section %s: %w", name, err)
		}
	}
	t.d = d
	t.program.Order = d.Reader().ByteOrder()
	return t.loadUnits(info)
}

// loadUnits reads the first entry of each unit for the addresses it covers.
func (t *lineTable) loadUnits(info []byte) error {
	var order binary.ByteOrder = binary.LittleEndian
	if b := t.d.Reader().ByteOrder(); b == binary.BigEndian {
		order = b
	}
	r := t.d.Reader()
	total := 0
	off := 0
	for n := 0; off < len(info) && n < maxUnits && total < maxRanges; n++ {
		h, ok := parseUnitHeader(info[off:], order)
		if !ok {
			break
		}
		t.whole = append(t.whole, wholeUnit{dwarf.Offset(off), dwarf.Offset(off + int(h.first)), dwarf.Offset(off + int(h.size)), h.code})
		if h.code {
			r.Seek(dwarf.Offset(off + int(h.first)))
			e, err := r.Next()
			if err != nil {
				return err
			}
			if e != nil && (e.Tag == dwarf.TagCompileUnit || e.Tag == dwarf.TagSkeletonUnit) {
				ranges, err := t.d.Ranges(e)
				if err != nil {
					t.err = cmp.Or(t.err, fmt.Errorf("unit at %#x: %w", off, err))
				}
				total += len(ranges)
				for _, lh := range ranges {
					if real(lh, t.object) {
						t.units = append(t.units, unitRange{lh[0], lh[1], e.Offset})
					}
				}
			}
		}
		off += int(h.size)
	}
	if gap := t.info.Gap(off, off+1); gap != nil {
		t.err = cmp.Or(t.err, fmt.Errorf("unit at %#x: %w", off, gap.Err))
	}
	slices.SortFunc(t.units, func(a, b unitRange) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high), cmp.Compare(a.off, b.off))
	})
	return nil
}

// real reports whether a range can hold code. Linkers leave ranges of code that
// they threw away at address 0 or at the top (DWARF issue 200609.1); in an object
// file, code may be at 0.
func real(lh [2]uint64, object bool) bool {
	return (lh[0] != 0 || object) && lh[0] < lh[1] && lh[0] < ^uint64(1)
}

// find returns the places of a link-time address.
func (t *lineTable) find(link uint64) []Line {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l, ok := t.known[link]; ok {
		return l
	}
	var out []Line
	if t.listed != nil {
		for _, l := range t.listed.Lines(link) {
			out = append(out, Line{Func: l.Func, File: l.File, Line: l.Line, Inlined: l.Inlined})
		}
	} else if t.objects != nil {
		var err error
		if out, err = t.objects.find(link); err != nil && t.err == nil {
			t.err = err
		}
	} else if t.d == nil {
		return nil
	} else if u := t.unitAt(link); u != nil {
		t.guard("reading", func() error {
			out = u.lines(t.d, link)
			return nil
		})
	}
	if len(t.known) >= maxKnownLines {
		clear(t.known)
	}
	t.known[link] = out
	return out
}

// unitAt returns the parsed unit that covers link, or nil.
func (t *lineTable) unitAt(link uint64) *unit {
	i := sort.Search(len(t.units), func(i int) bool { return t.units[i].low > link })
	// Ranges seldom overlap; the nearest one that holds the address is it.
	for k := i - 1; k >= 0 && k >= i-8; k-- {
		if r := t.units[k]; link < r.high {
			u, ok := t.open[r.off]
			if !ok {
				u = &unit{off: r.off, object: t.object}
				t.guard("reading", func() error {
					if err := t.missing(r.off); err != nil {
						return err
					}
					return u.load(t)
				})
				t.open[r.off] = u
			}
			return u
		}
	}
	return nil
}

// unit is a compilation unit: its line rows, and where its functions are.
type unit struct {
	off     dwarf.Offset
	object  bool // of an object file
	rows    []row
	program *lineProgram // nil if there is none
	funcs   []unitRange  // off is that of the function's entry
}

func (u *unit) load(t *lineTable) error {
	d := t.d
	r := d.Reader()
	r.Seek(u.off)
	e, err := r.Next()
	if err != nil || e == nil {
		return err
	}
	return errors.Join(u.loadRows(t, e), u.loadFuncs(d, r, e))
}

// lines returns the places of link, from the row that holds it and from the
// functions that were inlined there.
func (u *unit) lines(d *dwarf.Data, link uint64) []Line {
	var at Line
	i := sort.Search(len(u.rows), func(i int) bool { return u.rows[i].addr > link }) - 1
	if i >= 0 && !u.rows[i].end {
		r := u.rows[i]
		at = Line{File: u.file(int(r.file)), Line: int(r.line), Column: int(r.column)}
	}
	out := []Line{at}
	for _, c := range u.calls(d, link) {
		last := &out[len(out)-1]
		last.Func, last.Inlined = c.name, c.inlined
		if c.inlined {
			out = append(out, c.site)
		}
	}
	if len(out) == 1 && out[0] == (Line{}) {
		return nil
	}
	return out
}
