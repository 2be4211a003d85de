package values

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/cexpr"
	"coredbg/commands/values/program"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// An evaluator evaluates expressions of C over the variables of the current frame and of the program.
type evaluator struct {
	ctx  context.Context
	s    *commands.Session
	made *dwarf.Frame // of values that the expression makes
}

func newEvaluator(ctx context.Context, s *commands.Session) (*evaluator, error) {
	if s.Process.Arch == nil {
		return nil, core.Unknown(errors.New("the machine of the core is not known"))
	}
	return &evaluator{ctx, s, &dwarf.Frame{Arch: s.Process.Arch, Mem: s.Process.Space, Regs: &core.Regs{}}}, nil
}

// expressionValue returns the value of an expression.
func expressionValue(ctx context.Context, s *commands.Session, text string) (dwarf.Value, error) {
	e, err := newEvaluator(ctx, s)
	if err != nil {
		return dwarf.Value{}, err
	}
	n, err := cexpr.Parse(text, e.isType)
	if err != nil {
		return dwarf.Value{}, err
	}
	v, err := e.eval(n)
	if err != nil || !isCode(v) {
		return v, err
	}
	return e.address(v)
}

// isCode reports whether a value is a function, which is shown by its address.
func isCode(v dwarf.Value) bool {
	t := v.Type.Strip()
	return t != nil && t.Kind == dwarf.Function && t.Lang() != dwarf.LangGo
}

// isType reports whether a name is a type's.
func (e *evaluator) isType(name string) bool {
	_, err := e.typeNamed(name)
	return err == nil
}

// typeNamed returns a type of the program, or of C itself.
func (e *evaluator) typeNamed(name string) (*dwarf.Type, error) {
	for _, word := range []string{"const ", "volatile "} {
		name = strings.TrimPrefix(name, word)
	}
	t, _, err := program.TypeNamed(e.s, name)
	if err == nil {
		return t, nil
	}
	base, suffixes := program.CutSuffixes(name)
	if base == "void" && len(suffixes) > 0 && suffixes[0] < 0 {
		t, suffixes = dwarf.VoidPointer(e.made.Arch.PtrSize), suffixes[1:]
	} else if t = e.ofC(base); t == nil {
		return nil, err
	}
	for _, x := range suffixes {
		if x < 0 {
			t = t.PointerTo()
		} else {
			t = t.ArrayOf(x)
		}
	}
	return t, nil
}

// ofC returns a base type of C by its name. It is nil for other names.
func (e *evaluator) ofC(name string) *dwarf.Type {
	addr := e.made.Arch.PtrSize
	c, rest, err := parseType(strings.Fields(name), e.made.Arch)
	if err != nil || len(rest) > 0 || c.kind != cInteger && c.kind != cFloat {
		return nil
	}
	enc := dwarf.EncUnsigned
	switch {
	case c.name == "void":
		return nil
	case c.kind == cFloat:
		enc = dwarf.EncFloat
	case strings.HasSuffix(c.name, "bool") || strings.HasSuffix(c.name, "Bool"):
		enc = dwarf.EncBoolean
	case strings.HasSuffix(c.name, "char") && c.signed:
		enc = dwarf.EncSignedChar
	case strings.HasSuffix(c.name, "char"):
		enc = dwarf.EncUnsignedChar
	case c.signed:
		enc = dwarf.EncSigned
	}
	return dwarf.NewBase(c.name, enc, int64(c.size), addr)
}

// eval returns the value of a part of an expression.
func (e *evaluator) eval(n *cexpr.Node) (dwarf.Value, error) {
	switch n.Op {
	case cexpr.Int, cexpr.Float, cexpr.Char, cexpr.String:
		return e.literal(n), nil
	case cexpr.Name:
		return e.nameNode(n)
	case cexpr.Register:
		return e.register(n.Text)
	case cexpr.Member:
		v, err := e.eval(n.A)
		if err == nil {
			return (view.Step{Kind: '.', Name: n.Text}).Take(e.s, v, 0)
		}
		if name, ok := dottedName(n); ok {
			if v, err := program.Dotted(e.s, name); err == nil {
				return v, nil
			}
			if x, wrong := e.name(name); wrong == nil { // a function of Go
				return x, nil
			}
		}
		return v, err
	case cexpr.Index:
		return e.index(n)
	case cexpr.Slice:
		return e.slice(n)
	case cexpr.Cast:
		return e.cast(n)
	case cexpr.Place:
		return e.place(n)
	case cexpr.SizeofType:
		t, err := e.typeNamed(n.Text)
		if err != nil {
			return dwarf.Value{}, err
		}
		return e.sizeOf(t)
	case cexpr.Sizeof:
		v, err := e.eval(n.A)
		if name, ok := dottedName(n.A); err != nil && ok { // a type of Go
			if t, wrong := e.typeNamed(name); wrong == nil {
				return e.sizeOf(t)
			}
		}
		if err != nil {
			return v, err
		}
		return e.sizeOf(measured(v))
	case cexpr.Unary:
		return e.unary(n)
	case cexpr.Binary:
		return e.binary(n)
	case cexpr.Choice:
		return e.choice(n)
	case cexpr.Array:
		return e.array(n)
	case cexpr.Call:
		return e.call(n)
	}
	return e.assign(n)
}

