package js

import (
	"context"
	"errors"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

var v8typeCommand = commands.Command{
	Name: "v8type", Module: module, Addr: commands.AddrRequired,
	Summary: "show the type of a value of V8",
	Detail: `The address is a value as V8 tags it, or the untagged address of an object. The
class is V8's C++ class, in parentheses the instance type that its map has.`,
	Example: "::jsprint -b T.map | ::v8type",
	SeeAlso: []string{"v8str", "whatis"},
	Run:     runType,
}

// typeRecord is what kind of value lies at an address.
type typeRecord struct {
	addr  core.Addr
	smi   bool
	value int64
	typ   layout.InstanceType
}

func runType(_ context.Context, c *commands.Call) error {
	v, err := v8Of(c)
	if err != nil {
		return err
	}
	t := tagged(v, c.Dot)
	if t.IsSmi() {
		return c.Emit(&typeRecord{addr: c.Dot, smi: true, value: t.Smi()})
	}
	typ, err := v.TypeOf(t)
	if err != nil {
		return err
	}
	return c.Emit(&typeRecord{addr: core.Addr(t), typ: typ})
}

// Addr returns the value.
func (r *typeRecord) Addr() (core.Addr, bool) { return r.addr, true }

// Text writes the type on a line.
func (r *typeRecord) Text(w *out.Writer) {
	switch {
	case r.smi:
		w.Printf("%v: Smi (value %d)\n", r.addr, r.value)
	case r.typ.Class == "":
		w.Printf("%v: %s\n", r.addr, r.typ.Name)
	default:
		w.Printf("%v: %s (%s)\n", r.addr, r.typ.Class, r.typ.Name)
	}
}

// MarshalJSON gives the record's object.
func (r *typeRecord) MarshalJSON() ([]byte, error) {
	if r.smi {
		return out.Marshal(struct {
			_     out.Record `record:"v8type"`
			Addr  string     `json:"addr"`
			Class string     `json:"class"`
			Value int64      `json:"value"`
		}{out.Record{}, hex(r.addr), "Smi", r.value})
	}
	return out.Marshal(struct {
		_            out.Record `record:"v8type"`
		Addr         string     `json:"addr"`
		Class        string     `json:"class,omitempty"`
		Name         string     `json:"instance_type"`
		InstanceType int        `json:"instance_type_number"`
	}{out.Record{}, hex(r.addr), r.typ.Class, r.typ.Name, r.typ.Number})
}

var v8strCommand = commands.Command{
	Name: "v8str", Module: module, Addr: commands.AddrRequired,
	Options: []commands.Option{
		{Letter: 'v', Help: "show how the string is kept, with its parts"},
		{Letter: 'l', Arg: "length", Help: "show at most this many characters (UTF-16 code units) (default 65536)"},
	},
	Summary: "show a string of V8",
	Detail: `The string is put together from its parts, whichever of V8's representations it
has: sequential, cons, sliced, thin or external, of one or two bytes a character.
What is not in the core is reported after the characters that are.`,
	Example: "::jsprint -b T.sliced | ::v8str -v",
	SeeAlso: []string{"v8type"},
	Run:     runStr,
}

const shownString = 1 << 16

// strRecord is a string with its shape.
type strRecord struct {
	addr    core.Addr
	text    string
	problem *object.StringError // nil if the text is whole
	info    object.StringInfo
	verbose bool
}

func runStr(_ context.Context, c *commands.Call) error {
	v, err := v8Of(c)
	if err != nil {
		return err
	}
	limit, err := c.Int('l', shownString)
	if err != nil {
		return err
	}
	t := tagged(v, c.Dot)
	r := &strRecord{addr: core.Addr(t), verbose: c.Has('v')}
	if r.info, err = v.Objects.StringInfo(t); err != nil {
		return err
	}
	r.text, err = v.Objects.String(t, limit)
	if err != nil && !errors.As(err, &r.problem) {
		return err
	}
	return c.Emit(r)
}

// Addr returns the string's tagged address.
func (r *strRecord) Addr() (core.Addr, bool) { return r.addr, true }

// Text writes the characters; with -v the shape in front.
func (r *strRecord) Text(w *out.Writer) {
	if r.verbose {
		encoding := "two-byte"
		if r.info.OneByte {
			encoding = "one-byte"
		}
		w.Printf("%v: %s string, %s, %d code units\n", r.addr, r.info.Kind, encoding, r.info.Length)
		for i, p := range r.info.Parts {
			w.Printf("    %s: %#x\n", partName(r.info.Kind, i), uint64(p))
		}
		if r.info.Kind == object.SlicedString {
			w.Printf("    offset: %d\n", r.info.Offset)
		}
		if r.info.Data != 0 {
			w.Printf("    characters at %v\n", r.info.Data)
		}
	}
	w.Printf("%s\n", r.text)
	if r.problem != nil {
		w.Printf("(%d of %d code units: %s)\n", r.problem.Got, r.problem.Length, r.problem.Reason)
	}
}

func partName(k object.StringKind, i int) string {
	switch {
	case k == object.SlicedString:
		return "parent"
	case k == object.ThinString:
		return "actual"
	case i == 0:
		return "first"
	}
	return "second"
}

// MarshalJSON gives the record's object. A string that is not whole has its
// length and the characters there are.
func (r *strRecord) MarshalJSON() ([]byte, error) {
	type cut struct {
		Kind   string `json:"$"`
		Length uint32 `json:"length"`
		Value  string `json:"value"`
	}
	var value any = r.text
	if r.problem != nil {
		value = cut{"string", r.info.Length, r.text}
	}
	rec := struct {
		_        out.Record `record:"jsvalue"`
		Addr     string     `json:"addr"`
		Value    any        `json:"value"`
		Kind     string     `json:"representation,omitempty"`
		Encoding string     `json:"encoding,omitempty"`
		Length   *uint32    `json:"length,omitempty"`
		Parts    []string   `json:"parts,omitempty"`
	}{Addr: hex(r.addr), Value: value}
	if r.verbose {
		rec.Kind, rec.Length, rec.Encoding = string(r.info.Kind), &r.info.Length, "two-byte"
		if r.info.OneByte {
			rec.Encoding = "one-byte"
		}
		for _, p := range r.info.Parts {
			rec.Parts = append(rec.Parts, fmt.Sprintf("%#x", uint64(p)))
		}
	}
	return out.Marshal(rec)
}
