package values

import (
	"errors"
	"fmt"
	"slices"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// A scopeRecord is a variable of a function that runs on no stack.
type scopeRecord struct {
	_        out.Record `record:"scope"`
	Function string     `json:"function"`
	At       core.Addr  `json:"pc" dot:"always"` // the function's
	Name     string     `json:"name"`
	Kind     string     `json:"kind"` // local, argument
	CType    string     `json:"ctype,omitempty"`
	Size     *int64     `json:"size,omitempty"` // bytes; absent if it is not known
	Line     int        `json:"line,omitempty"` // of the declaration
	decl     string
	value    string // of a static variable
	head     bool
}

// Text writes the variable's declaration, below the function's line if it is its first.
func (r *scopeRecord) Text(w *out.Writer) {
	if r.head {
		w.Printf("%s runs on no stack\n", sym.Clean(r.Function))
	}
	w.Printf("    %s", sym.Clean(r.decl))
	if r.value != "" {
		w.Printf(" = %s", r.value)
	}
	w.Printf("  (%s", r.Kind)
	if r.Size != nil {
		w.Printf(", %s", out.Count(uint64(*r.Size), "byte"))
	}
	if r.Line > 0 {
		w.Printf(", line %d", r.Line)
	}
	w.Printf(")\n")
}

// functionAsked returns the function that -f names; "" if it names none.
func functionAsked(c *commands.Call) string {
	if name := c.Str('f'); name != "" && (name[0] < '0' || name[0] > '9') {
		return name
	}
	return ""
}

// declaredVariables lists the variables of a function that runs on no stack, or its arguments alone. Without such a
// function it returns the error of the search for its frame.
func declaredVariables(c *commands.Call, name string, all bool, noFrame error) error {
	fn, err := functionScope(c.Session, name)
	switch {
	case errors.Is(err, errNoScope):
		return noFrame
	case err != nil:
		return err
	}
	vars := slices.DeleteFunc(slices.Clone(fn.Vars), func(v *dwarf.Variable) bool {
		return v.Name == "" || v.Made() || slices.Contains(functionNames, v.Name) ||
			!all && v.Kind != dwarf.Argument
	})
	if len(vars) == 0 {
		return c.Empty("%s has no variables", sym.Demangle(fn.Name, false))
	}
	for i, v := range vars {
		t := v.Type()
		r := &scopeRecord{Function: sym.Demangle(fn.Name, false), At: fn.at, Name: v.Name, Kind: v.Kind.String(),
			CType: t.Name(), Line: v.Line, decl: declared(t, v.Name), head: i == 0}
		if n, ok := t.Size(); ok {
			r.Size = &n
		}
		if x := v.Value(fn.frame); v.Kind == dwarf.Local {
			if _, inMemory := x.Addr(); inMemory { // a static one
				r.value = view.Form{}.Text(view.New(c.Session).View("", x, 0), 4)
			}
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// declared returns the declaration of a variable in its language.
func declared(t *dwarf.Type, name string) string {
	switch {
	case t == nil:
		return name
	case t.Lang() == dwarf.LangGo:
		return name + " " + t.Name()
	case t.Lang() == dwarf.LangRust:
		return fmt.Sprintf("%s: %s", name, t.Name())
	}
	return t.Declare(name)
}
