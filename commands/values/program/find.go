// Package program finds types, and variables outside of functions, by their names and addresses. It also keeps the
// values that were shown before.
package program

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// InModules calls yield for the modules that have debugging information: the executable first,
// as what is asked for is in it most times. It ends when yield returns true, and returns why
// there was no module, if there was none, or why it may be in one where it was not found. An object
// that is not "" is the one module that is looked at.
func InModules(s *commands.Session, object string, yield func(m *core.Module, d *dwarf.Data) bool) (why error) {
	found := false
	var partly error
	mods := slices.Clone(s.Process.Modules)
	slices.SortStableFunc(mods, func(a, b *core.Module) int {
		switch {
		case a.Exe && !b.Exe:
			return -1
		case b.Exe && !a.Exe:
			return 1
		}
		return 0
	})
	if why = errNoData; object != "" {
		why = fmt.Errorf("%s is not a module that has debugging information", object)
	}
	none := why
	for _, m := range mods {
		if object != "" && m.Name() != object {
			continue
		}
		if m.Exe || object != "" {
			s.Symbols.Fetch(m, sym.DebugInfo)
		}
		d, err := s.Symbols.Data(m)
		if err == nil {
			if why = nil; yield(m, d) {
				return nil
			}
			found = true
			if err := d.Partly(); err != nil && partly == nil {
				partly = fmt.Errorf("%s: %w", m.Name(), err)
			}
		} else if !errors.Is(err, dwarf.ErrNone) && m.Facts().Image != nil && !found && why == none {
			why = fmt.Errorf("%s: %w", m.Name(), err)
		}
	}
	if found {
		return partly
	}
	return why
}

var errNoData = errors.New("no module of the process has debugging information")

// TypeNamed returns the type that a name spells: "struct node", "int *", "std::string[4]", and
// what its values are read with.
func TypeNamed(s *commands.Session, name string) (*dwarf.Type, *dwarf.Frame, error) {
	base, suffixes := CutSuffixes(name)
	word, rest, ok := strings.Cut(base, " ")
	if ok {
		switch word {
		case "struct", "class", "union", "enum":
			base = strings.TrimSpace(rest)
		}
	}
	var t *dwarf.Type
	var f *dwarf.Frame
	why := InModules(s, "", func(m *core.Module, d *dwarf.Data) bool {
		for _, x := range d.FindTypes(base) {
			if t == nil || t.Declared {
				t, f = x, ImageFrame(s, m, d)
			}
		}
		return t != nil
	})
	switch {
	case t == nil && why != nil:
		return nil, nil, core.Unknown(fmt.Errorf("what %s is is not known: %w", base, why))
	case t == nil:
		return nil, nil, fmt.Errorf("no type is called %s", base)
	}
	for _, x := range suffixes {
		if x < 0 {
			t = t.PointerTo()
		} else {
			t = t.ArrayOf(x)
		}
	}
	return t, f, nil
}

// CutSuffixes splits "T *[3]" into "T" and its suffixes: -1 is a pointer, others are arrays.
func CutSuffixes(name string) (base string, made []int64) {
	base = strings.TrimSpace(name)
	for {
		switch {
		case strings.HasSuffix(base, "*"):
			base = strings.TrimSpace(base[:len(base)-1])
			made = append(made, -1)
		case strings.HasSuffix(base, "]"):
			i := strings.LastIndexByte(base, '[')
			if i <= 0 {
				return base, reverse(made)
			}
			n, err := strconv.ParseInt(base[i+1:len(base)-1], 0, 64)
			if err != nil || n < 0 {
				return base, reverse(made)
			}
			base = strings.TrimSpace(base[:i])
			made = append(made, n)
		default:
			return base, reverse(made)
		}
	}
}

func reverse(list []int64) []int64 { slices.Reverse(list); return list }

// Global returns the value of a variable outside of functions.
func Global(s *commands.Session, name string) (dwarf.Value, error) {
	whole := name
	object, name, ok := strings.Cut(name, "`")
	if !ok {
		object, name = "", object
	}
	var v dwarf.Value
	if object == "" && ofUndescribed(s, name) {
		return v, noType(name)
	}
	ok = false
	why := InModules(s, object, func(m *core.Module, d *dwarf.Data) bool {
		for _, x := range d.FindVariables(name) {
			v, ok = Placed(s, m, x.Value(ImageFrame(s, m, d)), x.Name), true
			return true
		}
		return false
	})
	switch {
	case ok:
		return v, nil
	case why != nil:
		return v, core.Unknown(fmt.Errorf("what %s is is not known: %w", name, why))
	}
	if _, ok := s.Symbols.Find("", whole); ok {
		return v, noType(name)
	}
	if register, ok := strings.CutPrefix(name, "$"); ok {
		return v, NoRegister(s, register)
	}
	return v, fmt.Errorf("no variable is called %s", name)
}

// noType is why a symbol has no type.
func noType(name string) error {
	return fmt.Errorf("no debugging information says what %s is, but it is a symbol: %s::print TYPE", name, name)
}