// choice is A ? B : C.
func (e *evaluator) choice(n *cexpr.Node) (dwarf.Value, error) {
	v, err := e.eval(n.A)
	if err != nil {
		return v, err
	}
	if x, err := e.number(v); err != nil {
		return v, err
	} else if x.truth() {
		return e.eval(n.B)
	}
	return e.eval(n.C)
}

// literal is the value of a number, a character or a string.
func (e *evaluator) literal(n *cexpr.Node) dwarf.Value {
	switch n.Op {
	case cexpr.Float:
		return e.float(n.Real)
	case cexpr.Char:
		return e.integer(e.ofC("char"), n.Number)
	case cexpr.String:
		b := append([]byte(n.Text), 0)
		return e.made.Made(e.ofC("char").ArrayOf(int64(len(b))), b)
	}
	name := "int"
	switch {
	case n.Unsigned && n.Number < 1<<32:
		name = "unsigned int"
	case n.Unsigned || n.Number >= 1<<63:
		name = "unsigned long long"
	case n.Number >= 1<<31:
		name = "long long"
	}
	return e.integer(e.ofC(name), n.Number)
}

// dottedName returns the name that an expression may be, instead of a member of a value: "main.count".
func dottedName(n *cexpr.Node) (string, bool) {
	switch n.Op {
	case cexpr.Name:
		return n.Text, true
	case cexpr.Member:
		head, ok := dottedName(n.A)
		return head + "." + n.Text, ok
	}
	return "", false
}

// name is the value of a variable, or of a function or another symbol without debugging information.
func (e *evaluator) name(name string) (dwarf.Value, error) {
	v, err := named(e.ctx, e.s, name)
	if err == nil {
		return v, nil
	}
	if c, ok := e.constant(name); ok {
		return c, nil
	}
	x, found := program.Untyped(e.s, name, err)
	if at, ok := e.s.Errno(); ok && !found && name == "errno" {
		return e.made.At(e.ofC("int"), at), nil
	}
	if !found {
		if c, ok := e.enumerator(name); ok {
			return c, nil
		}
		return v, err
	}
	return e.symbol(x)
}

// constant is the value of true, false, NULL or nil.
func (e *evaluator) constant(name string) (dwarf.Value, bool) {
	switch name {
	case "true", "false":
		return e.integer(e.ofC("bool"), map[string]uint64{"true": 1}[name]), true
	case "NULL", "nullptr", "nil":
		return e.integer(dwarf.VoidPointer(e.made.Arch.PtrSize), 0), true
	}
	return dwarf.Value{}, false
}

// symbol is the value of a symbol: a function, or a number or bytes at its place.
func (e *evaluator) symbol(x sym.Symbol) (dwarf.Value, error) {
	if x.Kind == core.SymTLS {
		at, err := e.s.ThreadLocalSymbol(x)
		if err != nil {
			return dwarf.Value{}, err
		}
		x.Addr = at
	}
	if x.Kind == core.SymFunc {
		return e.made.At(e.functionType(x), x.Addr), nil
	}
	if t := integers[x.Size]; t != "" {
		return e.made.At(e.ofC(t), x.Addr), nil
	}
	return e.made.At(e.ofC("unsigned char").ArrayOf(int64(min(x.Size, view.MaxElements))), x.Addr), nil
}

func (e *evaluator) sizeOf(t *dwarf.Type) (dwarf.Value, error) {
	n, ok := t.Size()
	if !ok {
		return dwarf.Value{}, fmt.Errorf("the size of %s is not known", t.Name())
	}
	return e.integer(e.ofC("unsigned long"), uint64(n)), nil
}

// measured returns the type of a value. An array whose length depends on another value has the length that it has.
func measured(v dwarf.Value) *dwarf.Type {
	if t := v.Type.Strip(); t != nil && t.Kind == dwarf.Array {
		if _, ok := t.Size(); !ok && v.Len() > 0 {
			return t.Elem().ArrayOf(v.Len())
		}
	}
	return v.Type
}

