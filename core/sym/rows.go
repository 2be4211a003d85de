package sym

import (
	"cmp"
	"debug/dwarf"
	"fmt"
	"slices"

	coredwarf "coredbg/core/dwarf"
)

// lineSections are what line number programs are read from.
type lineSections = coredwarf.LineSections

// lineProgram is that of a unit.
type lineProgram = coredwarf.LineProgram

// row is a row of the line number table. It holds from addr to the next row.
type row struct {
	addr   uint64
	file   int32 // an index
	line   int32
	column int32
	end    bool // of a sequence: nothing is known from here on
}

// file returns the path of a file of the unit.
func (u *unit) file(i int) string {
	if u.program == nil {
		return ""
	}
	return u.program.File(i)
}

// loadRows runs the line number program. Each row costs it a byte at least, so
// that the section's size is the bound.
func (u *unit) loadRows(t *lineTable, e *dwarf.Entry) error {
	off, ok := e.Val(dwarf.AttrStmtList).(int64)
	if !ok {
		return nil
	}
	dir, _ := e.Val(dwarf.AttrCompDir).(string)
	p, err := coredwarf.NewLineProgram(t.program, uint64(off), dir)
	if err != nil {
		return err
	}
	u.program = p
	begin := 0 // of the current sequence
	err = p.Rows(func(r coredwarf.LineRow) {
		u.rows = append(u.rows, row{r.Addr, int32(min(r.File, 1<<30)), int32(r.Line), int32(r.Column), r.End})
		if !r.End {
			return
		}
		if start := u.rows[begin].addr; !real([2]uint64{start, r.Addr}, u.object) {
			u.rows = u.rows[:begin]
		}
		begin = len(u.rows)
	})
	// At one address a sequence ends before the next begins, and of rows the
	// last one counts.
	slices.SortStableFunc(u.rows, func(a, b row) int {
		if c := cmp.Compare(a.addr, b.addr); c != 0 || a.end == b.end {
			return c
		}
		if a.end {
			return -1
		}
		return 1
	})
	if err != nil {
		return fmt.Errorf("line number program: %w", err)
	}
	return nil
}

// counted returns a line or column number, or 0 for one that none can be.
func counted(n int) int32 {
	if n < 0 || n > 1<<30 {
		return 0
	}
	return int32(n)
}
