package values

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/commands/values/program"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// printOptions are viewOptions and the options that only ::print has.
var printOptions = append(slices.Clone(viewOptions),
	commands.Option{Letter: 'f', Arg: "letter", Help: "show a number as gdb's letter says: x d u o t c a f z s"},
	commands.Option{Letter: 'm', Help: "list the members of the value's type, or of the type that it points to"},
	commands.Option{Letter: 'p', Arg: "format", Help: "write the values with a format of C's printf"})

var printCommands = []commands.Command{
	{
		Name: "print", Often: "xdmf", Addr: commands.AddrOptional, Options: printOptions, Args: "[type] [member ...]",
		Summary: "show a value with its members",
		Detail: `Shows the memory at the address as a type of the program, or members of it; without a
type, the variable that is there. Without an address each argument is a variable of the current
frame or of the program: NAME, NAME.MEMBER, NAME->MEMBER, NAME[3], MAP[3], 'MAP["key"]', *NAME. In a path "." follows
pointers, too, and smart pointers, optional values, interfaces of Go and the like lead to their value. Other arguments are
expressions of C: 'n * 2 + 1', '*(struct node *)p', '&table[3]', 'sizeof *p', 'argv[0]@argc', '$sp + 8'. Their numbers
are decimal; $ is the value that was last printed by its name, $1 the first one. A function is its
address; a symbol without debugging information is a signed number of its size, or its first bytes
(-l), and the line says that its type is not known. A thread-local variable, errno too, is the
current thread's. Without an address and
with the name of a type its members are listed with their offsets in bytes.

Strings, vectors, maps and other containers of the libraries of C++, Rust and Go (also the program's own,
with -recipes FILE: docs/recipes.md) are shown as
what they hold; so are smart pointers, optional values, functions and other values whose own type does not say what is in them, and maps, channels and
interfaces of Go. The target of a reference, a smart pointer or *NAME is shown as its own class, whatever the pointer's type says, in C++ by the
table of its virtual functions, in Rust by the table of its trait, in D and Ada by its class or tag, in Fortran
by the table of a CLASS variable. A function of Go is
shown by its name, a time.Time in UTC, a time.Duration with its unit. An enumeration is shown by name; so is an integer
of Go with a type of its own where just one constant of that type has its value, or constants of one bit each make it up.
An unreadable value says why between < and >; "optimised out" is a value that the compiler keeps nowhere
at that place. References are shown as what they refer to.

A pipeline gets the address of the value shown, or the target of a pointer.`,
		Example: "::print -x global_table",
		SeeAlso: []string{"locals", "frame", "list", "sizeof", "offsetof", "printf"},
		Words:   valueWords,
		Run:     runPrint,
	},
	{
		Name: "whattype", Addr: commands.AddrRequired,
		Summary: "show which variable has an address, and its type",
		Detail: `Shows the variable of the program that has the byte at the address, how far into it the byte is,
and the variable's type, as debugging information has them.`,
		Example: "global_table::whattype",
		SeeAlso: []string{"print", "whatis"},
		Run:     runWhattype,
	},
	{
		Name: "list", Addr: commands.AddrRequired, Args: "type member [variable]",
		Summary: "enumerate the elements of a linked list",
		Detail: `Shows the address of each element of a list, beginning with the one at the address, or runs the
rest of the pipeline there. The member of the type is the one that leads to the next element; a path
such as link.next may lead there. The list ends at NULL, at its first element, or with an error
where it leads to an element that is not the first for the second time. A variable, if one is named,
holds the address while the rest of the pipeline runs.`,
		Example: "::frame 6; ::print n.next | ::list 'struct node' next | ::print 'struct node' name",
		SeeAlso: []string{"print", "array", "walk"},
		Words:   typeWords,
		Run:     runList,
	},
}

// A valueRecord is a value as ::print shows it.
type valueRecord struct {
	_     out.Record `record:"value"`
	Name  string     `json:"name,omitempty"`  // as it was asked for
	At    core.Addr  `json:"addr,omitzero"`   // absent if it is not in memory
	CType string     `json:"ctype,omitempty"` // absent if the language has no such type for variables
	// plain JSON: numbers of up to 53 bits, larger ones as text, texts, arrays, objects by member;
	// {"error":WHY} for an unknown part
	Value *view.Node `json:"value"`
	// LeftOut counts the elements, members and characters that are not in value, see -l and -d;
	// -1 if how many that are is not known.
	LeftOut int64 `json:"left_out,omitempty"`
	// Constant is the name of the value. An integer of Go with a type of its own has the only constant of that
	// type with the value, or constants of one bit each; errno has the name of the error.
	Constant  string            `json:"constant,omitempty"`
	Constants map[string]string `json:"constants,omitempty"` // such names of the values inside, by their paths
	// Untyped is why the value's type is not known. The value is then an integer of the symbol's size, or its
	// first bytes.
	Untyped string `json:"untyped,omitempty"`
	size    uint64 // of an untyped symbol
	form    view.Form
	dot     core.Addr
	isDot   bool
}

