package out

import "github.com/mattn/go-runewidth"

// A Cell is a piece of a table with its meaning.
type Cell struct {
	Ink  Ink
	Text string
}

// A Table is rows whose columns are as wide as their widest cell.
type Table struct {
	right []bool
	rows  [][]Cell
}

// NewTable returns a table; the letters of align say for each column whether
// it is aligned to the left ("l") or to the right ("r"). Further columns are
// aligned to the left.
func NewTable(align string) *Table {
	t := &Table{}
	for _, c := range align {
		t.right = append(t.right, c == 'r')
	}
	return t
}

// Head adds a row of headings.
func (t *Table) Head(names ...string) {
	row := make([]Cell, len(names))
	for i, n := range names {
		row[i] = Cell{Keyword, n}
	}
	t.rows = append(t.rows, row)
}

// Row adds a row.
func (t *Table) Row(cells ...Cell) { t.rows = append(t.rows, cells) }

// Write writes the table with one blank between columns and none at the end of
// lines.
func (t *Table) Write(w *Writer) {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], runewidth.StringWidth(Clean(c.Text, false)))
		}
	}
	for _, row := range t.rows {
		last := len(row) - 1
		for last > 0 && row[last].Text == "" {
			last--
		}
		for i, c := range row[:last+1] {
			width := widths[i]
			switch {
			case i < len(t.right) && t.right[i]:
				width = -width
			case i == last:
				width = 0
			}
			if i > 0 {
				w.put(Plain, " ", false)
			}
			w.Cell(c.Ink, width, c.Text)
		}
		w.put(Plain, "\n", false)
	}
}
