package js

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
)

var v8classesCommand = commands.Command{
	Name: "v8classes", Module: target.Module, Addr: commands.AddrNone,
	Options: []commands.Option{{Letter: 'v', Help: "list the fields too, with the source of each offset"}},
	Args:    "[class ...]",
	Summary: "list the classes of V8 that are known",
	Detail: `With -v each field has its offset from the untagged object in bytes and its
supplier: hand, symbol, probe, table or row (see ::v8version).`,
	Example: "::v8classes -v JSFunction",
	SeeAlso: []string{"v8types", "v8print", "v8field", "v8version"},
	Run:     runClasses,
}

// classRecord is a class of V8.
type classRecord struct {
	_       out.Record   `record:"v8class"`
	Name    string       `json:"name"`
	Parent  string       `json:"parent,omitempty"`
	Fields  []classField `json:"fields"`
	verbose bool
}

type classField struct {
	Name     string `json:"name"`
	Type     string `json:"type,omitempty"`
	Offset   int    `json:"offset"`
	Supplier string `json:"supplier"`
}

func runClasses(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, a := range c.Args {
		wanted[c.Text(a)] = true
	}
	for _, k := range v.Objects.Classes() {
		if len(wanted) > 0 && !wanted[k.Name] {
			continue
		}
		delete(wanted, k.Name)
		r := &classRecord{Name: k.Name, Parent: k.Parent, Fields: []classField{}, verbose: c.Flag('v')}
		for _, f := range k.Fields {
			r.Fields = append(r.Fields, classField{f.Name, f.Type, f.Offset, string(f.Supplier)})
		}
		if err := c.Emit(r); err != nil {
			return err
		}
		if len(c.Args) > 0 && len(wanted) == 0 {
			return nil
		}
	}
	for _, a := range c.Args {
		if name := c.Text(a); wanted[name] {
			return fmt.Errorf("no class of V8 is called %q", name)
		}
	}
	return nil
}

// Text writes the class, with -v with its fields.
func (r *classRecord) Text(w *out.Writer) {
	w.Printf("%s", r.Name)
	if r.Parent != "" {
		w.Printf(" : %s", r.Parent)
	}
	w.Printf("\n")
	if !r.verbose {
		return
	}
	for _, f := range r.Fields {
		typ := f.Type
		if typ == "" {
			typ = "Object"
		}
		w.Printf("    %4d  %-36s %-8s %s\n", f.Offset, f.Name, f.Supplier, typ)
	}
}

var v8typesCommand = commands.Command{
	Name: "v8types", Module: target.Module, Addr: commands.AddrNone,
	Summary: "list the instance types of V8 that have names",
	Example: "::v8types",
	Detail: `Lists the number, the name and the class of each instance type. The names are from the
binary's v8dbg_ constants; of types that these leave out from V8's own code, which is
followed, from the list of the version, or from the roots of an isolate.`,
	SeeAlso: []string{"v8type", "v8classes"},
	Run:     runTypes,
}

// listedType is a row of a numbered list of names.
type listedType struct {
	Type   string `json:"type" record:"v8instancetype,v8frametype"`
	Number int    `json:"number" col:",5,right"`
	Name   string `json:"name" col:",48,gap=2"`
	Class  string `json:"class,omitempty" col:""`
}

func runTypes(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	for _, t := range v.InstanceTypes() {
		if err := c.Emit(&listedType{Type: "v8instancetype", Number: t.Number, Name: t.Name,
			Class: t.Class}); err != nil {
			return err
		}
	}
	return nil
}

var v8frametypesCommand = commands.Command{
	Name: "v8frametypes", Module: target.Module, Addr: commands.AddrNone,
	Summary: "list the kinds of stack frames that V8 marks",
	Detail:  `Lists the markers of frames that are not a function's, with their names.`,
	Example: "::v8frametypes",
	SeeAlso: []string{"jsframe", "jsstack"},
	Run: func(_ context.Context, c *commands.Call) error {
		v, err := target.V8(c)
		if err != nil {
			return err
		}
		for _, t := range v.Objects.FrameTypes() {
			if err := c.Emit(&listedType{Type: "v8frametype", Number: t.Marker, Name: t.Name}); err != nil {
				return err
			}
		}
		return nil
	},
}

var v8fieldCommand = commands.Command{
	Name: "v8field", Module: target.Module, Silent: true, Addr: commands.AddrNone,
	Args:    "class field offset",
	Summary: "set the offset of a field of a class of V8 by hand",
	Detail: `For a V8 that no table knows: what is decoded afterwards uses the given offset, in
bytes from the untagged object. The offset is decimal.`,
	Example: "::v8field JSFunction shared 24",
	SeeAlso: []string{"v8classes", "v8print"},
	Run:     runField,
}

func runField(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	if len(c.Args) != 3 {
		return c.Usage("a class, a field and an offset are needed")
	}
	off, err := c.Decimal(c.Args[2])
	if err != nil {
		return err
	}
	return v.Objects.SetField(c.Text(c.Args[0]), c.Text(c.Args[1]), off)
}

var v8internalCommand = commands.Command{
	Name: "v8internal", Module: target.Module, Addr: commands.AddrRequired,
	Args:    "[index]",
	Summary: "show the internal fields that the embedder keeps in an object",
	Detail: `Node keeps the C++ object behind a handle in an internal field of its JavaScript
object. Lists the fields, or shows the one with the given index; a pipe gets their
words.`,
	Example: "::findjsobjects -c ModuleWrap | ::v8internal 1",
	SeeAlso: []string{"jsprint", "v8print"},
	Run:     runInternal,
}

// internalRecord is one internal field.
type internalRecord struct {
	_     out.Record `record:"v8internal" text:"{index}: {value}"`
	Index int        `json:"index"`
	Word  core.Addr  `json:"value" dot:"always"`
}

func runInternal(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	fields, err := v.Objects.InternalFields(target.Tagged(v, c.Dot))
	if err != nil && len(fields) == 0 {
		return err
	}
	if len(c.Args) > 0 {
		i, err := c.Decimal(c.Args[0])
		if err != nil {
			return err
		}
		if i >= len(fields) {
			return fmt.Errorf("the object has %d internal fields", len(fields))
		}
		return c.Emit(&internalRecord{Index: i, Word: core.Addr(fields[i])})
	}
	for i, w := range fields {
		if err := c.Emit(&internalRecord{Index: i, Word: core.Addr(w)}); err != nil {
			return err
		}
	}
	return err
}

var v8warningsCommand = commands.Command{
	Name: "v8warnings", Module: target.Module, Addr: commands.AddrNone,
	Summary: "list what limits the trust in what is decoded of V8",
	Detail: `Lists warnings about the version, about facts that are missing, and about numbers
that two suppliers have with different values (see ::v8version).`,
	EmptyText: "nothing speaks against how V8 was decoded",
	Example:   "::v8warnings",
	SeeAlso:   []string{"v8version", "v8classes"},
	Run: func(_ context.Context, c *commands.Call) error {
		v, err := target.V8(c)
		if err != nil {
			return err
		}
		for _, w := range v.Warnings() {
			if err := c.Emit(&warningRecord{Place: w.Place, Says: w.Text}); err != nil {
				return err
			}
		}
		return emitConflicts(c, v.Layout)
	},
}

// warningRecord is a warning.
type warningRecord struct {
	_     out.Record `record:"warning" text:"{place}: {text}"`
	Place string     `json:"place"` // the part of the debugger that warns
	Says  string     `json:"text"`
}