// Addr returns where the value is, or where it leads to.
func (r *valueRecord) Addr() (core.Addr, bool) { return r.dot, r.isDot }

// Text writes the value.
func (r *valueRecord) Text(w *out.Writer) {
	head := ""
	if r.form.Addrs && r.At != 0 {
		head = fmt.Sprintf("%x ", uint64(r.At))
	}
	if r.form.Types {
		head += sym.Clean(r.CType) + " "
	}
	if r.Name != "" {
		head += sym.Clean(r.Name) + " = "
	}
	w.Printf("%s%s", head, r.form.Text(r.Value, 0))
	if r.Untyped != "" {
		w.Printf("  (%s, type not known)", out.Count(r.size, "byte"))
	}
	w.Printf("\n")
}

// emitValue emits a value under a name.
func emitValue(c *commands.Call, w *view.Viewer, form view.Form, name string, v dwarf.Value) error {
	if isVoid(v) {
		return c.Emit(&valueRecord{Name: name, CType: "void", Value: &view.Node{Text: "void"}, form: form})
	}
	r := &valueRecord{Name: name, CType: v.Type.Name(), Value: w.View("", v, 0), form: form}
	switch {
	case form.Letter != 0:
		w.Reform(r.Value, v, form.Letter)
	case w.Leaf.Hex && (r.Value.Kind == view.Text || r.Value.Kind == view.Scalar && (view.IsFloat(v.Type) ||
		strings.HasPrefix(r.Value.Text, "'"))):
		w.Reform(r.Value, v, 'x')
	}
	view.NameErrno(c.Session, name, r.Value, v)
	if form.Letter == 0 && !w.Leaf.Hex {
		view.NameFlags(c.Session, name, r.Value, v)
	}
	r.Constant, r.Constants = r.Value.Constant, view.ConstantsIn(r.Value)
	r.At, r.isDot = v.Addr()
	r.dot = r.At
	if t := v.Type.Strip(); t != nil {
		switch t.Kind {
		case dwarf.Pointer:
			if a, err := v.Pointer(); err == nil {
				r.dot, r.isDot = a, true
			}
		case dwarf.Base, dwarf.Enum:
			if u, err := v.Uint(); err == nil {
				r.dot, r.isDot = core.Addr(u), true
			}
		}
	}
	return finish(c, w, r)
}

// finish emits a record whose value a viewer has made.
func finish(c *commands.Call, w *view.Viewer, r *valueRecord) error {
	r.LeftOut = r.Value.LeftOut()
	c.Session.Partial = c.Session.Partial || w.Leaf.Lost
	return c.Emit(r)
}

func runPrint(ctx context.Context, c *commands.Call) error {
	w, form, err := viewOf(c)
	if err != nil {
		return err
	}
	if a, ok := c.Opt('f'); ok {
		letter := c.Text(a)
		if len(letter) != 1 || !strings.Contains("xduotcafzs", letter) {
			return c.Usage("%q is not a letter of a format", letter)
		}
		form.Letter = letter[0]
	}
	words := texts(c)
	switch {
	case c.Flag('p'):
		return printFormatted(ctx, c, c.Str('p'), words)
	case !c.HasAddr && len(words) == 0:
		return c.Usage("it takes the name of a variable, or an address with a type")
	case !c.HasAddr:
		return printNames(ctx, c, w, form, words)
	}
	v, members, err := valueAt(c, words)
	if err != nil {
		return err
	}
	if len(members) == 0 {
		return emitValue(c, w, form, "", v)
	}
	for _, m := range members {
		x, err := memberPath(w.Leaf.Session, v, m)
		if err != nil {
			return lang.Abort(err)
		}
		if err := emitValue(c, w, form, m, x); err != nil {
			return err
		}
	}
	return nil
}

