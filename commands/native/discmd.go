package native

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/core/sym"
)

var disCommands = []commands.Command{
	{
		Name: "dis", Often: "Saw", Addr: commands.AddrOptional,
		Options: []commands.Option{
			{Letter: 'a', Help: "addresses as numbers, with the bytes"},
			{Letter: 'f', Help: "read the object file, not the core"},
			{Letter: 'c', Help: "the whole function that has the address"},
			{Letter: 'l', Arg: "bytes", Help: "bytes of code from the address on"},
			{Letter: 'S', Help: "with the source lines of the instructions"},
			{Letter: 'w', Help: "a window around the address, also at the start of a function"},
			{Letter: 'n', Arg: "count", Help: "instructions to show, on each side of the address in a window"},
		},
		Args:    "[addr]",
		Summary: "disassemble",
		Detail: `The operand is an address, a function such as Pool::run, or a line such as srv.cc:17. At the start of a function the whole function is shown, elsewhere a window
around the address. Without an address the window is around the pc of the
chosen frame, else of the current thread. "=>" marks that pc. Bytes that are not an instruction are shown as data.`,
		Example: "main::dis",
		SeeAlso: []string{"regs", "formats"},
		Run:     runDis,
	},
}

// An insnRecord is a line of ::dis.
type insnRecord struct {
	_       out.Record `record:"instruction"`
	At      core.Addr  `json:"addr" dot:"always"`
	Bytes   string     `json:"bytes"` // in hexadecimal
	Code    string     `json:"text"`
	Symbol  string     `json:"symbol,omitempty"` // of addr, with the distance from it
	Target  *core.Addr `json:"target,omitempty"` // of a jump or a call
	TSym    string     `json:"target_symbol,omitempty"`
	Here    bool       `json:"current,omitempty"` // the current thread is there
	File    string     `json:"file,omitempty"`    // with -S, where the line is another one than before
	Line    int        `json:"line,omitempty"`
	Source  string     `json:"source,omitempty"` // that line
	raw     string     // the text with its tab
	marked  bool       // some line of the listing is where the thread is
	numeric bool
	ptr     int
}

// Text writes the instruction's line.
func (r *insnRecord) Text(w *out.Writer) {
	if r.Line > 0 {
		w.Paint(out.Dim, "%s:%d", sym.Clean(r.File), r.Line)
		w.Printf("  %s\n", strings.TrimSpace(sym.Clean(strings.ReplaceAll(r.Source, "\t", " "))))
	}
	mark := ""
	if r.marked {
		mark = "   "
	}
	if r.Here {
		mark = "=> "
	}
	w.Printf("%s", mark)
	if r.numeric || r.Symbol == "" {
		w.Cell(out.Addr, 18, fmt.Sprintf("%0*x", 2*r.ptr, uint64(r.At)))
		if r.numeric {
			w.Cell(out.Dim, 32, r.Bytes)
		}
	} else {
		w.Cell(out.Symbol, 32, abbreviate(r.Symbol)+":")
		w.Printf(" ")
	}
	w.Printf("%s\n", r.assembly())
}

// assembly is the instruction with its target's name.
func (r *insnRecord) assembly() string {
	mnemonic, operands, _ := strings.Cut(r.raw, "\t")
	s := strings.TrimRight(fmt.Sprintf("%-7s %s", mnemonic, operands), " ")
	if r.TSym != "" {
		s += " <" + abbreviate(r.TSym) + ">"
	}
	return s
}

// abbreviate cuts the middle out of long names: their ends tell them apart.
func abbreviate(name string) string {
	const most, head = 64, 24
	r := []rune(name)
	if len(r) <= most {
		return name
	}
	return string(r[:head]) + "…" + string(r[len(r)-(most-head-1):])
}

// A codeReader reads code for a listing.
type codeReader func(p []byte, a core.Addr) (int, error)

// readObject reads from the object file that backs a.
func readObject(p *core.Process) codeReader {
	return func(b []byte, a core.Addr) (int, error) {
		m := p.Module(a)
		if m == nil {
			return 0, fmt.Errorf("%v is not in any object", a)
		}
		f := m.Facts()
		r, ok := f.Image.(interface {
			ReadAt(p []byte, addr uint64) (int, error)
		})
		if !ok || !f.BiasKnown {
			return 0, &core.FaultError{Addr: a, Gap: core.FileMissing, Detail: m.Path}
		}
		return r.ReadAt(b, uint64(a-f.Bias))
	}
}

