package out

// A Cell is a cell of a record's table, as wide as it is.
type Cell struct {
	Column string // the name at its head; it may be empty
	Text   string // clean: it has no control characters
	Right  bool   // aligned to the right
	Ink    Ink
}

// Cells returns what the line of a record's table holds, for whoever does not write to a
// terminal; nil if the record is not declared as such a line.
func Cells(v any) []Cell {
	s, x := shapeOf(v)
	if s == nil || len(s.columns) == 0 {
		return nil
	}
	if p, ok := v.(Preparer); ok {
		p.Prepare()
	}
	var cells []Cell
	for i := range s.columns {
		c := &s.columns[i]
		if c.max > 0 || c.cond != nil && !x.FieldByIndex(c.cond).Bool() {
			continue
		}
		text, _ := c.text(x)
		cells = append(cells, Cell{Column: c.name, Text: Clean(text, false), Right: c.right, Ink: c.ink})
	}
	return cells
}
