package dwarf

import (
	"cmp"
	"encoding/binary"
	"slices"

	"coredbg/core"
	"coredbg/core/dwarf/format"
	"coredbg/core/dwarf/index"
)

// OrderOf returns the byte order of an image's debugging information, by the version of its first unit.
func OrderOf(img core.Image) binary.ByteOrder {
	if s, err := img.Section(".debug_info"); err == nil && len(s.Data) > 5 && s.Data[4] == 0 && s.Data[5] != 0 {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Broken returns the error of the unit after which units are missing; nil if the list is complete.
func (d *Data) Broken() error { return d.own.broken }

// Lost says why there is no more of the unit than its first entry; nil if there is.
func (u *Unit) Lost() error {
	u.load()
	return u.lost
}

// A Call is a function, inlined or not, that contains an address.
type Call struct {
	Name string // its linkage name, or else its plain one
	// Spelt is the name as the source has it, in languages whose linkage names are not demangled; "" in others.
	Spelt string
	// Inlined is set if it was inlined; then Line and Column, 0 if they are not known, and File, by its number
	// in the line number program of the unit, are the place that it was inlined into.
	Inlined            bool
	File, Line, Column int
}

// maxInlined bounds how deep functions may be inlined into each other.
const maxInlined = 64

// Calls returns the functions that contain the code of the unit at the link-time address pc: the
// innermost inlined one first, the one that has the code last.
func (u *Unit) Calls(pc uint64) []Call {
	fn := u.functionAt(pc)
	if fn == nil {
		return nil
	}
	out := []Call{{Name: fn.functionName(), Spelt: fn.spelling()}}
	inlined(&out, fn, pc, 0)
	slices.Reverse(out)
	return out
}

// inlined adds the functions that were inlined at pc into a function or block.
func inlined(out *[]Call, block *Entry, pc uint64, depth int) {
	if depth > maxNested || len(*out) > maxInlined {
		return
	}
	block.eachChild(func(_ *reader, e *Entry) bool {
		switch e.Tag {
		case format.TagLexicalBlock:
			// One without ranges of its own may have anything.
			if e.holds(pc) || !e.attr(format.AtRanges).Present() && !e.attr(format.AtLowPC).Present() {
				inlined(out, e.clone(), pc, depth+1)
			}
		case format.TagInlinedSubroutine:
			if e.holds(pc) {
				inner := e.clone()
				number := func(a format.AttrName) int { v, _ := inner.attr(a).Uint(); return int(min(v, 1<<30)) }
				*out = append(*out, Call{inner.functionName(), inner.spelling(), true, number(format.AtCallFile),
					number(format.AtCallLine), number(format.AtCallColumn)})
				inlined(out, inner, pc, depth+1)
				return false // nothing after it can hold pc too
			}
		}
		return true
	})
}

// LeftOut returns the number of units that have only their first entry in a lean bundle, the number of
// all units, and the reason.
func (d *Data) LeftOut() (left, all int, why error) {
	for _, u := range d.own.units {
		if u.left != nil {
			left++
			why = u.left
		}
	}
	return left, len(d.own.units), why
}

// An InfoRange is a range of bytes of .debug_info; End is exclusive.
type InfoRange struct{ Off, End format.Offset }

// Unneeded returns the parts of .debug_info that are not needed for the source lines at code, which are
// sorted link-time addresses: the entries after the first one in units that have none of the code, and
// that no unit with code refers to. It also returns, for each line number program by its offset,
// whether it is needed. It returns false if not all units can be read.
func (d *Data) Unneeded(code []uint64) (out []InfoRange, programs map[uint64]bool, ok bool) {
	if d.own.broken != nil {
		return nil, nil, false
	}
	needed := map[*Unit]bool{}
	var todo []*Unit
	need := func(u *Unit) {
		if u != nil && !needed[u] {
			needed[u] = true
			todo = append(todo, u)
		}
	}
	d.code().All(func(r index.Range) bool {
		// A return address may be the end of the calling function.
		if i, _ := slices.BinarySearch(code, r.Low); i < len(code) && code[i] <= r.High {
			need(d.own.units[r.Unit])
		}
		return true
	})
	for ; len(todo) > 0; todo = todo[1:] {
		if !todo[0].isType() && !todo[0].references(func(r ref) { need(d.own.unitOf(r.off)) }) {
			return nil, nil, false
		}
	}
	programs = map[uint64]bool{}
	for _, u := range d.own.units {
		r := u.reader(u.first)
		e, ok := r.next()
		switch {
		case u.isType():
			continue
		case !ok:
			return nil, nil, false
		case e.Tag == 0:
			continue
		}
		if at, ok := e.attr(format.AtStmtList).Uint(); ok {
			programs[at] = programs[at] || needed[u]
		}
		if needed[u] || !e.Children {
			continue
		}
		if next, ok := r.next(); !ok && r.b.Bad {
			return nil, nil, false
		} else if ok && next.Tag != 0 {
			out = append(out, InfoRange{next.Off, u.end})
		}
	}
	slices.SortFunc(out, func(a, b InfoRange) int { return cmp.Compare(a.Off, b.Off) })
	return out, programs, true
}

// references calls yield for each entry of the same section that entries of the unit refer to. It reports whether
// all of the unit could be read.
func (u *Unit) references(yield func(ref)) bool {
	u.load()
	r := u.reader(u.first)
	for {
		e, ok := r.next()
		if !ok {
			return !r.b.Bad
		}
		for i, a := range e.attrs {
			if e.names[i].Attr == format.AtSibling {
				continue
			}
			if at, ok := a.ref(); ok && at.d == u.d {
				yield(at)
			}
		}
	}
}
