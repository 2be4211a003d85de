package values

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/commands/values/cdecl"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

var typeCommands = append(printfCommands, commands.Command{
	Name: "types", Args: "[regexp]",
	Summary: "list the types of the program",
	Detail: `Lists the types that debugging information names, with their sizes in bytes; with a regular expression, the types whose
names match it. The size of a type that is only declared is unknown. ::print NAME lists the members of one.`,
	Example:   "::types ^node",
	SeeAlso:   []string{"print", "sizeof", "nm"},
	EmptyText: "no type of the program has such a name",
	Run:       runTypes,
}, commands.Command{
	Name: "offsetof", Args: "type member",
	Summary: "show where a member of a type is",
	Detail: `Shows how many bytes from the start of a type of the program a member begins, and its size in
bytes, in the default radix. A path such as head.next or list[2] leads into members.`,
	Example: "::offsetof 'struct outer' in.weight",
	SeeAlso: []string{"sizeof", "print"},
	Words:   typeWords,
	Run:     runOffsetof,
})

// A typeRecord is a type of the program.
type typeRecord struct {
	_      out.Record `record:"type" cols:"bytes Name"`
	Size   *int64     `json:"size,omitempty"` // bytes; absent if it is not known
	Object string     `json:"object"`         // the module with the debugging information
	Name   string     `json:"name" col:"TYPE"`
	bytes  string     `col:"SIZE,10,right"`
}

// runTypes lists types by their names.
func runTypes(ctx context.Context, c *commands.Call) error {
	var match *regexp.Regexp
	if words := texts(c); len(words) > 0 {
		var err error
		if match, err = regexp.Compile(strings.Join(words, " ")); err != nil {
			return c.Usage("%v", err)
		}
	}
	found := false
	var failed error
	why := program.InModules(c.Session, "", func(m *core.Module, d *dwarf.Data) bool {
		var names []string
		d.TypeNames(func(name string) bool {
			if match == nil || match.MatchString(name) {
				names = append(names, name)
			}
			return ctx.Err() == nil
		})
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			r := &typeRecord{Name: name, Object: m.Name(), bytes: "-"}
			for _, t := range d.FindTypes(name) {
				if n, ok := t.Size(); ok && !t.Declared {
					r.Size, r.bytes = &n, strconv.FormatInt(n, 10)
				}
			}
			found = true
			if failed = cmp.Or(c.Emit(r), ctx.Err()); failed != nil {
				return true
			}
		}
		return false
	})
	if failed != nil || found {
		return failed
	}
	if why != nil {
		return core.Unknown(why)
	}
	return c.Empty("no type of the program has such a name")
}

// An offsetRecord is the place of a member.
type offsetRecord struct {
	_      out.Record `record:"offsetof" text:"{text}"`
	Name   string     `json:"name"` // of the type
	Member string     `json:"member"`
	Offset int64      `json:"offset" dot:"always"` // bytes
	Size   int64      `json:"size"`                // bytes; 0 if it is not known
	CType  string     `json:"ctype"`               // of the member
	text   string
}

func runOffsetof(_ context.Context, c *commands.Call) error {
	words := texts(c)
	if len(words) < 2 {
		return c.Usage("it takes a type and a member")
	}
	name, rest := cutType(words)
	if len(rest) != 1 {
		return c.Usage("it takes a type and a member")
	}
	t, f, err := program.TypeNamed(c.Session, name)
	if err != nil {
		return lang.Abort(err)
	}
	const base = 1 << 40 // so that an array's element before the first is not 0 or less
	v, err := memberPath(c.Session, f.At(t, base), rest[0])
	if err != nil {
		return lang.Abort(err)
	}
	a, ok := v.Addr()
	if !ok {
		return c.Unknown("where %s is depends on the object", rest[0])
	}
	r := &offsetRecord{Name: t.Name(), Member: rest[0], Offset: int64(a) - base, CType: v.Type.Name()}
	r.Size, _ = v.Type.Size()
	format := c.Session.Lang.Format
	r.text = fmt.Sprintf("offsetof (%s, %s) = %s, sizeof (%s) = %s", sym.Clean(r.Name), sym.Clean(r.Member),
		format(uint64(r.Offset)),
		sym.Clean(r.CType), format(uint64(r.Size)))
	if v.BitSize > 0 {
		r.text += fmt.Sprintf(", bits %d to %d", v.BitOff, v.BitOff+v.BitSize-1)
	}
	return c.Emit(r)
}

