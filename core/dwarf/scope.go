package dwarf

import (
	"cmp"
	"coredbg/core/dwarf/encoded"
	"coredbg/core/dwarf/format"
	"slices"
	"sort"
	"strings"
)

// A VariableKind is what a variable is to its function.
type VariableKind uint8

// The kinds of variables.
const (
	Local VariableKind = iota
	Argument
	Global
)

// String returns the word that records use.
func (k VariableKind) String() string { return [...]string{"local", "argument", "global"}[k%3] }

// A Variable is a variable or parameter with its location.
type Variable struct {
	Name string
	Kind VariableKind
	Line int // where it is declared; 0 if that is not known

	e  *Entry
	fn *Entry // the function whose frame has it; nil for Global

	// moved is set of one that Go's compiler keeps in the heap, as it outlives its function: its
	// entry, whose name begins with "&", is a pointer to it.
	moved bool
	// last is set for an open array of Pascal: the parameter that has the index of its last element.
	last *Variable
}

// Made reports whether it is a parameter that FPC adds: the bound of an open array or the frame of the outer function.
func (v *Variable) Made() bool {
	return v.e.u.Lang().Pascal() && (strings.HasPrefix(v.Name, "$high") || v.Name == "$parentfp")
}

// openArrays gives Pascal's open arrays their bounds. FPC passes the index of the last element of x in $highX.
func (s *Scope) openArrays() {
	for _, v := range s.Vars {
		if v.Kind != Argument || v.last != nil || !v.e.u.Lang().Pascal() {
			continue
		}
		for _, x := range s.Vars {
			if x.Kind == Argument && x.Name == "$high"+strings.ToUpper(v.Name) {
				v.last = x
			}
		}
	}
}

// Type returns the variable's type; nil if it cannot be read.
func (v *Variable) Type() *Type {
	at, _ := v.e.inherited(format.AtType).ref()
	t := at.typ()
	if v.moved && t.Strip() != nil {
		return t.Strip().Elem()
	}
	return t
}

// A Scope is a function that holds an address, or one that was inlined into the next.
type Scope struct {
	Name string // its linkage name, or else its plain one
	Line int    // where it is declared; 0 if that is not known
	// Vars are its parameters, then the variables that are in scope, outer blocks first.
	Vars []*Variable

	fn *Entry // the function
}

// functionAt returns the entry of the function that has the code at pc, or nil if there is no such
// function.
func (u *Unit) functionAt(pc uint64) *Entry {
	u.funcs.once.Do(func() { u.funcs.list = u.readFunctions() })
	list := u.funcs.list
	i := sort.Search(len(list), func(i int) bool { return list[i].low > pc })
	for k := i - 1; k >= 0 && k >= i-16; k-- {
		if pc < list[k].high {
			return u.d.entry(list[k].off)
		}
	}
	return nil
}

// rangeAttrs are the attributes that say which code an entry has.
var rangeAttrs = setOf(format.AtSibling, format.AtLowPC, format.AtHighPC, format.AtRanges)

func (u *Unit) readFunctions() []codeRange {
	var out []codeRange
	u.load()
	r := u.reader(u.first)
	r.only = rangeAttrs
	for depth := 0; ; {
		e, ok := r.next()
		if !ok {
			break
		}
		if e.Tag == 0 {
			if depth--; depth <= 0 {
				break
			}
			continue
		}
		if e.Tag == format.TagSubprogram {
			for _, lh := range e.codeRanges() {
				if u.d.root.IsCode(lh[0], lh[1]) {
					out = append(out, codeRange{lh[0], lh[1], e.Off})
				}
			}
		}
		switch {
		case !e.Children:
		case depth >= maxNested || !holdsFunctions(e.Tag):
			r.skipChildren(e)
		default:
			depth++
		}
	}
	slices.SortFunc(out, func(a, b codeRange) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(b.high, a.high), cmp.Compare(a.off, b.off))
	})
	return out
}

// holdsFunctions reports whether entries of a tag can have children that are functions with
// code.
func holdsFunctions(t format.Tag) bool {
	switch t {
	case format.TagCompileUnit, format.TagPartialUnit, format.TagSkeletonUnit, format.TagNamespace, format.TagModule,
		format.TagClassType,
		format.TagStructureType, format.TagUnionType,
		format.TagSubprogram, format.TagLexicalBlock:
		return true
	}
	return false
}

// Scopes returns the functions that contain the code at the link-time address pc: the innermost inlined
// one first, the one that has the code last. It is empty if DWARF has no function there. The error says
// why the unit cannot be read.
func (d *Data) Scopes(pc uint64) ([]Scope, error) {
	_, fn, err := d.functionOf(pc)
	if fn == nil {
		return nil, err
	}
	out := []Scope{{Name: fn.functionName(), Line: fn.declLine()}}
	blocks(&out, fn, pc, 0)
	slices.Reverse(out)
	for i := range out {
		for _, v := range out[i].Vars {
			v.fn = fn
		}
	}
	return out, nil
}

// Function returns the function that has the code at the link-time address pc, with the variables of all its blocks.
// It is nil if DWARF has no function there.
func (d *Data) Function(pc uint64) (*Scope, error) {
	_, fn, err := d.functionOf(pc)
	if fn == nil {
		return nil, err
	}
	out := &Scope{Name: fn.functionName(), Line: fn.declLine(), fn: fn}
	out.allBlocks(fn, 0)
	out.openArrays()
	for _, v := range out.Vars {
		v.fn = fn
	}
	return out, nil
}

