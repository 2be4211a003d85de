package native

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
)

var nmCommands = []commands.Command{
	{
		Name: "nm", Often: "rnt", Addr: commands.AddrOptional,
		Options: []commands.Option{
			{Letter: 'C', Help: "demangle names"},
			{Letter: 'D', Help: "the dynamic symbol table only"},
			{Letter: 'd', Help: "values and sizes in decimal"},
			{Letter: 'g', Help: "global symbols only"},
			{Letter: 'h', Help: "no heading"},
			{Letter: 'n', Help: "sort by name"},
			{Letter: 'o', Help: "values and sizes in octal"},
			{Letter: 'P', Help: "the symbols of your own, as ::nmadd makes them"},
			{Letter: 'p', Help: "short lines: value, letter, name, as nm -p prints them"},
			{Letter: 'r', Arg: "regexp", Help: "only symbols whose names, as they are shown, match"},
			{Letter: 'u', Help: "undefined symbols only"},
			{Letter: 'v', Help: "sort by value"},
			{Letter: 'x', Help: "values and sizes in hexadecimal, which is the default"},
			{Letter: 't', Arg: "types", Help: "only these types: noty, objt, func, tls, with commas",
				Words: func(*commands.Session, string) []string { return []string{"noty", "objt", "func", "tls"} }},
			{Letter: 'f', Arg: "format", Help: "columns: val, sz, type, bind, name, obj, with commas"},
		},
		Args:    "[object]",
		Summary: "list symbols",
		Detail: `An object restricts the list to it: its path, its base name, or its base name up
to a dot. With an address, the symbol that covers it is shown. Symbols come
object by object in the order of their values.`,
		Example: "::nm libc ! grep -w fork",
		SeeAlso: []string{"nmadd", "objects", "whatis"},
		Run:     runNM,
	},
	{
		Name: "nmadd", Silent: true, Addr: commands.AddrOptional,
		Options: []commands.Option{
			{Letter: 'e', Arg: "end", Help: "the address after its last byte"},
			{Letter: 'f', Help: "it is a function"},
			{Letter: 'o', Help: "it is an object"},
			{Letter: 's', Arg: "size", Help: "its size in bytes"},
		},
		Args:    "name",
		Summary: "name an address",
		Detail: `Gives dot a name of your own. It is found before all others, by name and by
address: in expressions, stacks and disassembly. Without a size it names its
own address only. Another ::nmadd of the name moves it.`,
		Example: "main::nmadd -f -s 191 give_up",
		SeeAlso: []string{"nm", "nmdel"},
		Run:     runNMAdd,
	},
	{
		Name: "nmdel", Silent: true, Addr: commands.AddrNone,
		Args:    "name",
		Summary: "forget a name that ::nmadd gave",
		Detail: `The address has its earlier name again. Names of the core's own
symbols stay.`,
		Example: "main::nmadd here; ::nmdel here",
		SeeAlso: []string{"nm", "nmadd"},
		Run:     runNMDel,
	},
}

// A nmForm is how the lines of one ::nm look.
type nmForm struct {
	columns         []string
	base, digits    int
	short, headless bool
	demangle        func(string) string
}

// A symbolRecord is a line of ::nm.
type symbolRecord struct {
	_         out.Record `record:"symbol"`
	Name      string     `json:"name"`
	Value     core.Addr  `json:"value"`
	Size      uint64     `json:"size"` // bytes
	Kind      string     `json:"kind"` // as MDB lists it
	Bind      string     `json:"bind"` // GLOB, LOCL
	Undefined bool       `json:"undefined,omitempty"`
	Object    string     `json:"object,omitempty"` // the path of its object
	symbol    sym.Symbol
	form      *nmForm
}

func newSymbol(y sym.Symbol) *symbolRecord {
	r := &symbolRecord{Name: y.Name, Value: y.Addr, Size: y.Size, Kind: symbolKind(y.Kind), Bind: "LOCL", symbol: y}
	if y.Global {
		r.Bind = "GLOB"
	}
	if y.Module != nil {
		r.Object = y.Module.Path
	}
	return r
}

// in gives the record the form of a listing.
func (r *symbolRecord) in(form *nmForm) *symbolRecord {
	r.form, r.Name = form, form.demangle(r.symbol.Name)
	return r
}

