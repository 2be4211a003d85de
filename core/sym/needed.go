package sym

import (
	"cmp"
	"debug/dwarf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"

	"coredbg/core"
)

// A SectionRange is a range of bytes of a section; End is exclusive.
type SectionRange struct {
	Section  string
	Off, End int
}

// UnneededLines returns what of an image's line information the source lines of code at
// none of the link-time addresses, which are sorted, are read from: of units that cover
// none, the entries after their first one, which says what they cover, and their line
// number programs. It returns nothing if not all of it can be read.
func UnneededLines(img core.Image, code []uint64) (out []SectionRange) {
	t := openLineTable(img, false)
	if t.d == nil || t.err != nil {
		return nil
	}
	// What was found until debug/dwarf panics is not to be believed.
	if t.guard("reading", func() (err error) { out, err = t.unneeded(code); return err }) != nil {
		return nil
	}
	return out
}

// needs is which units of a line table are needed.
type needs struct {
	*lineTable
	needed []bool
	todo   []int // of needed units, those whose references were not followed
}

func (t *lineTable) unneeded(code []uint64) ([]SectionRange, error) {
	n := &needs{lineTable: t, needed: make([]bool, len(t.whole))}
	for _, u := range t.units {
		if i, _ := slices.BinarySearch(code, u.low); i < len(code) && code[i] <= u.high {
			n.need(u.off) // a return address may be the end of what called
		}
	}
	for len(n.todo) > 0 {
		i := n.todo[len(n.todo)-1]
		n.todo = n.todo[:len(n.todo)-1]
		if err := n.follow(t.whole[i]); err != nil {
			return nil, err
		}
	}
	return n.rest()
}

// need notes the unit that an entry is in.
func (n *needs) need(off dwarf.Offset) {
	if i := n.unitOf(off); i >= 0 && !n.needed[i] {
		n.needed[i] = true
		n.todo = append(n.todo, i)
	}
}

// follow notes the units that a unit refers to: names of functions come from there, see
// nameOf, and types.
func (n *needs) follow(u wholeUnit) error {
	r := n.d.Reader()
	for r.Seek(u.first); u.code; {
		e, err := r.Next()
		if err != nil || e == nil || e.Offset >= u.end {
			return err
		}
		for i := range e.Field {
			if ref, ok := e.Field[i].Val.(dwarf.Offset); ok && e.Field[i].Attr != dwarf.AttrSibling {
				n.need(ref)
			}
		}
	}
	return nil
}

// rest returns what only units that are not needed have.
func (n *needs) rest() (out []SectionRange, err error) {
	programs := map[int64]bool{} // whether they are needed, by where they begin
	for i, u := range n.whole {
		if !u.code {
			continue
		}
		r := n.d.Reader()
		r.Seek(u.first)
		e, err := r.Next()
		if err != nil {
			return nil, err
		}
		if e == nil || e.Tag == 0 {
			continue
		}
		if at, ok := e.Val(dwarf.AttrStmtList).(int64); ok {
			programs[at] = programs[at] || n.needed[i]
		}
		if n.needed[i] || !e.Children {
			continue
		}
		next, err := r.Next()
		if err != nil {
			return nil, err
		}
		if next != nil && next.Tag != 0 && next.Offset < u.end {
			out = append(out, SectionRange{".debug_info", int(next.Offset), int(u.end)})
		}
	}
	for at, needed := range programs {
		if size := n.programSize(at); !needed && size > 0 {
			out = append(out, SectionRange{".debug_line", int(at), int(at) + size})
		}
	}
	slices.SortFunc(out, func(a, b SectionRange) int {
		return cmp.Or(cmp.Compare(a.Section, b.Section), cmp.Compare(a.Off, b.Off))
	})
	return out, nil
}

// programSize returns the size in bytes of a line number program with its header, 0 if
// it does not lie in its section.
func (n *needs) programSize(at int64) int {
	if at < 0 || at > int64(len(n.line.Data))-12 {
		return 0
	}
	var order binary.ByteOrder = n.d.Reader().ByteOrder()
	b := n.line.Data[at:]
	size, head := uint64(order.Uint32(b)), uint64(4)
	if size == 0xffffffff {
		size, head = order.Uint64(b[4:]), 12
	}
	if size > uint64(len(b))-head {
		return 0
	}
	return int(head + size)
}

// wholeUnit is where a unit is in .debug_info: its first entry, and its end.
type wholeUnit struct {
	begin, first, end dwarf.Offset
	code              bool // not a type unit, whose first entry is elsewhere
}

// unitOf returns which unit an entry is in, -1 if none has it.
func (t *lineTable) unitOf(off dwarf.Offset) int {
	i := sort.Search(len(t.whole), func(i int) bool { return t.whole[i].end > off })
	if i < len(t.whole) && t.whole[i].begin <= off {
		return i
	}
	return -1
}

// LeftOut says what a lean bundle lacks of m: names of functions, source lines. It
// returns nil if it lacks neither.
func (t *Table) LeftOut(m *core.Module) error {
	l := t.module(m).lines()
	left := 0
	var why error
	for _, u := range l.whole {
		if gap := l.info.Gap(int(u.begin), int(u.end)); gap != nil {
			left++
			why = gap.Err
		}
	}
	if left > 0 {
		why = fmt.Errorf("source lines of %d of %d units: %w", left, len(l.whole), why)
	}
	return errors.Join(t.Unnamed(m), why)
}

// missing says why the entries of a unit, of which off is the first, or its line number
// program cannot all be read; nil if they can.
func (t *lineTable) missing(off dwarf.Offset) error {
	if i := t.unitOf(off); i >= 0 {
		if gap := t.info.Gap(int(off), int(t.whole[i].end)); gap != nil {
			return gap.Err
		}
	}
	r := t.d.Reader()
	r.Seek(off)
	e, err := r.Next()
	if err != nil || e == nil {
		return err
	}
	if at, ok := e.Val(dwarf.AttrStmtList).(int64); ok && at >= 0 {
		if gap := t.line.Gap(int(at), int(at)+1); gap != nil {
			return gap.Err
		}
	}
	return nil
}