// place is {T}A: the value of a type at an address.
func (e *evaluator) place(n *cexpr.Node) (dwarf.Value, error) {
	t, f, err := program.TypeNamed(e.s, n.Text)
	if err != nil {
		if t, err = e.typeNamed(n.Text); err != nil {
			return dwarf.Value{}, err
		}
		f = e.made
	}
	a, err := e.eval(n.A)
	if err != nil {
		return a, err
	}
	x, err := e.number(a)
	if err == nil && x.real {
		err = fmt.Errorf("%s is no address", x.text())
	}
	if err != nil {
		return a, err
	}
	return f.At(t, core.Addr(x.u)), nil
}

// index is A[B].
func (e *evaluator) index(n *cexpr.Node) (dwarf.Value, error) {
	v, err := e.eval(n.A)
	if err != nil {
		return v, err
	}
	if n.B.Op == cexpr.String {
		return (view.Step{Kind: '"', Name: n.B.Text}).Take(e.s, v, 0)
	}
	b, err := e.eval(n.B)
	if err != nil {
		return v, err
	}
	i, err := e.number(b)
	if err != nil {
		return v, err
	}
	if i.real {
		return v, fmt.Errorf("%s is not an index", i.text())
	}
	return (view.Step{Kind: '[', Index: int64(i.u)}).Take(e.s, v, 0)
}

// array is A@B: B values from the place of A on.
func (e *evaluator) array(n *cexpr.Node) (dwarf.Value, error) {
	v, err := e.eval(n.A)
	if err != nil {
		return v, err
	}
	b, err := e.eval(n.B)
	if err != nil {
		return v, err
	}
	count, err := e.number(b)
	if err != nil {
		return v, err
	}
	at, ok := v.Addr()
	switch {
	case !ok:
		return v, errors.New("only what is in memory can be the first of several")
	case count.real || int64(count.u) <= 0 || count.u > view.MaxElements:
		return v, fmt.Errorf("%s is not a number of elements", count.text())
	}
	return v.Frame().At(v.Type.ArrayOf(int64(count.u)), at), nil
}

// unary is an operator before an operand.
func (e *evaluator) unary(n *cexpr.Node) (dwarf.Value, error) {
	v, err := e.eval(n.A)
	if err != nil {
		return v, err
	}
	switch n.Text {
	case "*":
		return e.deref(v)
	case "&":
		return e.address(v)
	case "++", "--":
		return v, errors.New("nothing can be assigned in a core")
	}
	x, err := e.number(v)
	if err != nil {
		return v, err
	}
	switch n.Text {
	case "!":
		return e.truth(!x.truth()), nil
	case "-":
		if x.real {
			return e.float(-x.f), nil
		}
		return e.result(operand{u: -x.u, unsigned: x.unsigned, wide: x.wide}), nil
	case "~":
		if x.real {
			return v, errors.New("~ is for integers")
		}
		return e.result(operand{u: ^x.u, unsigned: x.unsigned, wide: x.wide}), nil
	}
	if x.real {
		return e.float(x.f), nil
	}
	return e.result(x), nil
}

// deref is what a pointer, an array or a number leads to.
func (e *evaluator) deref(v dwarf.Value) (dwarf.Value, error) {
	switch t := v.Type.Strip(); {
	case t == nil:
	case t.Kind == dwarf.Array:
		return v.Index(0)
	case t.Kind == dwarf.Function:
		return v, nil
	case t.Kind == dwarf.Pointer && t.Elem() == nil:
		return v, errors.New("what a void * leads to has no type: cast it, as in *(int *)p")
	case t.Kind == dwarf.Base && t.Encoding != dwarf.EncFloat:
		x, err := e.number(v)
		if err != nil {
			return v, err
		}
		return e.made.At(e.ofC("long"), core.Addr(x.u)), nil
	}
	return (view.Step{Kind: '*'}).Take(e.s, v, 0)
}

// address returns the address of a value. A reference has the address of the value that it refers to.
func (e *evaluator) address(v dwarf.Value) (dwarf.Value, error) {
	if t := v.Type.Strip(); t != nil && (t.Kind == dwarf.Reference || t.Kind == dwarf.RvalueReference) {
		to, err := v.Deref()
		if err != nil {
			return v, err
		}
		v = to
	}
	a, ok := v.Addr()
	if !ok || v.Type == nil {
		return v, errors.New("the value is not in memory, so that it has no address")
	}
	r := e.integer(v.Type.PointerTo(), uint64(a))
	b, err := r.Bytes(int64(e.made.Arch.PtrSize))
	if err != nil {
		return v, err
	}
	return v.Frame().Made(r.Type, b), nil
}

// integers are the integers that symbols without a type are taken for, by their sizes in bytes.
var integers = map[uint64]string{1: "signed char", 2: "short", 4: "int", 8: "long long"}
