package values

import (
	"errors"
	"slices"
	"strings"
	"time"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// erased shows what a value has whose own type does not say what that is: std::function, std::any. The part
// "by" is a pointer to a member function of a class that was made with its type, or "to" one to
// an object of such a class.
func (w *viewer) erased(c *container) *node {
	if w.s == nil {
		return nil
	}
	by := "to"
	if c.paths["by"] != nil {
		by = "by"
	}
	p, err := c.number(by)
	switch {
	case errors.Is(err, errNoPart):
		return nil
	case err != nil:
		return w.unknownNode(c.n, err)
	case p == 0:
		c.n.text, c.n.json = "(none)", nil
		return c.n
	}
	v, name, ok := dwarf.Value{}, "", false
	if by == "to" {
		v, name, ok = c.held(w)
	} else {
		v, name, ok = c.heldBy(w, core.Addr(p))
	}
	if !ok {
		return nil
	}
	x := w.instead(c, v)
	if t := v.Type.Strip(); t == nil || t.Kind != dwarf.Pointer {
		if v.Type.Strip().Own() != "" {
			name = v.Type.Name()
		}
		x.prefix = strings.TrimSpace("(" + sym.Clean(name) + ") " + x.prefix)
	}
	return x
}

// held returns the value in an object that the part "to" leads to, whose class was made with its type, which linkers
// know by a name.
func (c *container) held(w *viewer) (v dwarf.Value, name string, ok bool) {
	to, _ := c.part("to")
	object, err := to.Deref()
	if err != nil || len(c.of) == 0 {
		return v, "", false
	}
	whole, class, ok := dynamicNamed(w.s, object)
	if !ok {
		return v, "", false
	}
	t, ok := nthType(whole.Type, c.of[0])
	if !ok {
		return v, "", false
	}
	x, ok := follow(whole, c.paths["value"])
	return x.As(t), argument(class, c.of[0]), ok
}

// heldBy returns the value whose type the class of a function was made with, and the name of that as linkers know it. The
// value is in the part "here" if the class has the name "class", or if the constant of the class that "constant" names is
// not 0; else the part "there" leads to it. Linkers make one of functions with the same code: the part "also" is another
// one of that class, which has to say the same.
func (c *container) heldBy(w *viewer, function core.Addr) (v dwarf.Value, name string, ok bool) {
	class, name, f := classBy(w.s, function)
	t, ok := nthType(class, max(1, len(class.TemplateParams())))
	if !ok {
		return v, "", false
	}
	if c.paths["also"] != nil {
		p, err := c.number("also")
		if other, same, _ := classBy(w.s, core.Addr(p)); err != nil || other == nil || same != name || name == "" && other != class {
			return v, "", false
		}
	}
	local := slices.ContainsFunc(c.paths["class"], func(name string) bool { return strings.HasPrefix(class.Own(), name+"<") })
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

// classBy returns the class that a function is a member of, the last thing that it was made with as linkers spell
// that, and what its values are read with.
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
	return d.ClassAt(uint64(function - m.Facts().Bias)), last, imageFrame(s, m, d)
}

// nthType returns the type that is the n-th parameter of a template, from 1.
func nthType(t *dwarf.Type, n int) (*dwarf.Type, bool) {
	if t == nil {
		return nil, false
	}
	list := t.TemplateParams()
	if n > len(list) || list[n-1].Type() == nil {
		return nil, false
	}
	return list[n-1].Type(), true
}

// argument returns the n-th argument, or with 0 the last one, of the last template in the name of a class or of a member of
// it; "" if it has none.
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

// period returns the fraction of a second that a std::chrono::duration counts.
func period(t *dwarf.Type) (p [2]int64, ok bool) {
	ratio, ok := nthType(t, 2)
	if !ok {
		return p, false
	}
	list := ratio.Strip().TemplateParams()
	if len(list) < 2 || !list[0].HasValue || !list[1].HasValue || list[0].Value <= 0 || list[1].Value <= 0 {
		return p, false
	}
	return [2]int64{list[0].Value, list[1].Value}, true
}

// duration shows a number with what that is: 1500 (1.5s).
func (w *viewer) duration(c *container) *node {
	x := w.alias(c)
	v, ok := c.part("value")
	if x == nil || !ok || x.kind != scalar {
		return x
	}
	if n, err := v.Int(); err == nil {
		if sec, nano, ok := seconds(c.t, n); ok && sec < maxLength && sec > -maxLength {
			x.note = (time.Duration(sec)*time.Second + time.Duration(nano)).String()
		}
	}
	return x
}

// seconds returns what n of a std::chrono::duration are, in seconds and nanoseconds; ok is false for what is not
// whole nanoseconds, and for a duration that counts in floating point.
func seconds(t *dwarf.Type, n int64) (sec, nano int64, ok bool) {
	rep, known := nthType(t, 1)
	p, ok := period(t)
	if !ok || !known || rep.Strip().Kind != dwarf.Base || rep.Strip().Encoding == dwarf.EncFloat || p[1] > 1e9 || 1e9%p[1] != 0 || p[0] > maxLength {
		return 0, 0, false
	}
	if whole := n / p[1]; whole > maxLength || whole < -maxLength || p[0] > 1 && p[1] > 1 || (whole*p[0])/p[0] != whole {
		return 0, 0, false
	}
	return n / p[1] * p[0], n % p[1] * p[0] * (1e9 / p[1]), true
}

// moment shows a duration since the beginning of a clock: of the system's, which is that of Unix, as a time.
func (w *viewer) moment(c *container) *node {
	v, ok := c.part("value")
	if !ok {
		return nil
	}
	t := v.Type.Strip().Complete()
	clock, known := nthType(c.t, 1)
	count, found := follow(v, []string{"__r", "__rep_"})
	if !known || !found || clock.Strip() == nil || clock.Strip().Own() != "system_clock" {
		return w.alias(c)
	}
	n, err := count.Int()
	if err != nil {
		return w.unknownNode(c.n, err)
	}
	sec, nano, ok := seconds(t, n)
	if !ok || sec < firstSecond || sec > lastSecond {
		return w.alias(c)
	}
	c.n.text = time.Unix(sec, nano).UTC().Format(time.RFC3339Nano)
	c.n.json = c.n.text
	return c.n
}

// The times of the years 0 to 9999, in seconds since 1970.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)
