package lines

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"coredbg/core/dwarf"
)

// A Place is the first instruction of a line of source, one for each piece of code that the line has.
type Place struct {
	Addr uint64 // of link time
	File string
	Line int // the line asked for or, where it has no code, the next one with any
}

// maxPlaces bounds the answer: a line of a template or an inlined function has many pieces.
const maxPlaces = 1024

// Places returns the code of a line of each source file whose path ends in name: the whole path, or its last
// elements. All line number programs with such a file are run, so it takes its time in a large image.
func (t *Table) Places(name string, line int) (out []Place) {
	for u := range t.unitsOf(name) {
		if out = append(out, u.places(name, line)...); len(out) > maxPlaces {
			break
		}
	}
	slices.SortFunc(out, func(a, b Place) int { return cmp.Compare(a.Addr, b.Addr) })
	best := 0 // of all units: one that has only later lines says nothing of this one
	for _, p := range out {
		if best == 0 || p.Line < best {
			best = p.Line
		}
	}
	out = slices.DeleteFunc(out, func(p Place) bool { return p.Line != best })
	out = slices.Compact(out)
	return out[:min(len(out), maxPlaces)]
}

// Coded returns the lines that have code of each source file whose path ends in name, sorted.
func (t *Table) Coded(name string) (out []int) {
	seen := map[int32]bool{}
	for u := range t.unitsOf(name) {
		wanted := map[int32]bool{}
		for _, r := range u.rows {
			if _, known := wanted[r.file]; !known {
				wanted[r.file] = IsFile(u.file(int(r.file)), name)
			}
			if wanted[r.file] && !r.end && r.line > 0 {
				seen[r.line] = true
			}
		}
	}
	for line := range seen {
		out = append(out, int(line))
	}
	slices.Sort(out)
	return out
}

// unitsOf yields the units with a source file whose path ends in name, with their rows. The first error is kept in t.
func (t *Table) unitsOf(name string) iter.Seq[*unit] {
	return func(yield func(*unit) bool) {
		if t.d == nil {
			return
		}
		for of := range t.d.Units() {
			u := &unit{Unit: of}
			if t.missing(of) != nil || !u.has(t, name) {
				continue
			}
			if err := u.loadRows(t); err != nil {
				t.err = cmp.Or(t.err, err)
				continue
			}
			if !yield(u) {
				return
			}
		}
	}
}

// has reports whether a unit's table of files has a name.
func (u *unit) has(t *Table, name string) bool {
	off, dir, ok := u.Program()
	if !ok {
		return false
	}
	p, err := dwarf.NewLineProgram(t.program, off, dir)
	if err != nil {
		return false
	}
	for i := range p.Files() {
		if IsFile(p.File(i), name) {
			return true
		}
	}
	return false
}

// places returns the places of a line in the unit, or of the next line that has code.
func (u *unit) places(name string, line int) (out []Place) {
	wanted := map[int32]bool{}
	best := int32(0)
	for _, r := range u.rows {
		if _, known := wanted[r.file]; !known {
			wanted[r.file] = IsFile(u.file(int(r.file)), name)
		}
		if wanted[r.file] && !r.end && int(r.line) >= line && (best == 0 || r.line < best) {
			best = r.line
		}
	}
	before := int32(0) // the line of the row before: rows of one line in a row are one piece
	for _, r := range u.rows {
		is := wanted[r.file] && !r.end && r.line == best && best > 0
		if is && before != best {
			out = append(out, Place{r.addr, u.file(int(r.file)), int(best)})
		}
		if before = 0; is {
			before = best
		}
	}
	return out
}

// IsFile reports whether a path is the file of a name: the same path, or one that ends in the name's elements.
func IsFile(path, name string) bool {
	path, name = strings.ReplaceAll(path, `\`, "/"), strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "./")
	return name != "" && (path == name || strings.HasSuffix(path, "/"+strings.TrimPrefix(name, "/")) &&
		!strings.HasPrefix(name, "/"))
}

// Files yields the source files that the line number programs of the image name, as the compiler had them,
// until yield returns false. A file of several units comes several times.
func (t *Table) Files(yield func(path string) bool) {
	if t.d == nil {
		return
	}
	for of := range t.d.Units() {
		off, dir, ok := of.Program()
		if !ok || t.missing(of) != nil {
			continue
		}
		p, err := dwarf.NewLineProgram(t.program, off, dir)
		if err != nil {
			t.err = cmp.Or(t.err, err)
			continue
		}
		for i := range p.Files() {
			if path := p.File(i); path != "" && !yield(path) {
				return
			}
		}
	}
}
