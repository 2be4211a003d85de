package values

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

var sourceCommands = []commands.Command{{
	Name: "source", Addr: commands.AddrOptional, Options: []commands.Option{
		{Letter: 'n', Arg: "lines", Help: "show that many lines before and after (default 5)", Digits: true},
		{Letter: 'f', Arg: "frame", Help: "of the frame with this index, or of this function"},
		{Letter: 't', Arg: "line", Help: "show the lines from the place to this one"},
		{Letter: 'a', Arg: "lines", Help: "show the line of the place and that many after it"},
		{Letter: 'k', Help: "without a place: go on behind the last listing, if the frame is the same"},
		{Letter: 'b', Help: "show the lines before the last listing"},
		{Letter: 'd', Help: "show what is known about the file: folder, language, compiler"},
		{Letter: 'l', Help: "show the language of the file"},
		{Letter: 'x', Help: "show which instructions belong to the line, without the source"},
		{Letter: 'i', Help: "show the instructions there if the source cannot be had, and say why"},
	},
	Args:    "[place]",
	Summary: "show the lines of source around a place",
	Detail: `Shows the source around the line that the instruction at the address belongs to, or that the
current frame is at (see ::frame). A place is a line such as srv.cc:17, with as much of the file's path as is needed, :17 for a line of
the current frame's file, or a function such as Pool::run. The file is looked for below -sysroot and -search, and else where
the compiler had it on this machine; nothing proves that it is the file that was compiled. For frames
of JavaScript the text is the source that V8 keeps.`,
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
	w.Printf("%s %*d  %s\n", mark, r.width, r.Line,
		strings.TrimRight(sym.Clean(strings.ReplaceAll(r.Source, "\t", "    ")), " "))
}

// A position is a place in the source.
type position struct {
	at   core.Addr // its code
	file string
	line int
	held func(first, last int) []commands.SourceLine // by the process; nil for lines that it does not hold
}

// place returns the source position that a call is about.
func place(ctx context.Context, c *commands.Call) (*position, error) {
	s := c.Session
	if len(c.Args) > 1 {
		return nil, c.Usage("it takes one place")
	}
	if len(c.Args) == 1 {
		return placeNamed(ctx, c, c.Args[0])
	}
	if c.HasAddr && commands.ThreadAt(s.Process, c.Dot) == nil {
		at := c.Dot
		if a, _ := frameThere(ctx, c); a != nil {
			at = a.machine.LookupPC()
		}
		if p := positionOf(s, at); p != nil {
			return p, nil
		}
		return nil, c.Unknown("the source line of %v is not in the debugging information", c.Dot)
	}
	t, err := c.Thread()
	if err != nil {
		return nil, err
	}
	var a *activation
	if c.Flag('f') {
		if a, err = frameChosen(ctx, c, t); err != nil {
			return nil, err
		}
	} else if a, err = current(ctx, s, t); err != nil {
		return nil, err
	}
	if a.File == "" || a.Line == 0 {
		if p := positionOf(s, a.machine.LookupPC()); p != nil && !a.managed {
			return p, nil // of a library, by its own debug file
		}
		return nil, c.Unknown("the source line of #%d %s is not known", a.Index, functionOf(a))
	}
	return &position{at: a.machine.LookupPC(), file: a.File, line: a.Line, held: a.source}, nil
}

// placeNamed returns the position that an operand of ::source means.
func placeNamed(ctx context.Context, c *commands.Call, a commands.Arg) (*position, error) {
	s := c.Session
	file, line, ok := lang.FileLine(c.Text(a))
	if ok && file == "" {
		t, err := c.Thread()
		if err != nil {
			return nil, err
		}
		frame, err := current(ctx, s, t)
		if err != nil || frame.File == "" {
			return nil, c.Unknown("the file of the current frame is not known")
		}
		return &position{at: frame.machine.LookupPC(), file: frame.File, line: line, held: frame.source}, nil
	}
	if ok {
		for _, held := range s.Held {
			if path, lines := held(ctx, file, line, line); len(lines) > 0 {
				return &position{file: path, line: line, held: func(first, last int) []commands.SourceLine {
					_, lines := held(ctx, file, first, last)
					return lines
				}}, nil
			}
		}
	}
	at, err := c.Code(a)
	if err != nil && !ok {
		if p := running(ctx, c, c.Text(a)); p != nil {
			return p, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w%s", err, methodsHint(s))
	}
	p := positionOf(s, at)
	if p == nil {
		return nil, c.Unknown("the source line of %s is not in the debugging information", c.Text(a))
	}
	if ok {
		p.line = line
	}
	return p, nil
}

// running returns where a function without a symbol, such as a method of Java, is on a stack: the current thread's, or
// another one's. It returns nil if no frame has the name and a file.
func running(ctx context.Context, c *commands.Call, name string) *position {
	threads := c.Session.Process.Threads
	if t, err := c.Thread(); err == nil {
		threads = append([]*core.Thread{t}, threads...)
	}
	for _, t := range threads {
		for _, a := range activations(ctx, c.Session, t) {
			if a.File != "" && a.Line > 0 && calledOneOf(a.Name, []string{name}) {
				return &position{at: a.machine.LookupPC(), file: a.File, line: a.Line, held: a.source}
			}
		}
	}
	return nil
}

// methodsHint says how the methods of Java are found that are on no stack; "" in a process without Java.
func methodsHint(s *commands.Session) string {
	if slices.Contains(s.Languages(), runtimes.LanguageJava) {
		return ", and no stack has a function of that name; ::javaclass -m CLASS lists the methods of a class"
	}
	return ""
}

// positionOf returns the position of an instruction; nil without debugging information.
func positionOf(s *commands.Session, at core.Addr) *position {
	m := s.Process.Module(at)
	s.Symbols.Fetch(m, sym.DebugInfo)
	for _, l := range s.Symbols.Lines(at) {
		if l.File != "" && l.Line > 0 {
			return &position{at: at, file: l.File, line: l.Line}
		}
	}
	return nil
}

// lines returns the lines from first to last: the lines that the process holds, or the file's.
func (p *position) lines(ctx context.Context, s *commands.Session, first, last int) ([]commands.SourceLine, error) {
	if p.held != nil {
		if list := p.held(first, last); list != nil {
			return list, nil
		}
	}
	all, err := s.SourceLines(ctx, p.at, p.file)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", p.file, p.line, err)
	}
	if p.line > len(all) {
		return nil, fmt.Errorf("%s has %s, not a line %d: it is another version", p.file,
			out.Count(len(all), "line"), p.line)
	}
	var list []commands.SourceLine
	for i := first; i <= min(last, len(all)); i++ {
		list = append(list, commands.SourceLine{Number: i, Text: string(all[i-1])})
	}
	return list, nil
}

// maxSourceLines bounds the lines that are shown.
const maxSourceLines = 10_000

func runSource(ctx context.Context, c *commands.Call) error {
	around, err := c.Int('n', commands.SettingNumber(c.Session, "listsize", 10)/2)
	if err != nil {
		return err
	}
	if c.Flag('b') || c.Flag('k') && len(c.Args) == 0 {
		if l := listedBefore(ctx, c); l != nil {
			return l.further(ctx, c)
		}
	}
	p, err := place(ctx, c)
	switch {
	case err != nil && c.Flag('i'):
		return codeInstead(ctx, c, nil, around, err)
	case err != nil && c.Flag('l'):
		return c.Emit(newSourceFile(c, ""))
	case err != nil:
		return err
	case c.Flag('d') || c.Flag('l'):
		return emitFile(ctx, c, p)
	case c.Flag('x'):
		return emitExtents(c, p)
	}
	first, last := max(p.line-around, 1), p.line+around
	if c.Flag('a') {
		after, err := c.Int('a', 0)
		if err != nil {
			return err
		}
		first, last = p.line, p.line+min(after, maxSourceLines)
	}
	if c.Flag('t') {
		if last, err = c.Int('t', last); err != nil {
			return err
		}
		first = min(p.line, last)
		last = min(last, first+maxSourceLines)
	}
	lines, err := p.lines(ctx, c.Session, first, last)
	if err != nil && c.Flag('i') {
		return codeInstead(ctx, c, p, around, c.Unknown("%w", err))
	}
	if err != nil {
		return c.Unknown("%w", err)
	}
	return emitLines(ctx, c, p, lines)
}

// A codeRecord is an instruction that ::source -i shows in place of source.
type codeRecord struct {
	_      out.Record `record:"sourcecode"`
	At     core.Addr  `json:"addr" dot:"always"`
	Symbol string     `json:"symbol,omitempty"` // of addr, with the distance from it
	Code   string     `json:"text"`
	Here   bool       `json:"current,omitempty"` // it is the place that was asked for
	padded string     // the text with its operands in a column
}

// Text writes the instruction's line, as ::dis does.
func (r *codeRecord) Text(w *out.Writer) {
	mark, name := "   ", r.Symbol+":"
	if r.Here {
		mark = "=> "
	}
	if r.Symbol == "" {
		name = r.At.String() + ":"
	}
	w.Printf("%s", mark)
	w.Cell(out.Symbol, 32, name)
	w.Printf(" %s\n", r.padded)
}

// maxLead bounds the code, in bytes, that is decoded from the start of a function to a place in it.
const maxLead = 1 << 16

// codeInstead shows instructions around a place whose source cannot be had, and warns with the reason.
// Without a place it takes the current frame, unless that runs no instructions of its own, as a frame of an
// interpreter.
func codeInstead(ctx context.Context, c *commands.Call, p *position, around int, reason error) error {
	s := c.Session
	at, ok := codeOf(ctx, c, p)
	if !ok || s.Disasm == nil {
		return reason
	}
	lines, at := instructionsBefore(s, at, around)
	for a := at; len(lines) <= 2*around; {
		text, n, err := s.Disasm(a, false)
		if err != nil || n <= 0 {
			break
		}
		lines = append(lines, codeRecord{At: a, padded: text, Here: a == at})
		a += core.Addr(n)
	}
	if len(lines) == 0 || lines[len(lines)-1].At < at { // nothing at the place itself
		return reason
	}
	c.Warn("%w", reason)
	for i := range lines {
		lines[i].Code = strings.Join(strings.Fields(lines[i].padded), " ")
		lines[i].Symbol = codeName(s, lines[i].At)
		if err := c.Emit(&lines[i]); err != nil {
			return err
		}
	}
	return nil
}

// codeOf returns the code of a place, or of the current frame.
func codeOf(ctx context.Context, c *commands.Call, p *position) (core.Addr, bool) {
	if p != nil {
		return p.at, p.at != 0 && p.held == nil
	}
	if len(c.Args) > 0 {
		at, err := c.Code(c.Args[0])
		return at, err == nil
	}
	if c.HasAddr {
		return c.Dot, commands.ThreadAt(c.Session.Process, c.Dot) == nil
	}
	t, err := c.Thread()
	if err != nil {
		return 0, false
	}
	a, err := current(ctx, c.Session, t)
	if err != nil || a.managed {
		return 0, false
	}
	if at := a.machine.LookupPC(); codeName(c.Session, at) != "" {
		return at, true
	}
	return a.machine.PC, a.machine.PC != 0
}

// instructionsBefore returns at most n instructions in front of the one that has the address at, and that
// one's address. They are decoded from the start of the function; there are none if that does not lead there.
func instructionsBefore(s *commands.Session, at core.Addr, n int) (list []codeRecord, start core.Addr) {
	_, off, ok := s.Symbols.Lookup(at)
	if !ok || off > maxLead {
		return nil, at
	}
	for a := at - core.Addr(off); ; {
		text, size, err := s.Disasm(a, false)
		if err != nil || size <= 0 {
			return nil, at
		}
		if at < a+core.Addr(size) {
			return list[max(0, len(list)-n):], a
		}
		list = append(list, codeRecord{At: a, padded: text})
		a += core.Addr(size)
	}
}

// codeName is the function of an instruction with the distance from its start; "" without a symbol.
func codeName(s *commands.Session, a core.Addr) string {
	y, off, ok := s.Symbols.Lookup(a)
	switch name := sym.Clean(s.Symbols.Demangle(y.Name, true)); {
	case !ok:
		return ""
	case off == 0:
		return name
	default:
		return fmt.Sprintf("%s+%#x", name, off)
	}
}
