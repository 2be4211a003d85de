package js

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

var v8printCommand = commands.Command{
	Name: "v8print", Module: target.Module, Addr: commands.AddrRequired,
	Args:    "[class]",
	Summary: "print the fields of an object of V8",
	Detail: `Prints the object class by class as V8 declares it, each field with its address,
its word and the word's meaning. The class is the object's own unless one is
named. Words that no known field covers are listed by their offset.`,
	Example: "::jsprint -b T.fn | ::v8print",
	SeeAlso: []string{"v8type", "v8classes", "v8field", "jsprint"},
	Run:     runV8print,
}

// fieldLine is a field with its content.
type fieldLine struct {
	Class  string    `json:"class"`
	Name   string    `json:"name"`
	Offset int       `json:"offset"`
	At     core.Addr `json:"addr"`
	Word   core.Addr `json:"value"`
	Is     string    `json:"is,omitempty"`
	bytes  int
	tagged bool
}

// objectRecord is an object, field by field.
type objectRecord struct {
	_      out.Record  `record:"v8object"`
	Object core.Addr   `json:"addr" dot:"always"`
	Class  string      `json:"class"`
	Fields []fieldLine `json:"fields"`
	chain  []string    // classes, the base first
}

func runV8print(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	t := target.Tagged(v, c.Dot)
	class, err := v.Objects.ClassOf(t)
	if err != nil {
		return err
	}
	classes := map[string]object.ClassInfo{}
	for _, k := range v.Objects.Classes() {
		classes[k.Name] = k
	}
	if len(c.Args) > 0 {
		class = c.Text(c.Args[0])
		if _, ok := classes[class]; !ok {
			return fmt.Errorf("no class of V8 is called %q; ::v8classes lists them", class)
		}
	}
	r := &objectRecord{Object: core.Addr(t), Class: class}
	for name, hops := class, 0; name != "" && hops < 32; hops++ {
		r.chain = append([]string{name}, r.chain...)
		name = classes[name].Parent
	}
	covered := map[int]bool{}
	for _, name := range r.chain {
		for _, f := range classes[name].Fields {
			if covered[f.Offset] {
				continue
			}
			word, err := v.Objects.FieldWord(t, &f)
			if err != nil {
				c.Warn("field %s of %s: %v", f.Name, name, err)
				continue
			}
			for i := range max(v.Objects.FieldSize(&f), 1) {
				covered[f.Offset+i] = true
			}
			r.add(v, name, f, word)
		}
	}
	r.rest(v, t, covered)
	return c.Emit(r)
}

// rest adds the words of the object that no field covers.
func (r *objectRecord) rest(v *v8.V8, t layout.Tagged, covered map[int]bool) {
	slot := v.SlotSize()
	for off := slot; off < v.Objects.InstanceSize(t); off += slot {
		free := true
		for i := range slot {
			free = free && !covered[off+i]
		}
		f := object.ClassField{Offset: off}
		if !free {
			continue
		}
		if word, err := v.Objects.FieldWord(t, &f); err == nil {
			r.add(v, "", f, word)
		}
	}
	slices.SortStableFunc(r.Fields, func(a, b fieldLine) int { return a.Offset - b.Offset })
}

func (r *objectRecord) add(v *v8.V8, class string, f object.ClassField, word uint64) {
	l := fieldLine{Class: class, Name: f.Name, Offset: f.Offset, At: core.Addr(r.Object&^3) + core.Addr(f.Offset),
		Word: core.Addr(word), bytes: v.Objects.FieldSize(&f), tagged: f.Tagged()}
	if l.tagged {
		l.Is = describe(v, layout.Tagged(word))
	} else {
		l.Is = fmt.Sprint(word)
	}
	r.Fields = append(r.Fields, l)
}

// describe says what a tagged word is: a Smi with its value, or the type of
// the object, with the text of a string.
func describe(v *v8.V8, t layout.Tagged) string {
	if t.IsSmi() {
		if uint32(t) != 0 {
			return "no tagged value"
		}
		return fmt.Sprintf("Smi: %d", t.Smi())
	}
	typ, err := v.TypeOf(t)
	if err != nil {
		return "no object"
	}
	name := typ.Class
	if name == "" {
		name = typ.Name
	}
	switch x := v.Values.Inspect(t, brief); {
	case x.Kind == object.KindString, x.Kind == object.KindNumber, x.Kind == object.KindBoolean,
		x.Kind == object.KindUndefined,
		x.Kind == object.KindNull, x.Kind == object.KindSymbol, x.Kind == object.KindBigInt:
		return name + ": " + x.Format(inspect.FormatOptions{OneLine: true})
	case x.Kind == object.KindHole:
		return name + ": hole"
	case x.Kind == object.KindFunction:
		return "JSFunction: " + inspect.Printable(x.Text)
	}
	return name
}

// Text writes the classes as nested blocks, the base innermost and first.
func (r *objectRecord) Text(w *out.Writer) {
	for i := len(r.chain) - 1; i >= 0; i-- {
		w.Printf("%s%x %s {\n", strings.Repeat("    ", len(r.chain)-1-i), uint64(r.Object), r.chain[i])
	}
	for i, class := range r.chain {
		in := strings.Repeat("    ", len(r.chain)-i)
		for _, f := range r.Fields {
			if f.Class == class || f.Class == "" && i == len(r.chain)-1 {
				f.text(w, in)
			}
		}
		w.Printf("%s}\n", in[4:])
	}
}

func (f *fieldLine) text(w *out.Writer, in string) {
	name := f.Name
	if name == "" {
		name = fmt.Sprintf("+%d", f.Offset)
	}
	w.Printf("%s%x %s = %x (%s)\n", in, uint64(f.At), name, uint64(f.Word), inspect.Printable(f.Is))
}
