package java

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/dex"
	"coredbg/runtimes/art/inspect"
	"coredbg/runtimes/art/object"
)

var classCommands = []commands.Command{{
	Name: "javaclass", Module: module, Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'm', Help: "show its methods"},
		{Letter: 'i', Help: "show the interfaces that it implements"},
		{Letter: 'f', Help: "show the fields of its objects"},
		{Letter: 's', Help: "show its static fields with their values"},
		{Letter: 'x', Help: "write integers in hexadecimal"},
		{Letter: 'e', Arg: "pattern", Help: "list classes whose names the regular expression matches"},
	},
	Args:    "[name]",
	Words:   classWords,
	Summary: "show a class of Java, or list classes",
	Detail: `Shows the class at the address, that of the object at the address, or those of the
name, which may lack its package. Without any of these all classes are listed, with
those that were not initialized or whose initialization failed.`,
	Example: "::javaclass -ms demo.Demo",
	SeeAlso: []string{"artfield", "javaprint", "javasearch"},
	Run:     runClass,
}, {
	Name: "artfield", Module: module, Addr: commands.AddrRequired,
	Summary: "show an ArtField",
	Detail: `Shows the class, the type and the offset of the field at the address. ::javaclass -f
gives the addresses of a class's fields.`,
	Example: "::javaclass -f demo.Worker",
	SeeAlso: []string{"javaclass"},
	Run:     runField,
}}

// classRecord is a class, with what was asked for.
type classRecord struct {
	_          out.Record                 `record:"javaclass" cols:"Addr Status Kind Name"`
	Addr       core.Addr                  `json:"addr" col:",%#x" ink:"addr" dot:"always"`
	Name       string                     `json:"name" col:"" ink:"symbol"`
	Kind       string                     `json:"kind" col:""` // class, interface, enum, array, primitive
	Super      string                     `json:"super,omitempty"`
	Loader     core.Addr                  `json:"loader,omitzero"`
	Status     string                     `json:"status" col:",20"`
	Access     uint32                     `json:"access"`
	ObjectSize uint64                     `json:"object_size,omitempty"`
	ClassSize  uint64                     `json:"class_size"`
	Interfaces []string                   `json:"interfaces,omitempty"`
	Fields     []field                    `json:"fields,omitempty"`
	Statics    map[string]json.RawMessage `json:"statics,omitempty"` // values by name
	Methods    []method                   `json:"methods,omitempty"`
	Problem    string                     `json:"problem,omitempty"`
	class      *object.Class
	loader     string
	listed     bool // one of many: a line
	ifaces     []*object.Class
	statics    []inspect.Member
	form       inspect.FormatOptions
}

// A field is a field of a class.
type field struct {
	Name   string    `json:"name"`
	Java   string    `json:"java_type,omitempty"`
	Addr   core.Addr `json:"addr" ink:"addr" dot:"always"` // the ArtField
	Offset uint32    `json:"offset"`
	Access uint32    `json:"access"`
	text   string    // its declaration
}

func newField(f *object.Field) field {
	return field{f.Label(), dex.TypeName(f.Type), f.Addr, f.Offset, f.Access, fieldText(f)}
}

// A method is a method of a class.
type method struct {
	Name      string    `json:"name"`
	Signature string    `json:"signature,omitempty"`
	Addr      core.Addr `json:"addr"`
	Access    uint32    `json:"access"`
	Problem   string    `json:"problem,omitempty"`
}

func newClass(k *object.Class) *classRecord {
	return &classRecord{Addr: k.Addr, Name: k.Name, Kind: kind(k), Loader: k.Loader, Status: k.Status, Access: k.Access,
		ObjectSize: k.ObjectSize, ClassSize: k.ClassSize, Problem: k.Problem, class: k}
}

