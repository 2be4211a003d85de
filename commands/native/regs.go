package native

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

var regsCommands = []commands.Command{
	{
		Name: "regs", Alias: "$r", Addr: commands.AddrOptional,
		Options: []commands.Option{{Letter: 'a', Help: "all sets: floating point, vector, matrix, system"},
			{Letter: 'g', Help: "the registers of the chosen frame, one a line, with natural values; with names, only these"}},
		Args:    "[name ...]",
		Summary: "show the registers of a thread",
		Detail: `The address is a thread id; without one the registers of the current thread are
shown. Registers are variables too: <rip, <x0. A name after a value is the
symbol that covers it.`,
		Example: "$r",
		SeeAlso: []string{"thread", "vars", "::fpregs"},
		Run:     runRegs,
	},
	{
		Name: "fpregs", Alias: "$y", Addr: commands.AddrOptional,
		Summary: "show the floating-point and vector registers of a thread",
		Detail: `The address is a thread id; without one the registers of the current thread
are shown. A register of more than 8 bytes is one number, its most significant
byte first. Those of arm64 whose size the processor chooses come with it, in
bytes: vl outside of streaming mode, svl in it; the rows of the matrix are za[0]
and so on, if it was on. ::regs -a has svcr too: 1 in streaming mode, plus 2 with
the matrix.`,
		Example: "$y",
		SeeAlso: []string{"::regs"},
		Run:     runFPRegs,
	},
}

// A regsRecord is the register set of a thread.
type regsRecord struct {
	_    out.Record        `record:"regs"`
	TID  int               `json:"tid"` // 0 for memory of no thread
	Regs map[string]string `json:"regs"`

	list []core.Register
	pc   core.Addr
	name func(core.Addr) string
	ptr  int
}

// Addr returns the program counter.
func (r *regsRecord) Addr() (core.Addr, bool) { return r.pc, r.pc != 0 }

// Text writes the general registers in two columns, the others one a line
// below the name of their set.
func (r *regsRecord) Text(w *out.Writer) {
	var general []core.Register
	for _, g := range r.list {
		if isGeneral(g) {
			general = append(general, g)
		}
	}
	half := (len(general) + 1) / 2
	width, label := 0, 8
	if w.Columns() > 0 {
		label = 0
	}
	for _, g := range general {
		label = max(label, len(g.Name))
	}
	lines := make([]string, len(general))
	for i, g := range general {
		lines[i] = r.line(g, label)
		if i < half || w.Columns() > 0 {
			width = max(width, out.Width(lines[i]))
		}
	}
	// Two columns of one width; on a terminal, of half of it.
	if columns := w.Columns(); columns > 0 {
		width = min(width, (columns-2)/2)
	}
	bare := label + len("% = 0x") + 2*r.ptr
	if width < bare {
		half = len(general)
		width = max(w.Columns(), bare)
	}
	for i := range half {
		r.put(w, lines[i], width)
		if i+half < len(general) {
			w.Printf("%*s", width+2-min(width, out.Width(lines[i])), "")
			r.put(w, lines[i+half], width)
		}
		w.Printf("\n")
	}
	set := ""
	for _, g := range r.list {
		if isGeneral(g) {
			continue
		}
		if g.Set != set {
			set = g.Set
			w.Printf("%s:\n", set)
		}
		w.Printf("%%%-10s = %s\n", g.Name, registerValue(g))
	}
}

func isGeneral(g core.Register) bool { return g.Set == "general" || g.Set == "" }

func (r *regsRecord) line(g core.Register, label int) string {
	s := fmt.Sprintf("%%%-*s = 0x%0*x", label, g.Name, 2*max(g.Size, r.ptr), g.Value)
	if name := r.name(core.Addr(g.Value)); name != "" {
		s += " " + abbreviate(name)
	}
	return s
}

