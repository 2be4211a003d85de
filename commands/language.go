package commands

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// langHost shows a session to the language.
type langHost struct{ *Session }

// Read implements lang.Target.
func (h langHost) Read(p []byte, a core.Addr, file bool) (int, error) {
	if file {
		return h.readFile(p, a)
	}
	return h.Process.Space.ReadAt(p, a)
}

// readFile reads from the object file that backs a: the module's image at the
// link-time address that a has in it.
func (h langHost) readFile(p []byte, a core.Addr) (int, error) {
	m := h.Process.Module(a)
	if m == nil {
		return 0, &core.FaultError{Addr: a, Gap: core.Unmapped, Detail: "no object file there"}
	}
	f := m.Facts()
	if f.Image == nil || !f.BiasKnown {
		gap := core.FaultError{Addr: a, Gap: core.FileMissing, Detail: m.Path}
		if f.Err != nil {
			gap.Detail = f.Err.Error()
		}
		return 0, &gap
	}
	image, ok := f.Image.(imageReader)
	if !ok {
		return 0, fmt.Errorf("%s: the object file cannot be read by address", m.Path)
	}
	n, err := image.ReadAt(p, uint64(a-f.Bias))
	if err != nil {
		err = &core.FaultError{Addr: a + core.Addr(n), Gap: core.Unmapped,
			Detail: "no bytes of " + m.Path + " are there"}
	}
	return n, err
}

// An imageReader is a core.Image that can be read at link-time addresses.
type imageReader interface {
	ReadAt(p []byte, link uint64) (int, error)
}

// Words implements lang.Target. A core of an unknown architecture is taken to
// be like most are.
func (h langHost) Words() (binary.ByteOrder, int) {
	if h.Process.Arch == nil {
		return binary.LittleEndian, 8
	}
	return h.Process.Arch.Order, h.Process.Arch.PtrSize
}

// Disassemble implements lang.Target.
func (h langHost) Disassemble(a core.Addr, file bool) (string, int, error) {
	if h.Disasm == nil {
		return "", 0, errors.New("there is no disassembler for this architecture")
	}
	return h.Disasm(a, file)
}

// Symbol implements lang.Names.
func (h langHost) Symbol(name string) (core.Addr, bool, error) {
	if h.Symbols == nil {
		return 0, false, nil
	}
	s, ok := h.Symbols.Find("", name)
	if !ok {
		if at, ok := h.Errno(); ok && name == "errno" {
			return at, true, nil
		}
		return 0, false, h.unnamed()
	}
	if s.Kind == core.SymTLS {
		a, err := h.ThreadLocalSymbol(s)
		return a, true, err
	}
	return s.Addr, true, nil
}

// unnamed says why a symbol may not be found; nil if all have names.
func (h langHost) unnamed() error {
	for _, m := range h.Process.Modules {
		if err := h.Symbols.Unnamed(m); err != nil {
			return fmt.Errorf("%s: %w", m.Name(), err)
		}
	}
	return nil
}

// Name implements lang.Names.
func (h langHost) Name(a core.Addr) (string, uint64, bool) { return h.Target.Name(a) }

// Command implements lang.Runner.
func (h langHost) Command(name string) (lang.Traits, error) {
	c, err := h.find(name)
	if err != nil {
		return lang.Traits{}, err
	}
	return lang.Traits{Filter: c.Filter != nil, TakesCount: c.TakesCount}, nil
}

func (h langHost) find(name string) (*Command, error) {
	base := strings.TrimPrefix(name, "::")
	if c, ok := h.Commands.Command(base); ok {
		return c, nil
	}
	if strings.HasPrefix(name, ":") && base == name {
		return nil, lang.Abort(fmt.Errorf("%s: no live process: a core cannot be run, stopped or changed", name))
	}
	return nil, lang.Abort(fmt.Errorf("there is no command %s%s", title(base), h.Commands.Suggest(base)))
}

// call makes the Call for an invocation.
func (h langHost) call(inv *lang.Invocation) (*Call, error) {
	cmd, err := h.find(inv.Name)
	if err != nil {
		return nil, err
	}
	c := &Call{
		Session: h.Session, Command: cmd, Dot: inv.Dot, HasAddr: inv.Given, Piped: inv.Piped,
		First: inv.First, Feeds: inv.Feeds, Count: inv.Count, Args: inv.Args, Input: inv.Input,
		emit: inv.Emit,
		opts: map[byte]Arg{}, off: map[byte]Arg{},
	}
	if cmd.Addr == AddrNone && inv.Given && cmd.Filter == nil {
		return nil, c.Usage("it takes no address")
	}
	if cmd.Addr == AddrRequired && !inv.Given && inv.Dot == 0 {
		return nil, c.Usage("it needs an address: ADDRESS%s", cmd.Title())
	}
	if cmd.RawArgs {
		return c, nil
	}
	if err := c.parse(inv.Args); err != nil {
		return nil, err
	}
	if cmd.Args == "" && len(c.Args) > 0 {
		return nil, c.Usage("it takes no argument such as %q%s", c.Text(c.Args[0]), redirection(c.Text(c.Args[0])))
	}
	return c, nil
}