// instructionAt decodes one instruction.
func instructionAt(s *commands.Session, read codeReader, a core.Addr) (insn.Instruction, error) {
	var buf [insn.MaxLen]byte
	n, err := read(buf[:], a)
	if n == 0 && err != nil {
		return insn.Instruction{}, err
	}
	in, ok := insn.Disassemble(s.Process.Arch, buf[:n:n], a)
	if !ok {
		return insn.Instruction{}, err
	}
	in.Bytes = append([]byte(nil), in.Bytes...)
	return in, nil
}

// Disassembler returns the function that shows instructions to the language's
// formats "i" and "I". It is nil if the architecture is not known.
func Disassembler(s *commands.Session) func(a core.Addr, file bool) (string, int, error) {
	if s.Process.Arch == nil {
		return nil
	}
	return func(a core.Addr, file bool) (string, int, error) {
		read := codeReader(s.Process.Space.ReadAt)
		if file {
			read = readObject(s.Process)
		}
		in, err := instructionAt(s, read, a)
		if err != nil {
			return "", 0, err
		}
		r := newInsn(s, in)
		return r.assembly(), len(in.Bytes), nil
	}
}

func newInsn(s *commands.Session, in insn.Instruction) *insnRecord {
	r := &insnRecord{At: in.Addr, Bytes: hex.EncodeToString(in.Bytes), Code: strings.ReplaceAll(in.Text, "\t", " "),
		Symbol: symbolic(s, in.Addr), raw: in.Text, ptr: s.Process.Arch.PtrSize}
	if in.HasTarget {
		r.Target = &in.Target
		r.TSym = symbolic(s, in.Target)
	}
	return r
}

// currentPC returns the pc of the frame that was chosen, else of the current thread.
func currentPC(ctx context.Context, s *commands.Session) (core.Addr, bool) {
	if s.Thread == nil || s.Process.Arch == nil {
		return 0, false
	}
	if f := machineFrame(ctx, s, s.Thread); f != nil {
		return s.Process.StripCode(f.PC), true
	}
	v, ok := s.Thread.Regs.Get(s.Process.Arch.PC)
	return s.Process.StripCode(core.Addr(v)), ok
}

// Limits of a listing, in instructions.
const (
	windowSize = 10
	maxListing = 100_000
	maxBack    = 1 << 20 // bytes from the start of a function to a window in it
)

// disArgs finds out where a listing is to be: its address, and whether that
// was asked for.
func disArgs(ctx context.Context, c *commands.Call) (at core.Addr, given bool, err error) {
	at, given = c.Dot, c.HasAddr
	if len(c.Args) > 0 {
		at, err := c.Code(c.Args[0])
		return at, true, err
	}
	if !given {
		if pc, ok := currentPC(ctx, c.Session); ok {
			at = pc
		}
	}
	return c.Session.Process.StripCode(at), given, nil
}

// functionOf returns the function that has the code at an address, or of the chosen frame if no address was given.
func functionOf(ctx context.Context, s *commands.Session, at core.Addr, given bool) (y sym.Symbol, off uint64,
	named bool) {
	if f := machineFrame(ctx, s, s.Thread); !given && f != nil { // a call may be its function's last instruction
		at = f.LookupPC()
	}
	y, off, named = s.Symbols.Lookup(at)
	return y, off, named && (y.Kind == core.SymFunc || y.Kind == core.SymNone)
}