// put writes a register's line, the name cut to fit.
func (r *regsRecord) put(w *out.Writer, line string, width int) {
	head, rest, _ := strings.Cut(line, " = ")
	value, name, named := strings.Cut(rest, " ")
	w.Paint(out.Keyword, "%s", head)
	w.Printf(" = ")
	w.Paint(out.Addr, "%s", value)
	if room := width - out.Width(head) - out.Width(value) - 4; named && room > 0 {
		w.Printf(" ")
		w.Paint(out.Symbol, "%s", out.Middle(name, room))
	}
}

// registerValue formats a register: a wide one as one number, whose most
// significant byte comes first.
func registerValue(g core.Register) string {
	if g.Bytes == nil {
		return fmt.Sprintf("0x%0*x", 2*g.Size, g.Value)
	}
	b := make([]byte, len(g.Bytes))
	for i, c := range g.Bytes {
		b[len(b)-1-i] = c
	}
	return fmt.Sprintf("0x%x", b)
}

// x86Order is the order that people expect for the registers of x86-64; elsewhere the order of their numbers
// will do.
var x86Order = []string{"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "rip",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "eflags"}

// sortGeneral orders the general registers as people look for them.
func sortGeneral(arch *core.Arch, list []core.Register) {
	order := arch.RegNames
	if arch == core.AMD64 {
		order = x86Order
	}
	rank := func(g core.Register) int {
		if i := slices.Index(order, g.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(list, func(a, b core.Register) int { return cmp.Compare(rank(a), rank(b)) })
}

// partition returns the registers that is reports, and the others.
func partition(list []core.Register, is func(core.Register) bool) (yes, no []core.Register) {
	for _, g := range list {
		if is(g) {
			yes = append(yes, g)
		} else {
			no = append(no, g)
		}
	}
	return yes, no
}

func runRegs(ctx context.Context, c *commands.Call) error {
	t, err := registersOf(c)
	switch {
	case err != nil:
		return err
	case c.Flag('g'):
		return runNatural(ctx, c, t)
	case len(c.Args) > 0:
		return c.Usage("names of registers need -g")
	}
	return c.Emit(newRegs(c, t, func(g core.Register) bool { return isGeneral(g) || c.Flag('a') }))
}

func runFPRegs(_ context.Context, c *commands.Call) error {
	t, err := registersOf(c)
	if err != nil {
		return err
	}
	r := newRegs(c, t, func(g core.Register) bool { return g.Set == "fp" || g.Set == "vector" || g.Set == "matrix" })
	if len(r.list) == 0 {
		return c.Unknown("the core has no floating-point registers of %v", t)
	}
	return c.Emit(r)
}

// registersOf returns the thread that a command applies to, if its registers are known.
func registersOf(c *commands.Call) (*core.Thread, error) {
	t, err := c.Thread()
	if p := c.Session.Process; err == nil && p.Arch == nil {
		err = c.Unknown("registers of %s are not known", p.Machine)
	}
	return t, err
}

// newRegs returns the record of the registers of a thread that want reports.
func newRegs(c *commands.Call, t *core.Thread, want func(core.Register) bool) *regsRecord {
	p := c.Session.Process
	r := &regsRecord{TID: t.TID, Regs: map[string]string{}, ptr: p.Arch.PtrSize,
		name: func(a core.Addr) string {
			if _, mapped := p.Mapping(a); !mapped {
				return ""
			}
			if _, _, ok := c.Session.Symbols.Lookup(a); !ok {
				return ""
			}
			return symbolic(c.Session, a)
		}}
	for _, g := range p.Registers(t) {
		if g.Name == "eflags" || g.Name == "cpsr" || g.Name == "pstate" {
			g.Set = "general"
		}
		if !want(g) {
			continue
		}
		r.list = append(r.list, g)
		if g.Bytes == nil {
			r.Regs[g.Name] = core.Addr(g.Value).String()
		} else {
			r.Regs[g.Name] = registerValue(g)
		}
	}
	general, rest := partition(r.list, isGeneral)
	sortGeneral(p.Arch, general)
	r.list = append(general, rest...)
	if v, ok := t.Regs.Get(p.Arch.PC); ok {
		r.pc = core.Addr(v)
	}
	return r
}
