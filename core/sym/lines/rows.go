package lines

import (
	"cmp"
	"fmt"
	"slices"

	"coredbg/core/dwarf"
)

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
	if u.program == nil || i < 0 {
		return ""
	}
	return u.program.File(i)
}

// loadRows runs the line number program. Each row costs it a byte at least, so
// that the section's size is the bound.
func (u *unit) loadRows(t *Table) error {
	off, dir, ok := u.Program()
	if !ok {
		return nil
	}
	p, err := dwarf.NewLineProgram(t.program, off, dir)
	if err != nil {
		return err
	}
	u.program = p
	begin := 0 // of the current sequence
	err = p.Rows(func(r dwarf.LineRow) {
		u.rows = append(u.rows, row{r.Addr, int32(min(r.File, 1<<30)), int32(r.Line), int32(r.Column), r.End})
		if !r.End {
			return
		}
		if start := u.rows[begin].addr; !t.d.IsCode(start, r.Addr) {
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

// Declared returns the path of the file that declares a variable; "" if it is not known.
func (t *Table) Declared(v *dwarf.Variable) string {
	off, dir, file, ok := v.Declared()
	if !ok {
		return ""
	}
	p, err := dwarf.NewLineProgram(t.program, off, dir)
	if err != nil {
		return ""
	}
	return p.File(file)
}