// ofUndescribed reports whether a variable's symbol is in an executable without debugging information. The
// variable is that one, even if a library with debugging information has another one of the name.
func ofUndescribed(s *commands.Session, name string) bool {
	for _, m := range s.Process.Modules {
		if !m.Exe || s.Symbols == nil {
			continue
		}
		if x, ok := s.Symbols.Exact(m, name); !ok || x.Kind == core.SymFunc {
			continue
		}
		s.Symbols.Fetch(m, sym.DebugInfo)
		if _, err := s.Symbols.Data(m); errors.Is(err, dwarf.ErrNone) {
			return true
		}
	}
	return false
}

// Dotted returns the variable outside of functions that has a name with dots. Go's names have them
// themselves. D writes them between a module, whose name may have dots, and its variable: debugging
// information has a scope there.
func Dotted(s *commands.Session, name string) (dwarf.Value, error) {
	v, err := Global(s, name)
	last := strings.LastIndexByte(name, '.')
	if err == nil || last < 0 {
		return v, err
	}
	for _, scoped := range []string{name[:last] + "::" + name[last+1:], strings.ReplaceAll(name, ".", "::")} {
		if v, e := Global(s, scoped); e == nil {
			return v, nil
		}
	}
	return v, err
}

// Placed returns a variable of a program. One that debugging information has no place for is
// where the only symbol of its name is, if that has its size: optimisation of whole
// programs loses places, but not symbols.
func Placed(s *commands.Session, m *core.Module, v dwarf.Value, name string) dwarf.Value {
	size, known := v.Type.Size()
	if !known || size == 0 {
		return v
	}
	if _, err := v.Bytes(1); !errors.Is(err, dwarf.ErrNoLocation) {
		return v
	}
	at := map[core.Addr]bool{}
	for _, img := range []core.Image{m.Facts().Image, s.Symbols.DebugImage(m)} {
		if img == nil {
			continue
		}
		// An error leaves what was read before it, and is for ::objects to report.
		_ = img.Symbols(false, func(y core.ImageSymbol) bool {
			if string(y.Name) == name && y.Kind == core.SymObject {
				at[core.Addr(y.Value)] = at[core.Addr(y.Value)] || int64(y.Size) == size
			}
			return true
		})
	}
	for a, same := range at {
		if len(at) == 1 && same {
			return v.Frame().At(v.Type, a+m.Facts().Bias)
		}
	}
	return v
}

// VariableAt returns the variable that has the byte at an address of the process.
func VariableAt(s *commands.Session, a core.Addr) (v *dwarf.Variable, f *dwarf.Frame, off uint64, err error) {
	m := ModuleOf(s.Process, a)
	if m == nil {
		return nil, nil, 0, fmt.Errorf("%v is not in a module, so that no variable has it", a)
	}
	s.Symbols.Fetch(m, sym.DebugInfo)
	d, err := s.Symbols.Data(m)
	if err != nil {
		return nil, nil, 0, core.Unknown(fmt.Errorf("%s: %w", m.Name(), err))
	}
	link := uint64(a - m.Facts().Bias)
	v, off, ok := d.VariableAt(link)
	if why := d.Partly(); !ok && why != nil {
		return nil, nil, 0, core.Unknown(fmt.Errorf("whether a variable has %v is not known: %s: %w", a, m.Name(), why))
	}
	if !ok {
		return nil, nil, 0, fmt.Errorf("no variable has %v", a)
	}
	return v, ImageFrame(s, m, d), off, nil
}

// ModuleOf returns the module whose image a is in: .bss is mapped after its file.
func ModuleOf(p *core.Process, a core.Addr) *core.Module {
	if m := p.Module(a); m != nil {
		return m
	}
	for _, m := range p.Modules {
		f := m.Facts()
		if f.Image == nil || !f.BiasKnown {
			continue
		}
		for _, s := range f.Image.Segments() {
			if link := uint64(a - f.Bias); link >= s.Addr && link-s.Addr < max(s.MemSize, s.FileSize) {
				return m
			}
		}
	}
	return nil
}

// Untyped returns the symbol with the name of a variable that was not found. It reports false if the symbol's
// module has debugging information that could not be read in full: the variable may be described there.
func Untyped(s *commands.Session, name string, why error) (sym.Symbol, bool) {
	x, found := s.Symbols.Find("", name)
	if !found {
		return x, false
	}
	if errors.Is(why, core.ErrUnknown) && x.Kind != core.SymFunc && x.Module != nil {
		_, err := s.Symbols.Data(x.Module)
		return x, errors.Is(err, dwarf.ErrNone)
	}
	return x, true
}

// ImageFrame returns what locations that need no function's frame are evaluated with.
func ImageFrame(s *commands.Session, m *core.Module, data *dwarf.Data) *dwarf.Frame {
	return &dwarf.Frame{Arch: s.Process.Arch, Mem: s.Process.Space, Regs: &core.Regs{},
		Bias: m.Facts().Bias, Data: data,
		TLS: TLSOf(s, s.Thread, m)}
}

// TLSOf returns how thread-local variables of a module are found for a thread.
func TLSOf(s *commands.Session, t *core.Thread, m *core.Module) func(off uint64) (core.Addr, error) {
	return func(off uint64) (core.Addr, error) { return s.ThreadLocal(t, m, off) }
}