// Run implements lang.Runner.
func (h langHost) Run(ctx context.Context, inv *lang.Invocation) (err error) {
	if asked, err := h.explain(ctx, inv); asked {
		return err
	}
	c, err := h.call(inv)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = &commandError{c.Command.Title(), err}
		}
	}()
	defer h.recovered(c.Command, &err)
	if c.wide() {
		defer h.Out.Whole()()
	}
	err = c.Command.Run(ctx, c)
	if err == nil && !c.said && !c.Piped && !c.Command.Silent {
		err = c.Empty("%s", cmp.Or(c.Command.EmptyText, c.Command.Title()+": nothing found"))
	}
	return err
}

// explain runs ::help for a call that asks a command for help as programs are
// asked, unless the letter means something to it.
func (h langHost) explain(ctx context.Context, inv *lang.Invocation) (asked bool, err error) {
	line := "::help '"
	switch {
	case len(inv.Args) == 2 && slices.Contains([]string{"-a", "-all", "--all"}, inv.Args[1].Text):
		line = "::help -a '"
	case len(inv.Args) != 1:
		return false, nil
	}
	cmd, err := h.find(inv.Name)
	if err != nil || cmd.RawArgs {
		return false, nil
	}
	switch text := inv.Args[0].Text; {
	case text == "--help", text == "-?", text == "-h" && cmd.option('h') == nil:
		return true, h.Lang.Eval(ctx, line+cmd.Name+"'", inv.Emit)
	}
	return false, nil
}

// Open implements lang.Runner.
func (h langHost) Open(ctx context.Context, inv *lang.Invocation) (_ lang.Sink, err error) {
	c, err := h.call(inv)
	if err != nil {
		return nil, err
	}
	defer h.recovered(c.Command, &err)
	return c.Command.Filter(ctx, c)
}

// recovered turns a bug in a command into an error of that command, so that the session and the results so far
// survive it.
func (h langHost) recovered(c *Command, err *error) {
	r := recover()
	if r == nil {
		return
	}
	if core.IsCut(r) {
		*err = lang.Abort(h.cutError())
		return
	}
	*err = fmt.Errorf("internal error in %s, please report: %v", c.Title(), r)
	if h.System.Getenv("COREDBG_DEBUG") != "" {
		fmt.Fprintf(h.Err, "%s\n", debug.Stack())
	}
}

// Warn implements lang.Display: what the language reports is a statement that
// failed, or whose answer cannot be known.
func (h langHost) Warn(err error) {
	if core.CannotKnow(err) {
		h.Session.Warn(err)
		return
	}
	h.Fail(err)
}

// Show implements lang.Display. A shell command is fed through an out.Writer.
func (h langHost) Show(r lang.Record, w io.Writer) error {
	if w == nil {
		return h.seen(h.show(r, h.Out, &h.head))
	}
	to, ok := w.(*out.Writer)
	if !ok {
		return fmt.Errorf("a shell command is fed through a %T", w)
	}
	return fed(h.show(r, to, &h.shellHead))
}

// fed is the error of feeding a shell command, which may have read all that it
// wanted.
func fed(err error) error {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return lang.ErrStop
	}
	return err
}

// Shell implements lang.Display.
func (h langHost) Shell(ctx context.Context, line string, feed func(io.Writer) error) error {
	if h.Confined {
		return fmt.Errorf("%w: no program is run here", ErrConfined)
	}
	h.Out.Flush()
	if h.Ticker != nil {
		defer h.Ticker.Hold()()
	}
	var stderr io.Writer = h.Err
	if f := h.Err.File(); f != nil {
		stderr = f // what it writes is its own
	}
	in, wait, err := h.System.Shell(ctx, line, feed != nil, h.Out.Raw(), stderr)
	if err != nil {
		return shellError(err)
	}
	if feed == nil {
		return shellError(wait())
	}
	h.shellHead = ""
	to := out.NewBuffered(in)
	failed := feed(to)
	if err := fed(to.Flush()); failed == nil && !errors.Is(err, lang.ErrStop) {
		failed = err
	}
	in.Close()
	return errors.Join(failed, shellError(wait()))
}

// shellError makes the status of a shell command a failure of the statement
// only if the command could not run: grep ends in 1 if it finds nothing.
func shellError(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() >= 0 && exit.ExitCode() < 126 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("shell: %w", err)
	}
	return nil
}

// RunWithout runs a line as it is typed at the prompt, without the line that an alias stands for. Its records
// go to emit.
func (s *Session) RunWithout(ctx context.Context, word, line string, emit func(lang.Record) error) error {
	s.Aliases.running = append(s.Aliases.running, word)
	defer func() { s.Aliases.running = s.Aliases.running[:len(s.Aliases.running)-1] }()
	return s.Lang.Type(ctx, line, emit)
}