// symbolKind is the word for a symbol's type in MDB's listings.
func symbolKind(k core.SymKind) string {
	switch k {
	case core.SymFunc:
		return "FUNC"
	case core.SymObject:
		return "OBJT"
	case core.SymTLS:
		return "TLS"
	case core.SymFile:
		return "FILE"
	case core.SymOther:
		return "SECT"
	}
	return "NOTY"
}

// Addr returns the symbol's value.
func (r *symbolRecord) Addr() (core.Addr, bool) { return r.Value, !r.Undefined }

var nmTitles = map[string]string{"val": "Value", "sz": "Size", "type": "Type", "bind": "Bind", "name": "Name",
	"obj": "Object"}

// width returns the width of a column; the last column has no width.
func (f *nmForm) width(column string) int {
	switch column {
	case "val", "sz":
		return f.digits
	case "type", "bind":
		return 5
	case "obj":
		return 16
	}
	return 0
}

// Header writes the columns' names.
func (r *symbolRecord) Header(w *out.Writer) {
	if r.form.headless || r.form.short {
		return
	}
	var cells []string
	for _, c := range r.form.columns {
		cells = append(cells, fmt.Sprintf("%-*s", r.form.width(c), nmTitles[c]))
	}
	w.Printf("%s\n", strings.TrimRight(strings.Join(cells, " "), " "))
}

// Text writes the symbol's line.
func (r *symbolRecord) Text(w *out.Writer) {
	f := r.form
	name := sym.Clean(r.Name)
	if r.form.short {
		w.Printf("%s %c %s\n", f.number(uint64(r.Value)), r.letter(), name)
		return
	}
	var cells []string
	for _, c := range f.columns {
		s := ""
		switch c {
		case "val":
			s = f.number(uint64(r.Value))
		case "sz":
			s = f.number(r.Size)
		case "type":
			s = r.Kind
		case "bind":
			s = r.Bind
		case "name":
			s = name
		case "obj":
			if m := r.symbol.Module; m != nil {
				s = sym.Clean(m.Name())
			}
		}
		cells = append(cells, fmt.Sprintf("%-*s", f.width(c), s))
	}
	w.Printf("%s\n", strings.TrimRight(strings.Join(cells, "|"), " "))
}

// letter is the one that nm -p prints.
func (r *symbolRecord) letter() byte {
	c := byte('n')
	switch {
	case r.Undefined:
		return 'U'
	case r.symbol.Kind == core.SymFunc:
		c = 't'
	case r.symbol.Kind == core.SymObject, r.symbol.Kind == core.SymTLS:
		c = 'd'
	}
	if r.symbol.Global {
		c -= 'a' - 'A'
	}
	return c
}

func (f *nmForm) number(v uint64) string {
	s := strconv.FormatUint(v, f.base)
	switch f.base {
	case 16:
		return fmt.Sprintf("0x%0*s", f.digits-2, s)
	case 8:
		return "0" + s
	}
	return s
}

func newNMForm(c *commands.Call) (*nmForm, error) {
	f := &nmForm{base: 16, digits: 18, short: c.Flag('p'), headless: c.Flag('h'),
		columns: []string{"val", "sz", "type", "bind", "obj", "name"}, demangle: func(s string) string { return s }}
	if a := c.Session.Process.Arch; a != nil && a.PtrSize == 4 {
		f.digits = 10
	}
	if c.Flag('C') {
		f.demangle = func(s string) string { return c.Session.Symbols.Demangle(s, false) }
	}
	switch {
	case c.Flag('d'):
		f.base = 10
	case c.Flag('o'):
		f.base = 8
	}
	if s := c.Str('f'); s != "" {
		f.columns = strings.Split(s, ",")
		for _, name := range f.columns {
			if nmTitles[name] == "" {
				return nil, c.Usage("-f knows no column %q", name)
			}
		}
	}
	return f, nil
}

