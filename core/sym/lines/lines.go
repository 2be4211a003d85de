// Package lines finds the source lines of code: by the line number programs and the functions of DWARF.
// Package core/sym decides which file has an address, and what to do without DWARF.
//
// Facts: DWARF 5 sections 2.17, 3.3.8 and 6.2.
package lines

import (
	"cmp"
	"errors"
	"fmt"
	"sort"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// A Line is a place in the source. All text comes from DWARF, so from a file:
// Clean it before it is shown.
type Line struct {
	// Func is the function that the place is in: its linkage name, mangled,
	// where DWARF has one, else its plain name; "" if DWARF names none.
	Func string
	// Spelt is set if Func is the name as the source has it, of a language whose linkage names are not demangled.
	Spelt  bool
	File   string // path as the compiler had it, made absolute where it could be
	Line   int    // from 1; 0 if the code belongs to no line
	Column int    // from 1; 0 if unknown
	// Inlined is set if Func was inlined: the next Line is the place that it
	// was inlined into.
	Inlined bool
}

// A Table is the line information of an image. Units are read when an address in them is asked for. It
// serves one goroutine at a time.
type Table struct {
	d       *dwarf.Data // nil if there is none
	open    map[*dwarf.Unit]*unit
	err     error
	line    core.Section // a lean bundle has it with gaps
	program dwarf.LineSections
}

// Open returns the line information of an image, whose debugging information d is, or why there is none of that.
func Open(img core.Image, d *dwarf.Data, err error) *Table {
	t := &Table{d: d, open: map[*dwarf.Unit]*unit{}}
	if errors.Is(err, dwarf.ErrNone) {
		return t
	}
	if t.err = err; d == nil {
		return t
	}
	t.program.Order = dwarf.OrderOf(img)
	t.err = d.Broken()
	for name, to := range map[string]*[]byte{".debug_line": &t.program.Line, ".debug_str": &t.program.Str,
		".debug_line_str": &t.program.LineStr} {
		s, err := img.Section(name)
		if err != nil && !errors.Is(err, core.ErrNoSection) {
			t.err = cmp.Or(t.err, fmt.Errorf("section %s: %w", name, err))
		}
		if *to = s.Data; name == ".debug_line" {
			t.line = s
		}
	}
	return t
}

// None reports whether there is no DWARF, and nothing wrong with it.
func (t *Table) None() bool { return t.d == nil && t.err == nil }

// Err says why there are no lines, or only some; nil if nothing is known to be wrong.
func (t *Table) Err() error {
	if t.err == nil {
		return nil
	}
	return fmt.Errorf("reading line information: %w", t.err)
}

// LeftOut says which lines a lean bundle lacks; nil if it lacks none.
func (t *Table) LeftOut() error {
	if t.d == nil {
		return nil
	}
	left, all, why := t.d.LeftOut()
	if left == 0 {
		return nil
	}
	return fmt.Errorf("source lines of %d of %d units: %w", left, all, why)
}

// Find returns the places of a link-time address, the innermost inlined function first.
func (t *Table) Find(link uint64) []Line {
	u := t.unitAt(link)
	if u == nil {
		return nil
	}
	return u.lines(link)
}

// Extent returns the instructions around a link-time address that belong to its line, and the line. An address without
// a line is in none.
func (t *Table) Extent(link uint64) (at Line, from, to uint64, ok bool) {
	u := t.unitAt(link)
	if u == nil {
		return at, 0, 0, false
	}
	i := sort.Search(len(u.rows), func(i int) bool { return u.rows[i].addr > link }) - 1
	if i < 0 || u.rows[i].end || i+1 == len(u.rows) {
		return at, 0, 0, false
	}
	r := u.rows[i]
	same := func(x row) bool { return !x.end && x.file == r.file && x.line == r.line }
	first, last := i, i
	for first > 0 && same(u.rows[first-1]) {
		first--
	}
	for last < len(u.rows) && (same(u.rows[last]) || u.rows[last].addr == u.rows[first].addr) {
		last++
	}
	if last == len(u.rows) {
		return at, 0, 0, false
	}
	at = Line{File: u.file(int(r.file)), Line: int(r.line), Column: int(r.column)}
	return at, u.rows[first].addr, u.rows[last].addr, r.line > 0
}

// unitAt returns the unit of a link-time address with its rows; nil if there is none.
func (t *Table) unitAt(link uint64) *unit {
	if t.d == nil {
		return nil
	}
	of := t.d.UnitAt(link)
	if of == nil {
		return nil
	}
	u, ok := t.open[of]
	if !ok {
		u = &unit{Unit: of}
		if err := t.missing(of); err != nil {
			t.err = cmp.Or(t.err, err)
		} else if err := u.loadRows(t); err != nil {
			t.err = cmp.Or(t.err, err)
		}
		t.open[of] = u
	}
	return u
}

// Folders returns the folders that the code at a link-time address was compiled in.
func (t *Table) Folders(link uint64) []string {
	if t.d == nil {
		return nil
	}
	if u := t.d.UnitAt(link); u != nil {
		return u.Folders()
	}
	return nil
}

// missing says why the entries of a unit or its line number program cannot all be read; nil if they can.
func (t *Table) missing(u *dwarf.Unit) error {
	if err := u.Lost(); err != nil {
		return err
	}
	if at, _, ok := u.Program(); ok && at < uint64(len(t.line.Data)) {
		if gap := t.line.Gap(int(at), int(at)+1); gap != nil {
			return gap.Err
		}
	}
	return nil
}

// unit is a unit with the rows of its line number program.
type unit struct {
	*dwarf.Unit
	rows    []row
	program *dwarf.LineProgram // nil if there is none
}

// lines returns the places of link, from the row that holds it and from the
// functions that were inlined there.
func (u *unit) lines(link uint64) []Line {
	var at Line
	i := sort.Search(len(u.rows), func(i int) bool { return u.rows[i].addr > link }) - 1
	if i >= 0 && !u.rows[i].end {
		r := u.rows[i]
		at = Line{File: u.file(int(r.file)), Line: int(r.line), Column: int(r.column)}
	}
	out := []Line{at}
	for _, c := range u.Calls(link) {
		last := &out[len(out)-1]
		if last.Func, last.Inlined = c.Name, c.Inlined; c.Spelt != "" {
			last.Func, last.Spelt = c.Spelt, true
		}
		if c.Inlined {
			out = append(out, Line{File: u.file(c.File), Line: c.Line, Column: c.Column})
		}
	}
	if len(out) == 1 && out[0] == (Line{}) {
		return nil
	}
	return out
}
