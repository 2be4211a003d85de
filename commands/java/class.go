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
	class   *object.Class
	super   string
	loader  string
	listed  bool // one of many: a line
	ifaces  []*object.Class
	methods []methodLine
	fields  []object.Field
	statics []inspect.Member
	form    inspect.FormatOptions
	show    [4]bool // m i f s
}

// methodLine is a method of a class.
type methodLine struct {
	addr      core.Addr
	name      string
	signature string
	flags     uint32
	problem   string
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
		r := &classRecord{class: k, listed: listed, form: inspect.FormatOptions{OneLine: true, Hex: c.Has('x')}}
		for i, letter := range "mifs" {
			r.show[i] = c.Has(byte(letter))
		}
		if err := r.fill(a); err != nil {
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

// fill reads what the record shows.
func (r *classRecord) fill(a *art.ART) error {
	k := r.class
	if s, err := a.Class(k.Super); err == nil {
		r.super = s.Name
	}
	if l := a.ClassOf(k.Loader); l != nil {
		r.loader = l.Name
	}
	if r.listed {
		return nil
	}
	if r.show[1] {
		r.ifaces = a.Interfaces(k)
	}
	for _, f := range a.Fields(k) {
		if !f.Static() && r.show[2] {
			r.fields = append(r.fields, f)
		}
	}
	if r.show[3] {
		r.statics = a.Statics(k, inspect.Options{Depth: 0, MaxItems: 10, MaxString: 200, MaxValues: 1000})
	}
	if !r.show[0] {
		return nil
	}
	addrs, err := a.Methods(k)
	for _, at := range addrs {
		m := a.Method(at)
		r.methods = append(r.methods, methodLine{at, m.Name, m.Signature, m.Access, m.Problem})
	}
	return err
}

// Addr returns the class.
func (r *classRecord) Addr() (core.Addr, bool) { return r.class.Addr, true }

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
	k := r.class
	w.Paint(out.Addr, "%v", k.Addr)
	if r.listed {
		w.Printf(" %-20s %s", k.Status, kind(k))
		w.Paint(out.Symbol, " %s", k.Name)
		w.Printf("\n")
		return
	}
	w.Printf(": %s", kind(k))
	w.Paint(out.Symbol, " %s", k.Name)
	if r.super != "" {
		w.Printf(" extends %s", r.super)
	}
	w.Printf("\n    status %s, access %#x", k.Status, k.Access)
	switch {
	case k.IsArray():
		w.Printf(", elements of %s", out.Count(k.ElementSize, "byte"))
	case k.ObjectSize > 0:
		w.Printf(", objects of %d bytes", k.ObjectSize)
	}
	w.Printf(", class of %d bytes\n", k.ClassSize)
	if k.Loader != 0 {
		w.Printf("    loader %v %s\n", k.Loader, r.loader)
	}
	if k.Problem != "" {
		w.Paint(out.Error, "    %s", k.Problem)
		w.Printf("\n")
	}
	for _, i := range r.ifaces {
		w.Printf("    implements %v %s\n", i.Addr, i.Name)
	}
	for _, f := range r.fields {
		w.Printf("    %v +%-4d %s\n", f.Addr, f.Offset, fieldText(&f))
	}
	for _, m := range r.statics {
		w.Printf("    static %s = %s\n", m.Name, m.Value.Format(r.form))
	}
	for _, m := range r.methods {
		w.Printf("    %v %s\n", m.addr, m.text())
	}
}

func (m *methodLine) text() string {
	words := code.Modifiers(m.flags, true)
	if words != "" {
		words += " "
	}
	return words + m.name + m.signature
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

// fieldJSON is a field in JSON.
type fieldJSON struct {
	Name   string    `json:"name"`
	Java   string    `json:"java_type,omitempty"`
	Addr   core.Addr `json:"addr"`
	Offset uint32    `json:"offset"`
	Access uint32    `json:"access"`
}

// MarshalJSON gives {"type":"javaclass",…}.
func (r *classRecord) MarshalJSON() ([]byte, error) {
	type method struct {
		Name      string    `json:"name"`
		Signature string    `json:"signature,omitempty"`
		Addr      core.Addr `json:"addr"`
		Access    uint32    `json:"access"`
		Problem   string    `json:"problem,omitempty"`
	}
	k := r.class
	j := struct {
		_          out.Record                 `record:"javaclass"`
		Addr       core.Addr                  `json:"addr"`
		Name       string                     `json:"name"`
		Kind       string                     `json:"kind"`
		Super      string                     `json:"super,omitempty"`
		Loader     core.Addr                  `json:"loader,omitzero"`
		Status     string                     `json:"status"`
		Access     uint32                     `json:"access"`
		ObjectSize uint64                     `json:"object_size,omitempty"`
		ClassSize  uint64                     `json:"class_size"`
		Interfaces []string                   `json:"interfaces,omitempty"`
		Fields     []fieldJSON                `json:"fields,omitempty"`
		Statics    map[string]json.RawMessage `json:"statics,omitempty"`
		Methods    []method                   `json:"methods,omitempty"`
		Problem    string                     `json:"problem,omitempty"`
	}{Addr: core.Addr(k.Addr), Name: k.Name, Kind: kind(k), Super: r.super, Loader: core.Addr(k.Loader), Status: k.Status,
		Access: k.Access, ObjectSize: k.ObjectSize, ClassSize: k.ClassSize, Problem: k.Problem}
	for _, i := range r.ifaces {
		j.Interfaces = append(j.Interfaces, i.Name)
	}
	for _, f := range r.fields {
		j.Fields = append(j.Fields, fieldJSON{f.Label(), dex.TypeName(f.Type), core.Addr(f.Addr), f.Offset, f.Access})
	}
	for _, m := range r.statics {
		if j.Statics == nil {
			j.Statics = map[string]json.RawMessage{}
		}
		j.Statics[m.Name] = m.Value.AppendJSON(nil)
	}
	for _, m := range r.methods {
		j.Methods = append(j.Methods, method{m.name, m.signature, core.Addr(m.addr), m.flags, m.problem})
	}
	return out.Marshal(j)
}

// fieldRecord is an ArtField.
type fieldRecord struct {
	field object.Field
	class string
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
	return c.Emit(&fieldRecord{f, k.Name})
}

// Addr returns the ArtField.
func (r *fieldRecord) Addr() (core.Addr, bool) { return r.field.Addr, true }

// Text writes the field's declaration and place.
func (r *fieldRecord) Text(w *out.Writer) {
	w.Paint(out.Addr, "%v", r.field.Addr)
	w.Printf(": %s.%s\n    %s\n    class %v, offset %d, index %d\n", r.class, r.field.Label(), fieldText(&r.field), r.field.Class, r.field.Offset, r.field.Index)
}

// MarshalJSON gives {"type":"artfield",…}.
func (r *fieldRecord) MarshalJSON() ([]byte, error) {
	f := &r.field
	return out.Marshal(struct {
		_     out.Record `record:"artfield"`
		Class string     `json:"class"`
		fieldJSON
		Index   uint32 `json:"index"`
		Static  bool   `json:"static,omitempty"`
		Problem string `json:"problem,omitempty"`
	}{out.Record{}, r.class, fieldJSON{f.Label(), dex.TypeName(f.Type), core.Addr(f.Addr), f.Offset, f.Access}, f.Index, f.Static(), f.Problem})
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
