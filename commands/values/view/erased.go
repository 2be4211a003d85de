package view

import (
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// held returns the value in an object that the part "to" leads to, whose class was made with its type, which linkers
// know by a name.
func (c *container) held(s *commands.Session) (v dwarf.Value, name string, ok bool) {
	to, _ := c.part("to")
	object, err := to.Deref()
	if err != nil || len(c.of) == 0 {
		return v, "", false
	}
	whole, class, ok := dynamicNamed(s, object)
	if !ok {
		return v, "", false
	}
	t := madeWith(whole.Type, c.of[0])
	if t == nil {
		return v, "", false
	}
	x, ok := follow(whole, c.paths["value"])
	return x.As(t), argument(class, c.of[0]), ok
}

// heldBy returns the value whose type the class of a function was made with, and the name of that as linkers
// know it. The value is in the part "here" if the class has the name "class", or if the constant of the class
// that "constant" names is not 0; else the part "there" leads to it. Linkers make one of functions with the
// same code: the part "also" is another one of that class, which has to say the same.
func (c *container) heldBy(s *commands.Session, function core.Addr) (v dwarf.Value, name string, ok bool) {
	class, name, f := classBy(s, function)
	t := madeWith(class, len(class.TemplateParams()))
	if t == nil {
		return v, "", false
	}
	if c.paths["also"] != nil {
		p, err := c.number("also")
		if other, same, _ := classBy(s, core.Addr(p)); err != nil || other == nil || same != name ||
			name == "" && other != class {
			return v, "", false
		}
	}
	local := slices.ContainsFunc(c.paths["class"],
		func(name string) bool { return strings.HasPrefix(class.Own(), name+"<") })
	if constant := c.paths["constant"]; constant != nil {
		n, known := class.Constant(constant[0])
		if !known {
			return v, "", false
		}
		local = n != 0
	}
	if local {
		x, ok := c.part("here")
		return x.As(t), name, ok
	}
	p, ok := c.part("there")
	if !ok {
		return v, "", false
	}
	at, err := p.Pointer()
	if err != nil {
		return v, "", false
	}
	return f.At(t, at), name, true
}

// classBy returns the class that has a function as its member, the class's last template argument as linkers
// spell it, and the file to read its values with.
func classBy(s *commands.Session, function core.Addr) (class *dwarf.Type, last string, f *dwarf.Frame) {
	m := s.Process.Module(function)
	if m == nil {
		return nil, "", nil
	}
	d, err := s.Symbols.Data(m)
	if err != nil {
		return nil, "", nil
	}
	if y, off, ok := s.Symbols.Lookup(function); ok && off == 0 {
		last = argument(sym.Demangle(y.Name, false), 0)
	}
	return d.ClassAt(uint64(function - m.Facts().Bias)), last, program.ImageFrame(s, m, d)
}

// argument returns the n-th argument, or with 0 the last one, of the last template in the name of a class or of
// its member; "" if it is missing.
func argument(name string, n int) string {
	var args []string
	depth, begin := 0, 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '<':
			if depth++; depth == 1 {
				args, begin = nil, i+1
			}
		case strings.IndexByte("([{", c) >= 0 && depth > 0:
			depth++
		case c == '>' && depth == 1 || c == ',' && depth == 1:
			args = append(args, strings.TrimSpace(name[begin:i]))
			if begin = i + 1; c == '>' {
				depth = 0
			}
		case strings.IndexByte(">)]}", c) >= 0 && depth > 1:
			depth--
		case c == '(' && depth == 0 && len(args) > 0: // parameters of a function
			i = len(name)
		}
	}
	switch {
	case n == 0 && len(args) > 0:
		return args[len(args)-1]
	case n > 0 && n <= len(args):
		return args[n-1]
	}
	return ""
}
