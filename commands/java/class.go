package java

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
)

var classCommands = []commands.Command{{
	Name: "javaclass", Module: module, Often: "sfme", Addr: commands.AddrOptional,
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
	Detail: `Shows the class at the address, the class of the object at the address, or the classes with the
name, which may lack its package. Without any of these all classes are listed, also
the classes that were not initialized or whose initialization failed.`,
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

// classRecord is a class, with the requested parts.
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
	ClassSize  uint64                     `json:"class_size,omitempty"`
	Interfaces []string                   `json:"interfaces,omitempty"`
	Fields     []field                    `json:"fields,omitempty"`
	Statics    map[string]json.RawMessage `json:"statics,omitempty"` // values by name
	Methods    []method                   `json:"methods,omitempty"`
	Problem    string                     `json:"problem,omitempty"`
	class      *java.Class
	loader     string
	listed     bool // one of many: a line
	ifaces     []java.Interface
	statics    []java.Member
	form       java.FormatOptions
}

// A field is a field of a class.
type field struct {
	Name   string    `json:"name"`
	Java   string    `json:"java_type,omitempty"`
	Addr   core.Addr `json:"addr,omitzero" ink:"addr" dot:"always"` // the ArtField; absent on HotSpot
	Offset uint32    `json:"offset"`
	Access uint32    `json:"access"`
	text   string    // its declaration
}

func newField(f *java.Field) field {
	return field{f.Name, java.TypeName(f.Type), f.Addr, uint32(f.Offset), f.Access, fieldText(f)}
}

// A method is a method of a class.
type method struct {
	Name      string    `json:"name"`
	Signature string    `json:"signature,omitempty"`
	Addr      core.Addr `json:"addr"`
	Access    uint32    `json:"access"`
	Problem   string    `json:"problem,omitempty"`
}

func newClass(k *java.Class) *classRecord {
	return &classRecord{Addr: k.Addr, Name: k.Name, Kind: k.Kind(), Loader: k.Loader, Status: k.Status,
		Access:     k.Access,
		ObjectSize: k.ObjectSize, ClassSize: k.ClassSize, Problem: k.Problem, class: k}
}

func runClass(ctx context.Context, c *commands.Call) error {
	m, err := objectsOf(c)
	if err != nil {
		return err
	}
	classes, listed, err := classesOf(ctx, c, m)
	if err != nil {
		if len(classes) == 0 {
			return err
		}
		c.Warn("%w", err)
	}
	for _, k := range classes {
		r := newClass(k)
		r.listed, r.form = listed, java.FormatOptions{OneLine: true, Hex: c.Flag('x')}
		if err := r.fill(c, m); err != nil {
			c.Warn("%s: %w", k.Name, err)
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// classesOf returns the classes that a call means, and whether they are a list.
func classesOf(ctx context.Context, c *commands.Call, m java.Objects) ([]*java.Class, bool, error) {
	if c.HasAddr {
		k, err := m.JavaHeap().ClassAt(c.Dot)
		if err != nil {
			o, bad := m.JavaHeap().Object(c.Dot)
			if k = o.Class; bad != nil {
				return nil, false, fmt.Errorf("%v is neither a class nor an object", c.Dot)
			}
		}
		return []*java.Class{k}, false, nil
	}
	all, err := m.JavaClasses(ctx)
	if pattern := c.Str('e'); pattern != "" {
		re, bad := regexp.Compile(pattern)
		if bad != nil {
			return nil, false, c.Usage("%v", bad)
		}
		list := slices.DeleteFunc(slices.Clone(all), func(k *java.Class) bool { return !re.MatchString(k.Name) })
		if len(list) == 0 && err == nil {
			err = missing(c, fmt.Errorf("%w that %q matches", java.ErrNoClass, re))
		}
		return list, true, err
	}
	if len(c.Args) > 0 {
		name := c.Text(c.Args[0])
		list := java.Named(all, name)
		if len(list) == 0 && err == nil {
			err = noClass(c, fmt.Errorf("%w: %q", java.ErrNoClass, name))
		}
		return list, false, err
	}
	return all, true, err
}

// noClass adds to the error that no class has a name which file is missing that may have it.
func noClass(c *commands.Call, err error) error {
	if more := missing(c, err); more != nil {
		return more
	}
	return err
}

// missing is noClass, but nil if no file is missing.
func missing(c *commands.Call, err error) error {
	if u, ok := commands.RuntimeOf[runtimes.FileUser](c.Session); ok {
		if files := u.MissingFiles(); len(files) > 0 {
			return fmt.Errorf("%w among the classes with known names: %w", err, files[0])
		}
	}
	return nil
}

// fill reads what the options ask for.
func (r *classRecord) fill(c *commands.Call, m java.Objects) error {
	k := r.class
	if len(k.Super) > 0 {
		r.Super = k.Super[0]
	}
	if k.Loader != 0 {
		if o, err := m.JavaHeap().Object(k.Loader); err == nil {
			r.loader = o.Class.Name
		}
	}
	if r.listed {
		return nil
	}
	if c.Flag('i') {
		r.ifaces = k.Interfaces
		for _, i := range k.Interfaces {
			r.Interfaces = append(r.Interfaces, i.Name)
		}
	}
	for i := range k.Own {
		if f := &k.Own[i]; !f.Static() && c.Flag('f') {
			r.Fields = append(r.Fields, newField(f))
		}
	}
	if c.Flag('s') {
		in := java.Inspector{Heap: m.JavaHeap()}
		r.statics, r.Statics = in.Statics(k, java.Options{Depth: 0, MaxItems: 10, MaxString: 200, MaxValues: 1000}),
			map[string]json.RawMessage{}
		for _, m := range r.statics {
			r.Statics[m.Name] = m.Value.AppendJSON(nil)
		}
	}
	if !c.Flag('m') {
		return nil
	}
	methods, err := m.JavaMethods(k)
	for _, x := range methods {
		r.Methods = append(r.Methods, method{x.Name, x.Signature, x.Addr, x.Access, x.Problem})
	}
	return err
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
	case r.class.Shape == java.Arrays:
		w.Printf(", elements of %s", out.Count(r.class.ElementSize, "byte"))
	case r.ObjectSize > 0:
		w.Printf(", objects of %d bytes", r.ObjectSize)
	}
	if r.ClassSize > 0 {
		w.Printf(", class of %d bytes", r.ClassSize)
	}
	w.Printf("\n")
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
		if f.Addr == 0 {
			w.Printf("    +%-4d %s\n", f.Offset, f.text)
			continue
		}
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
func fieldText(f *java.Field) string {
	s := code.Modifiers(f.Access, false)
	if s != "" {
		s += " "
	}
	if f.Type == "" {
		return s + f.Name + " (type unknown: " + f.Problem + ")"
	}
	return s + java.TypeName(f.Type) + " " + f.Name
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
	return c.Emit(&fieldRecord{Class: k.Name, field: field{f.Label(), java.TypeName(f.Type), f.Addr, f.Offset, f.Access,
		artFieldText(&f)}, Index: f.Index, Static: f.Static(), Problem: f.Problem, of: f.Class})
}

// artFieldText is an ArtField's declaration.
func artFieldText(f *object.Field) string {
	return fieldText(&java.Field{Name: f.Label(), Type: f.Type, Access: f.Access, Problem: f.Problem})
}

// classWords returns the names of all classes.
func classWords(s *commands.Session, _ string) []string {
	m, ok := commands.RuntimeOf[java.Objects](s)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	all, _ := m.JavaClasses(ctx)
	words := make([]string, len(all))
	for i, c := range all {
		words[i] = c.Name
	}
	return words
}