// allBlocks adds the variables of a block and of the blocks in it, except the ones of inlined functions.
func (s *Scope) allBlocks(block *Entry, depth int) {
	if depth > maxNested {
		return
	}
	block.eachChild(func(r *reader, e *Entry) bool {
		switch e.Tag {
		case format.TagCommonBlock, format.TagLexicalBlock:
			s.allBlocks(e.clone(), depth+1)
		case format.TagFormalParameter, format.TagVariable:
			if v := newVariable(e.clone()); v != nil {
				s.Vars = append(s.Vars, v)
			}
		}
		return len(s.Vars) < maxMembers
	})
}

// functionOf returns the entry of the function that has the code at pc, with its unit. Both are nil if
// there is no such function.
func (d *Data) functionOf(pc uint64) (*Unit, *Entry, error) {
	u := d.UnitAt(pc)
	if u == nil {
		return nil, nil, nil
	}
	u, err := u.whole()
	if err != nil {
		return nil, nil, err
	}
	return u, u.functionAt(pc), nil
}

// blocks adds what the children of a function or block have at pc: variables to the last scope, and
// scopes of inlined functions.
func blocks(out *[]Scope, block *Entry, pc uint64, depth int) {
	if depth > maxNested {
		return
	}
	at := len(*out) - 1
	defer func() { (*out)[at].openArrays() }()
	block.eachChild(func(r *reader, e *Entry) bool {
		switch e.Tag {
		case format.TagCommonBlock: // Fortran's
			blocks(out, e.clone(), pc, depth+1)
		case format.TagFormalParameter, format.TagVariable:
			if v := newVariable(e.clone()); v != nil {
				(*out)[at].Vars = append((*out)[at].Vars, v)
			}
		case format.TagLexicalBlock:
			if e.holds(pc) || !e.attr(format.AtRanges).Present() && !e.attr(format.AtLowPC).Present() {
				blocks(out, e.clone(), pc, depth+1)
			}
		case format.TagInlinedSubroutine:
			if e.holds(pc) {
				inner := e.clone()
				*out = append(*out, Scope{Name: inner.functionName(), Line: inner.declLine()})
				blocks(out, inner, pc, depth+1)
			}
		}
		return true
	})
}

// newVariable returns the variable of an entry in a function; nil if the source does not have it there.
func newVariable(e *Entry) *Variable {
	v := &Variable{e: e, Name: e.inherited(format.AtName).Text()}
	if e.Tag == format.TagFormalParameter {
		v.Kind = Argument
	} else if v.Name == "" || e.attr(format.AtDeclaration).Flag() {
		return nil // what the compiler keeps for itself; an extern declaration
	}
	if e.u.Lang().Ada() {
		name, made := encoded.GNAT(v.Name)
		if made {
			return nil // a bound, a tag or a further argument
		}
		v.Name = name
	}
	if name, ok := strings.CutPrefix(v.Name, "&"); ok && e.u.Lang() == LangGo {
		if t := v.Type().Strip(); t != nil && t.Kind == Pointer {
			v.Name, v.moved = name, true
		}
	}
	v.Line = e.declLine()
	return v
}

// declLine returns the line number of an entry's declaration; 0 if that is not known.
func (e *Entry) declLine() int {
	if n, ok := e.inherited(format.AtDeclLine).Uint(); ok && n < 1<<31 {
		return int(n)
	}
	return 0
}

// functionName returns the linkage name of a function, or else its plain one.
func (e *Entry) functionName() (name string) {
	e.origin(func(e *Entry) bool {
		for _, a := range []format.AttrName{format.AtLinkageName, format.AtMIPSLinkageName} {
			if s := e.attr(a).Text(); s != "" {
				name = s
				return true
			}
		}
		if name == "" {
			name = e.attr(format.AtName).Text()
		}
		return false
	})
	return name
}

// spelling returns the name of a function as its source has it, in a language whose linkage names
// are not demangled: Fortran, Ada, Pascal, Modula and D. It returns "" in others, and for a
// function without a name.
func (e *Entry) spelling() string {
	l := e.u.Lang()
	separator := "."
	switch {
	case l.Fortran():
		separator = "::"
	case l.Ada(), l.Pascal(), l == LangD:
	case e.u.nim():
		return encoded.Nim(e.functionName())
	default:
		return ""
	}
	name, off, u := "", format.Offset(0), e.u
	e.origin(func(e *Entry) bool {
		name, off, u = e.attr(format.AtName).Text(), e.Off, e.u
		return name != ""
	})
	if name == "" {
		return ""
	}
	if l.Ada() { // the names of its entries have their packages
		name, _ = encoded.GNAT(name)
		return name
	}
	return strings.ReplaceAll(u.qualify(off, name), "::", separator)
}

// Unit returns the unit that has the variable.
func (v *Variable) Unit() *Unit { return v.e.u }

// Declared returns the file that declares the variable, by its number in the line number program that begins
// at off, and the folder of the unit.
func (v *Variable) Declared() (off uint64, dir string, file int, ok bool) {
	n, ok := v.e.inherited(format.AtDeclFile).Uint()
	if !ok || n > 1<<30 {
		return 0, "", 0, false
	}
	off, dir, ok = v.e.u.Program()
	return off, dir, int(n), ok
}
