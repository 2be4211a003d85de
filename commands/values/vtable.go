package values

import (
	"context"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
	"coredbg/crash/where"
)

var vtableCommand = commands.Command{
	Name: "vtable", Args: "expression",
	Summary: "show the virtual functions of an object of C++",
	Detail: `Shows the tables of virtual functions that an object refers to, or the object that a pointer leads to: the one of its own
class, whatever the expression's type says, then those of its bases that have their own. Each function has its number in the
table.`,
	Example:   "::vtable global_table",
	SeeAlso:   []string{"print", "ptype", "whatis"},
	Words:     valueWords,
	EmptyText: noVirtual,
	Run:       runVtable,
}

const noVirtual = "no class of the object has virtual functions"

// A vtableRecord is a function of a table of virtual functions.
type vtableRecord struct {
	_        out.Record `record:"vtable"`
	Class    string     `json:"class"`  // the object's own, or the base whose table it is
	Table    core.Addr  `json:"table"`  // where its first function stands
	Object   core.Addr  `json:"object"` // the part of the object that refers to it
	Index    int        `json:"index"`  // of the function
	Function core.Addr  `json:"function" dot:"always"`
	Name     string     `json:"name,omitempty"`
	later    bool       // not the first table
}

// Text writes the function as gdb does, and before the first one of a table its class.
func (r *vtableRecord) Text(w *out.Writer) {
	if r.Index == 0 {
		if r.later {
			w.Printf("\n")
		}
		w.Printf("vtable for '%s' @ 0x%x (subobject @ 0x%x):\n", sym.Clean(r.Class), uint64(r.Table), uint64(r.Object))
	}
	w.Printf("[%d]: 0x%x", r.Index, uint64(r.Function))
	if r.Name != "" {
		w.Printf(" <%s>", sym.Clean(r.Name))
	}
	w.Printf("\n")
}

func runVtable(ctx context.Context, c *commands.Call) error {
	text := strings.Join(texts(c), " ")
	if text == "" {
		return c.Usage("it takes an expression")
	}
	v, err := typedValue(ctx, c, text)
	if err != nil {
		return err
	}
	if t := v.Type.Strip(); t != nil {
		switch t.Kind {
		case dwarf.Pointer, dwarf.Reference, dwarf.RvalueReference:
			if v, err = v.Deref(); err != nil {
				return err
			}
		}
	}
	list, unread := view.VirtualTables(c.Session, v)
	for i, table := range list {
		for k, code := range table.Functions {
			r := &vtableRecord{Class: table.Class, Table: table.At, Object: table.Object, Index: k, Function: code,
				later: i > 0}
			if y, _, ok := c.Session.Symbols.Lookup(code); ok {
				r.Name = sym.Demangle(y.Name, false)
			} else {
				r.Name = where.Symbolic(c.Session.Process, c.Session.Symbols, code)
			}
			if err := c.Emit(r); err != nil {
				return err
			}
		}
	}
	switch {
	case unread != nil && len(list) == 0:
		return core.Unknown(unread)
	case unread != nil:
		c.Warn("%w", core.Unknown(unread))
	case len(list) == 0:
		return c.Empty(noVirtual)
	}
	return nil
}