func runClass(ctx context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	classes, listed, err := classesOf(ctx, c, a)
	if err != nil {
		return err
	}
	for _, k := range classes {
		r := newClass(k)
		r.listed, r.form = listed, inspect.FormatOptions{OneLine: true, Hex: c.Has('x')}
		if err := r.fill(c, a); err != nil {
			c.Warn("%s: %w", k.Name, err)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// classesOf returns the classes that a call means, and whether they are a list.
func classesOf(ctx context.Context, c *commands.Call, a *art.ART) ([]*object.Class, bool, error) {
	if c.Given {
		k, err := a.Class(c.Dot)
		if err != nil {
			if k = a.ClassOf(c.Dot); k == nil {
				return nil, false, fmt.Errorf("%v is neither a class nor an object", c.Dot)
			}
		}
		return []*object.Class{k}, false, nil
	}
	if pattern := c.Str('e'); pattern != "" {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, false, c.Usage("%v", err)
		}
		list, err := a.ClassesMatching(ctx, re)
		return list, true, err
	}
	if len(c.Args) > 0 {
		list, err := a.ClassesNamed(ctx, c.Text(c.Args[0]))
		return list, false, err
	}
	list, err := a.Classes(ctx)
	return list, true, err
}

// fill reads what the options ask for.
func (r *classRecord) fill(c *commands.Call, a *art.ART) error {
	k := r.class
	if s, err := a.Class(k.Super); err == nil {
		r.Super = s.Name
	}
	if l := a.ClassOf(k.Loader); l != nil {
		r.loader = l.Name
	}
	if r.listed {
		return nil
	}
	if c.Has('i') {
		r.ifaces = a.Interfaces(k)
		for _, i := range r.ifaces {
			r.Interfaces = append(r.Interfaces, i.Name)
		}
	}
	for _, f := range a.Fields(k) {
		if !f.Static() && c.Has('f') {
			r.Fields = append(r.Fields, newField(&f))
		}
	}
	if c.Has('s') {
		r.statics, r.Statics = a.Statics(k, inspect.Options{Depth: 0, MaxItems: 10, MaxString: 200, MaxValues: 1000}), map[string]json.RawMessage{}
		for _, m := range r.statics {
			r.Statics[m.Name] = m.Value.AppendJSON(nil)
		}
	}
	if !c.Has('m') {
		return nil
	}
	addrs, err := a.Methods(k)
	for _, at := range addrs {
		m := a.Method(at)
		r.Methods = append(r.Methods, method{m.Name, m.Signature, at, m.Access, m.Problem})
	}
	return err
}

// kind is the word before a class's name.
func kind(k *object.Class) string {
	switch {
	case k.Primitive != object.NotPrimitive:
		return "primitive"
	case k.IsArray():
		return "array"
	case k.IsInterface():
		return "interface"
	case k.IsEnum():
		return "enum"
	}
	return "class"
}

// Text writes the class: a line in a list, else with its members.
func (r *classRecord) Text(w *out.Writer) {
	if r.listed {
		w.Record(r)
		return
	}
	w.Paint(out.Addr, "%v", r.Addr)
	w.Printf(": %s", r.Kind)
	w.Paint(out.Symbol, " %s", r.Name)
	if r.Super != "" {
		w.Printf(" extends %s", r.Super)
	}
	w.Printf("\n    status %s, access %#x", r.Status, r.Access)
	switch {
	case r.class.IsArray():
		w.Printf(", elements of %s", out.Count(r.class.ElementSize, "byte"))
	case r.ObjectSize > 0:
		w.Printf(", objects of %d bytes", r.ObjectSize)
	}
	w.Printf(", class of %d bytes\n", r.ClassSize)
	if r.Loader != 0 {
		w.Printf("    loader %v %s\n", r.Loader, r.loader)
	}
	if r.Problem != "" {
		w.Paint(out.Error, "    %s", r.Problem)
		w.Printf("\n")
	}
	for _, i := range r.ifaces {
		w.Printf("    implements %v %s\n", i.Addr, i.Name)
	}
	for _, f := range r.Fields {
		w.Printf("    %v +%-4d %s\n", f.Addr, f.Offset, f.text)
	}
	for _, m := range r.statics {
		w.Printf("    static %s = %s\n", m.Name, m.Value.Format(r.form))
	}
	for _, m := range r.Methods {
		words := code.Modifiers(m.Access, true)
		if words != "" {
			words += " "
		}
		w.Printf("    %v %s%s%s\n", m.Addr, words, m.Name, m.Signature)
	}
}

// fieldText is a field's declaration.
func fieldText(f *object.Field) string {
	s := code.Modifiers(f.Access, false)
	if s != "" {
		s += " "
	}
	if f.Type == "" {
		return s + f.Label() + " (type unknown: " + f.Problem + ")"
	}
	return s + dex.TypeName(f.Type) + " " + f.Label()
}

// fieldRecord is an ArtField.
type fieldRecord struct {
	_     out.Record `record:"artfield" text:"{addr:%#x}: {class}.{name}\n    {text}\n    class {of:%#x}, offset {offset}, index {index}"`
	Class string     `json:"class"`
	field
	Index   uint32 `json:"index"`
	Static  bool   `json:"static,omitempty"`
	Problem string `json:"problem,omitempty"`
	of      core.Addr
}

func runField(_ context.Context, c *commands.Call) error {
	a, err := artOf(c)
	if err != nil {
		return err
	}
	f, err := a.Field(c.Dot)
	if err != nil {
		return err
	}
	k, err := a.Class(f.Class)
	if err != nil {
		return err
	}
	return c.Emit(&fieldRecord{Class: k.Name, field: newField(&f), Index: f.Index, Static: f.Static(), Problem: f.Problem, of: f.Class})
}

// classWords returns the names of all classes.
func classWords(s *commands.Session, _ string) []string {
	a, ok := commands.RuntimeOf[*art.ART](s)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	all, _ := a.Classes(ctx)
	words := make([]string, len(all))
	for i, c := range all {
		words[i] = c.Name
	}
	return words
}