// nmFilter returns what -g, -t and -u let through.
func nmFilter(c *commands.Call) (func(*symbolRecord) bool, error) {
	var types []string
	if s := c.Str('t'); s != "" {
		types = strings.Split(strings.ToUpper(s), ",")
		for _, t := range types {
			if !slices.Contains([]string{"NOTY", "OBJT", "FUNC", "SECT", "FILE", "TLS"}, t) {
				return nil, c.Usage("-t knows no type %q", strings.ToLower(t))
			}
		}
	}
	var named *regexp.Regexp
	if s := c.Str('r'); s != "" {
		var err error
		if named, err = regexp.Compile(s); err != nil {
			return nil, c.Usage("-r: %v", err)
		}
	}
	return func(r *symbolRecord) bool {
		if named != nil && !named.MatchString(r.Name) {
			return false
		}
		return (!c.Flag('g') || r.symbol.Global) && (types == nil || slices.Contains(types, r.Kind)) &&
			c.Flag('u') == r.Undefined
	}, nil
}

func runNM(ctx context.Context, c *commands.Call) error {
	form, err := newNMForm(c)
	if err != nil {
		return err
	}
	if c.HasAddr {
		return nmAt(c, form)
	}
	keep, err := nmFilter(c)
	if err != nil {
		return err
	}
	if c.Flag('P') {
		return nmPrivate(c, form, keep)
	}
	mods, err := nmModules(c)
	if err != nil {
		return err
	}
	var all []*symbolRecord
	for _, m := range mods {
		var emitErr error
		err := nmSymbols(c, m, func(r *symbolRecord) bool {
			r.in(form)
			if !keep(r) {
				return true
			}
			if c.Flag('n') || c.Flag('v') {
				all = append(all, r)
				return true
			}
			emitErr = c.Emit(r)
			return emitErr == nil && ctx.Err() == nil
		})
		if err := cmp.Or(emitErr, ctx.Err()); err != nil {
			return err
		}
		if err != nil {
			c.Warn("symbols of %s: %w", m.Path, core.Unknown(err))
		}
	}
	slices.SortStableFunc(all, func(a, b *symbolRecord) int {
		if c.Flag('n') {
			return cmp.Or(cmp.Compare(a.symbol.Name, b.symbol.Name), cmp.Compare(a.Value, b.Value))
		}
		return cmp.Compare(a.Value, b.Value)
	})
	return commands.EmitAll(c, all)
}

// nmAt emits the symbol that covers the address.
func nmAt(c *commands.Call, form *nmForm) error {
	y, _, ok := c.Session.Symbols.Lookup(c.Dot)
	if ok {
		return c.Emit(newSymbol(y).in(form))
	}
	if y, _, unnamed := c.Session.Symbols.Cover(c.Dot); unnamed {
		return fmt.Errorf("no symbol's name is known for %v: %w", c.Dot, c.Session.Symbols.Unnamed(y.Module))
	}
	return fmt.Errorf("no symbol covers %v", c.Dot)
}

// nmModules returns the modules that the argument names, all without one.
func nmModules(c *commands.Call) ([]*core.Module, error) {
	all := c.Session.Process.Modules
	if len(c.Args) == 0 {
		return all, nil
	}
	var mods []*core.Module
	for _, m := range all {
		if sym.MatchesPath(m.Path, c.Args[0].Text) || c.Args[0].Text == "a.out" && m.Exe {
			mods = append(mods, m)
		}
	}
	if len(mods) == 0 {
		return nil, fmt.Errorf("no object is called %q", c.Args[0].Text)
	}
	return mods, nil
}

// nmSymbols yields the symbols of a module: the symbols that names are found with or, for -D and -u, the
// entries of its own tables.
func nmSymbols(c *commands.Call, m *core.Module, yield func(*symbolRecord) bool) error {
	if !c.Flag('D') && !c.Flag('u') {
		return c.Session.Symbols.Module(m, func(y sym.Symbol) bool { return yield(newSymbol(y)) })
	}
	facts := m.Facts()
	if facts.Image == nil {
		return facts.Err
	}
	return facts.Image.Symbols(true, func(y core.ImageSymbol) bool {
		if len(y.Name) == 0 {
			return true
		}
		r := newSymbol(sym.Symbol{Name: string(y.Name), Size: y.Size, Kind: y.Kind, Global: y.Global, Module: m})
		r.Undefined = !y.Defined
		if y.Defined {
			r.Value = core.Addr(y.Value)
			if y.Kind != core.SymTLS {
				r.Value += facts.Bias
			}
		}
		return yield(r)
	})
}
