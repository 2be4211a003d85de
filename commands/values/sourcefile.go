package values

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// A sourceFileRecord has the facts about a source file.
type sourceFileRecord struct {
	_        out.Record `record:"sourcefile"`
	File     string     `json:"file"`
	Dir      string     `json:"dir,omitempty"` // the compiler's working folder
	Language string     `json:"language,omitempty"`
	Producer string     `json:"producer,omitempty"` // the compiler
	Object   string     `json:"object,omitempty"`
	Here     bool       `json:"here"` // the file is on this machine
	brief    bool       // the language alone
	chosen   string     // the language that was set
}

// Text writes one fact a line.
func (r *sourceFileRecord) Text(w *out.Writer) {
	if r.brief {
		text := "auto; currently " + cmp.Or(r.Language, "not known")
		w.Printf("language: %s\n", sym.Clean(cmp.Or(r.chosen, text)))
		return
	}
	line := func(name, text string) {
		if text != "" {
			w.Printf("%-10s%s\n", name, sym.Clean(text))
		}
	}
	line("file", r.File)
	line("compiled", r.Dir)
	line("language", r.Language)
	line("compiler", r.Producer)
	line("object", r.Object)
	if !r.Here {
		line("text", "the file is not there (-search FOLDER, -sysroot FOLDER)")
	}
}

// newSourceFile returns a record that has the name of a file alone.
func newSourceFile(c *commands.Call, file string) *sourceFileRecord {
	r := &sourceFileRecord{File: file, brief: c.Flag('l')}
	if value, _ := commands.Setting(c.Session, "language"); value != "auto" {
		r.chosen = value
	}
	return r
}

// emitFile emits the facts about the file of a place.
func emitFile(ctx context.Context, c *commands.Call, p *position) error {
	s := c.Session
	r := newSourceFile(c, p.file)
	lines, err := p.lines(ctx, s, p.line, p.line)
	r.Here = err == nil && len(lines) > 0
	m := s.Process.Module(p.at)
	if m == nil || p.held != nil {
		return c.Emit(r)
	}
	r.Object = m.Path
	d, err := s.Symbols.Data(m)
	link, ok := m.LinkAddr(p.at)
	if err != nil || !ok {
		return c.Emit(r)
	}
	if u := d.UnitAt(link); u != nil {
		_, r.Dir, r.Producer = u.Source()
		r.Language = languageName(u.Lang())
	}
	return c.Emit(r)
}

// languageName names a language as gdb does; "" for one that is not known.
func languageName(l dwarf.Language) string {
	switch {
	case l.C():
		return "c"
	case l.CPlusPlus():
		return "c++"
	case l.Ada():
		return "ada"
	case l.Fortran():
		return "fortran"
	case l.Pascal():
		return "pascal"
	}
	return map[dwarf.Language]string{dwarf.LangGo: "go", dwarf.LangRust: "rust", dwarf.LangD: "d"}[l]
}

// A listing is the lines of source that were shown last, in a frame.
type listing struct {
	place       *position
	first, last int
	thread      *core.Thread
	frame       int
}

// frameNow returns the thread and the index of the current frame.
func frameNow(ctx context.Context, s *commands.Session) (*core.Thread, int) {
	if s.Thread == nil {
		return nil, 0
	}
	a, err := current(ctx, s, s.Thread)
	if err != nil {
		return s.Thread, 0
	}
	return s.Thread, a.Index
}

// listedBefore returns the listing of the current frame; nil if no lines were shown.
func listedBefore(ctx context.Context, c *commands.Call) *listing {
	l := commands.Kept[listing](c.Session)
	if l == nil {
		return nil
	}
	if t, n := frameNow(ctx, c.Session); t != l.thread || n != l.frame {
		return nil
	}
	return l
}

// listedLines is how many lines follow.
const listedLines = 10

// further shows the lines behind a listing, or the lines before it.
func (l *listing) further(ctx context.Context, c *commands.Call) error {
	first, last := l.last+1, l.last+listedLines
	if c.Flag('b') {
		first, last = max(l.first-listedLines, 1), l.first-1
	}
	lines, err := l.place.lines(ctx, c.Session, first, last)
	if err != nil {
		return c.Unknown("%w", err)
	}
	if len(lines) == 0 {
		return c.Empty("there are no more lines of %s", l.place.file)
	}
	return emitLines(ctx, c, l.place, lines)
}

// emitLines emits lines of source, and keeps which ones they were.
func emitLines(ctx context.Context, c *commands.Call, p *position, lines []commands.SourceLine) error {
	for i, l := range lines {
		r := &sourceRecord{File: p.file, Line: l.Number, Source: l.Text, Current: l.Number == p.line, head: i == 0,
			width: len(strconv.Itoa(lines[len(lines)-1].Number))}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if len(lines) > 0 {
		t, n := frameNow(ctx, c.Session)
		commands.Keep(c.Session, &listing{p, lines[0].Number, lines[len(lines)-1].Number, t, n})
	}
	return nil
}

// An extentRecord is a run of instructions that belong to a line of source.
type extentRecord struct {
	_     out.Record `record:"extent"`
	File  string     `json:"file"`
	Line  int        `json:"line"`
	Start core.Addr  `json:"start" dot:"always"`
	End   core.Addr  `json:"end"` // of the instruction after the last
	first string     // the symbol of start, with the distance from it
	last  string
}

// Text writes the run as gdb's "info line" does.
func (r *extentRecord) Text(w *out.Writer) {
	w.Printf("Line %d of %q starts at address %v%s and ends at %v%s.\n", r.Line, sym.Clean(r.File), r.Start, r.first,
		r.End, r.last)
}

// emitExtents emits the instructions of a position: all runs of a line, or the one that an address is in.
func emitExtents(c *commands.Call, p *position) error {
	s := c.Session
	at := []core.Addr{p.at}
	if len(c.Args) == 1 {
		if _, line, ok := lang.FileLine(c.Text(c.Args[0])); ok {
			at = nil
			for _, x := range s.Symbols.Places(p.file, line) {
				at = append(at, x.Addr)
			}
		}
	}
	found := false
	for _, a := range at {
		l, from, end, ok := s.Symbols.Extent(a)
		if !ok {
			continue
		}
		if !found && l.Line != p.line && len(c.Args) == 1 {
			c.Warn("%w", fmt.Errorf("%s:%d has no code; line %d is the next that has", l.File, p.line, l.Line))
		}
		found = true
		r := &extentRecord{File: l.File, Line: l.Line, Start: from, End: end, first: inAngles(s, from),
			last: inAngles(s, end)}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if !found {
		return c.Unknown("no code of %s:%d is known to debugging information", p.file, p.line)
	}
	return nil
}

// inAngles returns the symbol of an address as gdb writes it behind the address; "" without one.
func inAngles(s *commands.Session, at core.Addr) string {
	name, off, ok := s.Name(at)
	switch {
	case !ok:
		return ""
	case off == 0:
		return " <" + sym.Clean(name) + ">"
	}
	return fmt.Sprintf(" <%s+%#x>", sym.Clean(name), off)
}
