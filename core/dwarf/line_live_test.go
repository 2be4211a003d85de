package dwarf

import (
	"debug/dwarf"
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveLines compares the rows of each unit of the live programs with the rows of Go's debug/dwarf,
// the independent truth.
func TestLiveLines(t *testing.T) {
	programs := map[string]bool{} // by contents: many cores are of one program
	units, rows := 0, 0
	var files []string
	for _, truth := range coretest.Live(t) {
		found, _ := filepath.Glob(filepath.Join(filepath.Dir(truth), "*"))
		files = append(files, found...)
	}
	for _, path := range files {
		f, err := elf.Open(path)
		if err != nil {
			continue // not a program
		}
		info, _ := os.Stat(path)
		if s := f.Section(".debug_line"); s != nil && f.Type != elf.ET_CORE && f.Type != elf.ET_REL &&
			info.Size() < 32<<20 && !programs[string(buildID(f))] {
			programs[string(buildID(f))] = true
			u, r := compareLines(t, path, f)
			units, rows = units+u, rows+r
		}
		f.Close()
	}
	t.Logf("%d programs, %d units, %d rows", len(programs), units, rows)
	if coretest.OpenLive(t).Whole() && (len(programs) < 50 || rows < 100_000) {
		t.Errorf("only %d programs with %d rows", len(programs), rows)
	}
}

func buildID(f *elf.File) []byte {
	if s := f.Section(".note.gnu.build-id"); s != nil {
		b, _ := s.Data()
		return b
	}
	s := f.Section(".debug_line")
	b, _ := s.Data()
	return b[:min(len(b), 4096)]
}

func compareLines(t *testing.T, path string, f *elf.File) (units, rows int) {
	d, err := f.DWARF()
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return 0, 0
	}
	s := LineSections{Order: f.ByteOrder}
	for name, to := range map[string]*[]byte{".debug_line": &s.Line, ".debug_line_str": &s.LineStr,
		".debug_str": &s.Str} {
		if x := f.Section(name); x != nil {
			*to, _ = x.Data()
		}
	}
	for r := d.Reader(); ; {
		e, err := r.Next()
		if err != nil || e == nil {
			return units, rows
		}
		r.SkipChildren()
		off, ok := e.Val(dwarf.AttrStmtList).(int64)
		if !ok || e.Tag == dwarf.TagPartialUnit {
			continue
		}
		dir, _ := e.Val(dwarf.AttrCompDir).(string)
		var got []LineRow
		p, err := NewLineProgram(s, uint64(off), dir)
		if err == nil {
			err = p.Rows(func(r LineRow) { got = append(got, r) })
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return units, rows
		}
		units++
		rows += len(got)
		if !slices.Equal(got, rowsOfGo(t, d, e, p)) {
			t.Errorf("%s: the unit at %#x has other rows", path, e.Offset)
		}
	}
}

// rowsOfGo returns the rows that debug/dwarf makes, and compares its files with p's.
func rowsOfGo(t *testing.T, d *dwarf.Data, e *dwarf.Entry, p *LineProgram) (rows []LineRow) {
	r, err := d.LineReader(e)
	if err != nil {
		t.Error(err)
		return nil
	}
	var le dwarf.LineEntry
	var files []*dwarf.LineFile
	for err = r.Next(&le); err == nil; err = r.Next(&le) {
		files = r.Files()
		n := slices.Index(files, le.File)
		rows = append(rows, LineRow{le.Address, n, le.Line, le.Column, le.EndSequence})
	}
	for i, f := range files {
		// debug/dwarf of Go 1.26 puts absolute paths of DWARF 5 into their folder, too.
		if f != nil && f.Name != p.File(i) && !(filepath.IsAbs(p.files[i-p.firstFile].text()) && p.version == 5) {
			t.Errorf("file %d is %q, want %q", i, p.File(i), f.Name)
		}
	}
	return rows
}