// A memberRecord is a member of a type with its offset.
type memberRecord struct {
	_      out.Record `record:"member"`
	Offset int64      `json:"offset" col:"OFFSET,6,right,%x"` // bytes from the start of the type
	Size   int64      `json:"size" col:"SIZE,6,right,%x"`     // bytes; 0 if it is not known
	// of a bit-field: first-last, counted from the least significant bit
	Bits  string `json:"bits,omitempty"`
	CType string `json:"ctype" col:"TYPE,-32"`
	Name  string `json:"name"` // "" of a base class
	label string `col:"MEMBER"`
}

// printLayout lists the members of a type.
func printLayout(c *commands.Call, t *dwarf.Type) error {
	t = t.Strip().Complete()
	if !t.Composite() {
		size, _ := t.Size()
		return c.Emit(&memberRecord{Size: size, CType: t.Name(), label: "-"})
	}
	if t.Declared {
		return c.Unknown("%w", t.Undefined())
	}
	list := slices.Clone(t.Members())
	for _, p := range t.VariantParts() {
		if p.Discr != nil {
			list = append(list, *p.Discr)
		}
		for _, v := range p.Variants {
			list = append(list, v.Members...)
		}
	}
	for _, m := range list {
		mt := m.Type()
		size, _ := mt.Size()
		r := &memberRecord{Offset: m.Off, Size: size, CType: mt.Name(), Name: m.Name, label: m.Name}
		if m.Inherited {
			r.label = "(base class)"
		}
		if m.BitSize > 0 {
			r.Bits = fmt.Sprintf("%d-%d", m.BitOff, m.BitOff+m.BitSize-1)
			r.label += " : " + fmt.Sprint(m.BitSize)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return c.Empty("%s has no members", t.Name())
	}
	return nil
}

// A whattypeRecord is the variable that has an address.
type whattypeRecord struct {
	_      out.Record `record:"whattype" text:"{addr} is {text}"`
	At     core.Addr  `json:"addr" dot:"always"`
	Name   string     `json:"name"`
	Offset uint64     `json:"offset"` // bytes into the variable
	CType  string     `json:"ctype"`
	text   string
}

func runWhattype(_ context.Context, c *commands.Call) error {
	v, _, off, err := program.VariableAt(c.Session, c.Dot)
	if err != nil {
		if errors.Is(err, core.ErrUnknown) {
			return err
		}
		return c.Empty("%v", err)
	}
	r := &whattypeRecord{At: c.Dot, Name: v.Name, Offset: off, CType: v.Type().Name()}
	r.text = sym.Clean(r.Name)
	if off != 0 {
		r.text += fmt.Sprintf("+%#x", off)
	}
	r.text += ", a " + sym.Clean(r.CType)
	return c.Emit(r)
}

var declareCommands = []commands.Command{{
	Name: "ptype", Args: "type | expression", Options: []commands.Option{
		{Letter: 'w', Help: "the name of the type alone"},
		{Letter: 'o', Help: "with the offset and the size of each member, and of members' members, in bytes"},
	},
	Summary: "show the declaration of a type",
	Detail: `Shows a type of the program, or the type of an expression, as its declaration: typedefs are
resolved, and a structure, a union or an enumeration is shown with its members. With -o it is the structure that a
pointer leads to, too; "3: 5" is bit 5 of byte 3. ::print -m lists the members as a table. Methods are not shown.`,
	Example: "::ptype global_table",
	SeeAlso: []string{"print", "types", "sizeof", "offsetof"},
	Words:   valueWords,
	Run:     runPtype,
}, vtableCommand}

// A declarationRecord is a type in the words of its language.
type declarationRecord struct {
	_     out.Record `record:"declaration"`
	Name  string     `json:"name"`           // as it was asked for
	CType string     `json:"ctype"`          // its name
	Decl  string     `json:"declaration"`    // in lines; with -w the name alone
	Size  *int64     `json:"size,omitempty"` // bytes; absent if it is not known
	laid  bool       // with offsets
}

// Text writes the declaration as gdb does.
func (r *declarationRecord) Text(w *out.Writer) {
	for i, line := range strings.Split(r.Decl, "\n") {
		if i == 0 && !r.laid {
			w.Printf("type = ")
		}
		w.Printf("%s\n", sym.Clean(line))
	}
}

func runPtype(ctx context.Context, c *commands.Call) error {
	text := strings.Join(texts(c), " ")
	if text == "" {
		return c.Usage("it takes a type or an expression")
	}
	t, named, err := typeMeant(ctx, c, text)
	if err != nil {
		if r, e := managedValue(ctx, c, text); e == nil && r != nil {
			return c.Emit(&declarationRecord{Name: text, CType: r.CType, Decl: r.CType})
		}
		return err
	}
	r := &declarationRecord{Name: text, CType: t.Name()}
	if n, ok := t.Size(); ok {
		r.Size = &n
	}
	switch {
	case c.Flag('o'):
		pointed := pointedStructure(t)
		if r.Decl, r.laid = cdecl.Layout(pointed); !r.laid && (pointed.Declared || len(pointed.VariantParts()) > 0) {
			return printLayout(c, pointed)
		} else if !r.laid {
			r.Decl = cdecl.Whole(t)
		}
	case !c.Flag('w'):
		r.Decl = cdecl.Whole(t)
	case named && t.Kind == dwarf.Typedef: // whatis goes one step
		r.Decl = t.Elem().Name()
	default:
		r.Decl = r.CType
	}
	r.Decl = strings.ReplaceAll(r.Decl, "{…}", "{...}")
	return c.Emit(r)
}

// typeMeant returns the type of the expression that a text is, or else the type that it names. named reports which it
// was.
func typeMeant(ctx context.Context, c *commands.Call, text string) (t *dwarf.Type, named bool, err error) {
	e, err := newEvaluator(ctx, c.Session)
	if err != nil {
		return nil, false, err
	}
	if inner, ok := strings.CutPrefix(text, "'"); ok && strings.HasSuffix(inner, "'") { // as gdb quotes names
		if t, err = e.typeNamed(strings.TrimSuffix(inner, "'")); err == nil {
			return t, true, nil
		}
	}
	v, wrong := typedValue(ctx, c, text)
	if wrong == nil {
		if f := v.Type.Strip(); f != nil && f.Kind == dwarf.Pointer && isCode(v.As(f.Elem())) && isFunction(c, text) {
			return f.Elem(), false, nil
		}
		return measured(v), false, nil
	}
	if t, err = e.typeNamed(text); err == nil {
		return t, true, nil
	}
	if word, _, _ := strings.Cut(text, " "); word == "struct" || word == "union" || word == "enum" || word == "class" {
		return nil, false, lang.Abort(err)
	}
	return nil, false, wrong
}

// isFunction reports whether a text is the name of a function, whose value is its address elsewhere.
func isFunction(c *commands.Call, text string) bool {
	x, ok := c.Session.Symbols.Find("", text)
	return ok && x.Kind == core.SymFunc
}

// printMembers lists the members of the type with a name, or of a value's type, or of the type that it points to.
func printMembers(ctx context.Context, c *commands.Call, text string) error {
	t, _, err := program.TypeNamed(c.Session, text)
	if v, e := typedValue(ctx, c, text); e == nil && (err != nil || !strings.Contains(text, " ")) {
		t, err = v.Type, nil
	}
	if err != nil {
		return lang.Abort(err)
	}
	return printLayout(c, pointedStructure(t))
}

// pointedStructure returns the structure that a pointer or a reference leads to; another type as it is.
func pointedStructure(t *dwarf.Type) *dwarf.Type {
	switch s := t.Strip(); {
	case s == nil:
	case s.Kind == dwarf.Pointer, s.Kind == dwarf.Reference, s.Kind == dwarf.RvalueReference:
		if s.Elem().Composite() {
			return s.Elem()
		}
	}
	return t
}