func runDis(ctx context.Context, c *commands.Call) error {
	s := c.Session
	if s.Process.Arch == nil || !insn.Known(s.Process.Arch) {
		return c.Unknown("instructions of %s are not known", archName(s.Process))
	}
	at, given, err := disArgs(ctx, c)
	if err != nil {
		return err
	}
	n, err := c.Int('n', windowSize)
	if err != nil {
		return err
	}
	bytes, err := c.Int('l', 0)
	if err != nil {
		return err
	}
	read := codeReader(s.Process.Space.ReadAt)
	if c.Flag('f') {
		read = readObject(s.Process)
	}
	y, off, named := functionOf(ctx, s, at, given)
	whole := given && named && off == 0 && !c.Flag('w') && !c.Flag('n')
	l := &listing{c: c, s: s, read: read}
	switch {
	case c.Flag('l'):
		err = l.list(ctx, at, func(a core.Addr, _ int) bool { return a-at < core.Addr(bytes) })
	case c.Flag('c') && named && y.Size > 0:
		err = l.list(ctx, y.Addr, func(a core.Addr, _ int) bool { return a-y.Addr < core.Addr(y.Size) })
	case whole && y.Size > 0:
		err = l.list(ctx, at, func(a core.Addr, _ int) bool { return a-at < core.Addr(y.Size) })
	case whole, given && c.Flag('n') && !c.Flag('w'):
		err = l.list(ctx, at, func(_ core.Addr, i int) bool { return i < n })
	default:
		err = l.window(ctx, y, at, named, n)
	}
	s.Lang.SetDot(at)
	if l.next > at {
		s.Lang.SetIncrement(uint64(l.next - at))
	}
	if err == nil {
		err = l.flush(ctx)
	}
	return err
}

// A listing collects lines, because their form depends on whether a line is marked.
type listing struct {
	c     *commands.Call
	s     *commands.Session
	read  codeReader
	lines []*insnRecord
	next  core.Addr
	// With -S: the place of the last line shown, and the files that were read.
	place sym.Line
	files map[string][][]byte
}

// list decodes from a on while more says so.
func (l *listing) list(ctx context.Context, a core.Addr, more func(a core.Addr, i int) bool) error {
	for i := 0; more(a, i); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i == maxListing {
			l.c.Warn("::dis: %d instructions were shown, and there are more at %v", i, a)
			break
		}
		in, err := instructionAt(l.s, l.read, a)
		if err != nil {
			if len(l.lines) == 0 {
				return err
			}
			l.flush(ctx)
			return err
		}
		l.lines = append(l.lines, newInsn(l.s, in))
		if l.c.Flag('S') {
			l.source(ctx, l.lines[len(l.lines)-1])
		}
		a += core.Addr(len(in.Bytes))
		l.next = a
	}
	return nil
}

// source adds an instruction's source line, if it differs from the one before.
func (l *listing) source(ctx context.Context, r *insnRecord) {
	m := l.s.Process.Module(r.At)
	l.s.Symbols.Fetch(m, sym.DebugInfo)
	places := l.s.Symbols.Lines(r.At)
	if len(places) == 0 || places[0].Line == 0 || places[0].File == l.place.File && places[0].Line == l.place.Line {
		return
	}
	l.place = places[0]
	r.File, r.Line = l.place.File, l.place.Line
	lines, ok := l.files[r.File]
	if !ok {
		if l.files == nil {
			l.files = map[string][][]byte{}
		}
		lines, _ = l.s.SourceLines(ctx, r.At, r.File) // without the file its name and the line are shown
		l.files[r.File] = lines
	}
	if r.Line <= len(lines) {
		r.Source = string(lines[r.Line-1])
	}
}

// window lists n instructions before and after the one at a. Backwards, it
// decodes from the start of the function, where instructions begin for sure.
func (l *listing) window(ctx context.Context, y sym.Symbol, at core.Addr, named bool, n int) error {
	start := at
	if named && at-y.Addr <= maxBack {
		var starts []core.Addr
		for a := y.Addr; a < at; {
			in, err := instructionAt(l.s, l.read, a)
			if err != nil {
				break
			}
			starts = append(starts, a)
			a += core.Addr(len(in.Bytes))
		}
		if len(starts) > 0 {
			start = starts[max(0, len(starts)-n)]
		}
	}
	after := -1
	return l.list(ctx, start, func(a core.Addr, _ int) bool {
		if a > at || a == at {
			after++
		}
		return after <= n
	})
}

// flush emits the lines.
func (l *listing) flush(ctx context.Context) error {
	pc, known := currentPC(ctx, l.s)
	marked := false
	for _, r := range l.lines {
		r.Here = known && r.At == pc
		marked = marked || r.Here
	}
	for _, r := range l.lines {
		r.marked, r.numeric = marked, l.c.Flag('a')
		if err := l.c.Emit(r); err != nil {
			return err
		}
	}
	l.lines = nil
	return nil
}

func archName(p *core.Process) string {
	if p.Arch != nil {
		return p.Arch.Name
	}
	return p.Machine
}
