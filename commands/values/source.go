package values

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/stack"
)

var sourceCommands = []commands.Command{{
	Name: "source", Addr: commands.AddrOptional, Options: []commands.Option{
		{Letter: 'n', Arg: "lines", Help: "show so many lines before and after (default 5)", Digits: true},
		{Letter: 'f', Arg: "frame", Help: "of the frame with this index"},
	},
	Summary: "show the lines of source around a place",
	Detail: `Shows the source around the line that the instruction at the address belongs to, or that the
current frame is at (see ::frame). The file is looked for below -sysroot and -search, and else where
the compiler had it on this machine. Nothing proves that it is the file that was compiled.`,
	Example: "::source",
	SeeAlso: []string{"frame", "stack", "dis"},
	Run:     runSource,
}}

// A sourceRecord is a line of source.
type sourceRecord struct {
	_       out.Record `record:"source"`
	File    string     `json:"file"`
	Line    int        `json:"line"`
	Source  string     `json:"text"`
	Current bool       `json:"current,omitempty"` // it is the line that was asked for
	head    bool
	width   int
}

// Text writes the line, the file's name before the first.
func (r *sourceRecord) Text(w *out.Writer) {
	if r.head {
		w.Printf("%s\n", sym.Clean(r.File))
	}
	mark := " "
	if r.Current {
		mark = ">"
	}
	w.Printf("%s %*d  %s\n", mark, r.width, r.Line, strings.TrimRight(sym.Clean(strings.ReplaceAll(r.Source, "\t", "    ")), " "))
}

// place returns the source position that a call is about, and the module that it is in.
func place(ctx context.Context, c *commands.Call) (m *core.Module, file string, line int, err error) {
	s := c.Session
	if c.Given && commands.ThreadAt(s.Process, c.Dot) == nil {
		m := s.Process.Module(c.Dot)
		s.Symbols.Fetch(m, sym.DebugInfo)
		for _, l := range s.Symbols.Lines(c.Dot) {
			if l.File != "" && l.Line > 0 {
				return m, l.File, l.Line, nil
			}
		}
		return nil, "", 0, c.Unknown("the source line of %v is not in the debugging information", c.Dot)
	}
	t, err := c.Thread()
	if err != nil {
		return nil, "", 0, err
	}
	var a *activation
	if c.Has('f') {
		n, err := c.Int('f', 0)
		if err != nil {
			return nil, "", 0, err
		}
		if a, err = frameAt(ctx, s, t, n); err != nil {
			return nil, "", 0, err
		}
	} else if a, err = current(ctx, s, t); err != nil {
		return nil, "", 0, err
	}
	if a.File == "" || a.Line == 0 || stack.Managed(&a.Frame) && strings.HasPrefix(a.File, "node:") {
		return nil, "", 0, c.Unknown("the source line of #%d %s is not known", a.Index, functionOf(a))
	}
	return s.Process.Module(a.PC), a.File, a.Line, nil
}

func runSource(ctx context.Context, c *commands.Call) error {
	around, err := c.Int('n', 5)
	if err != nil {
		return err
	}
	m, file, line, err := place(ctx, c)
	if err != nil {
		return err
	}
	lines, err := c.Session.SourceLines(ctx, m, file)
	if err != nil {
		return c.Unknown("%s:%d: %w", file, line, err)
	}
	if line > len(lines) {
		return c.Unknown("%s has %s, not a line %d: it is another version", file, out.Count(len(lines), "line"), line)
	}
	first, last := max(line-around, 1), min(line+around, len(lines))
	for i := first; i <= last; i++ {
		r := &sourceRecord{File: file, Line: i, Source: string(lines[i-1]), Current: i == line, head: i == first, width: len(fmt.Sprint(last))}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}