// printNames shows variables by name, or the members of the type that all words name.
func printNames(ctx context.Context, c *commands.Call, w *view.Viewer, form view.Form, words []string) error {
	if slices.ContainsFunc(words, isOperator) {
		words = []string{strings.Join(words, " ")}
	}
	for i, path := range words {
		if r, err := managedValue(ctx, c, path); err != nil {
			return err
		} else if r != nil {
			if err := c.Emit(r); err != nil {
				return err
			}
			continue
		}
		if c.Flag('m') {
			return printMembers(ctx, c, strings.Join(words, " "))
		}
		if r, v, err := untypedValue(ctx, c, w, path); err != nil {
			return err
		} else if r != nil {
			if r.form = form; form.Letter != 0 {
				w.Reform(r.Value, v, form.Letter)
			}
			if err := finish(c, w, r); err != nil {
				return err
			}
			program.Remember(c, v)
			continue
		}
		v, err := typedValue(ctx, c, path)
		if err == nil {
			if whole, ok := view.Dynamic(c.Session, v); ok {
				v = whole
			}
		}
		if err != nil && i == 0 {
			if t, _, e := program.TypeNamed(c.Session, strings.Join(words, " ")); e == nil {
				if t.Lang().C() && len(words) == 1 && t.Kind != dwarf.Typedef { // its name needs a keyword
					c.Warn("%w: it is a type", err)
				}
				return printLayout(c, t)
			}
		}
		if err != nil {
			return err
		}
		if err := emitValue(c, w, form, assigned(path), v); err != nil {
			return err
		}
		program.Remember(c, v)
	}
	return nil
}

// untypedValue returns the record and the value of a data symbol that debugging information does not describe.
// The record is nil for other names, and for errno, whose type the standard of C says.
func untypedValue(ctx context.Context, c *commands.Call, w *view.Viewer, name string) (*valueRecord,
	dwarf.Value, error) {
	s := c.Session
	base, steps, err := view.ParsePath(name[strings.LastIndexByte(name, '`')+1:])
	if err != nil || base == "" || base == "errno" || base[0] == '$' || s.Process.Arch == nil || s.Symbols == nil {
		return nil, dwarf.Value{}, nil
	}
	name = name[:strings.LastIndexByte(name, '`')+1] + base
	_, why := named(ctx, s, name)
	if why == nil {
		return nil, dwarf.Value{}, nil
	}
	x, ok := program.Untyped(s, name, why)
	if !ok || x.Kind == core.SymFunc {
		return nil, dwarf.Value{}, nil
	}
	e, err := newEvaluator(ctx, s)
	if err != nil {
		return nil, dwarf.Value{}, err
	}
	v, err := e.symbol(x)
	if err != nil {
		return nil, dwarf.Value{}, err
	}
	r := &valueRecord{Name: name, Untyped: unsaid(x), size: x.Size}
	r.At, r.isDot = v.Addr()
	r.dot = r.At
	if integers[x.Size] == "" {
		r.Value = w.FirstBytes(r.At, x.Size)
	} else if r.Value = w.Leaf.Number(&view.Node{Addr: r.At}, v, true); r.Value.Kind == view.Scalar {
		u, _ := v.Uint()
		if r.dot = core.Addr(u); !w.Leaf.Hex {
			r.Value.Note = "0x" + strconv.FormatUint(u, 16)
		}
	}
	if len(steps) > 0 {
		c.Warn("%w", c.Unknown("the type of %s is not known, nor are its parts: a cast says it, as in ((T *)%s)->member", name, name))
	}
	return r, v, nil
}

// unsaid is why the type of a symbol is not known.
func unsaid(x sym.Symbol) string {
	if x.Module == nil {
		return "no debugging information describes the symbol"
	}
	return "no debugging information of " + x.Module.Name() + " describes the symbol"
}

// managedValue returns the variable that a path names of the current frame, if that is one of
// managed code; else nil.
func managedValue(ctx context.Context, c *commands.Call, path string) (*valueRecord, error) {
	name, steps, err := view.ParsePath(path)
	if err != nil || c.Session.Thread == nil {
		return nil, nil
	}
	a, err := current(ctx, c.Session, c.Session.Thread)
	if err != nil || a.scope() != nil || a.variables == nil {
		return nil, nil
	}
	list, _ := a.variables()
	for i := range list {
		if v := &list[i]; v.Name == name && len(steps) > 0 {
			return nil, c.Usage("%s is a value of a runtime, whose own commands (::jsprint, ::javaprint) show what it has", name)
		} else if v.Name == name {
			r := newManaged(c.Session.Thread, a, v)
			return &valueRecord{Name: name, CType: v.Type, Value: r.Value}, nil
		}
	}
	return nil, nil
}
