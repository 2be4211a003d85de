package js

import (
	"context"
	"errors"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

var v8typeCommand = commands.Command{
	Name: "v8type", Module: target.Module, Addr: commands.AddrRequired,
	Summary: "show the type of a value of V8",
	Detail: `The address is a value as V8 tags it, or the untagged address of an object. The
class is V8's C++ class, in parentheses the instance type that its map has.`,
	Example: "::jsprint -b T.map | ::v8type",
	SeeAlso: []string{"v8str", "whatis"},
	Run:     runType,
}

// typeRecord is the kind of value at an address.
type typeRecord struct {
	_            out.Record `record:"v8type" text:"{addr:%#x}: {shown}"`
	Addr         core.Addr  `json:"addr" dot:"always"`
	Class        string     `json:"class,omitempty"` // of C++; Smi
	Value        *int64     `json:"value,omitempty"` // of a Smi
	Name         string     `json:"instance_type,omitempty"`
	InstanceType *int       `json:"instance_type_number,omitempty"`
	shown        string
}

func newSmi(a core.Addr, n int64) *typeRecord {
	return &typeRecord{Addr: a, Class: "Smi", Value: &n, shown: fmt.Sprintf("Smi (value %d)", n)}
}

func newType(a core.Addr, t layout.InstanceType) *typeRecord {
	r := &typeRecord{Addr: a, Class: t.Class, Name: t.Name, InstanceType: &t.Number, shown: t.Name}
	if t.Class != "" {
		r.shown = fmt.Sprintf("%s (%s)", t.Class, t.Name)
	}
	return r
}

func runType(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	t := target.Tagged(v, c.Dot)
	if t.IsSmi() {
		return c.Emit(newSmi(c.Dot, t.Smi()))
	}
	typ, err := v.TypeOf(t)
	if err != nil {
		return err
	}
	return c.Emit(newType(core.Addr(t), typ))
}

var v8strCommand = commands.Command{
	Name: "v8str", Module: target.Module, Addr: commands.AddrRequired,
	Options: []commands.Option{
		{Letter: 'v', Help: "show how the string is kept, with its parts"},
		{Letter: 'l', Arg: "length", Help: "show at most this many characters (UTF-16 code units) (default 65536)"},
	},
	Summary: "show a string of V8",
	Detail: `The string is put together from its parts, whichever of V8's representations it
has: sequential, cons, sliced, thin or external, of one or two bytes a character.
A part missing from the core is reported after the other characters.`,
	Example: "::jsprint -b T.sliced | ::v8str -v",
	SeeAlso: []string{"v8type"},
	Run:     runStr,
}

const shownString = 1 << 16

// strRecord is a string with its shape.
type strRecord struct {
	_        out.Record  `record:"jsvalue"`
	Addr     core.Addr   `json:"addr" dot:"always"`
	Value    any         `json:"value"` // a string; an object if it is not whole
	Kind     string      `json:"representation,omitempty"`
	Encoding string      `json:"encoding,omitempty"`
	Length   *uint32     `json:"length,omitempty"` // in UTF-16 code units
	Parts    []core.Addr `json:"parts,omitempty"`
	text     string
	problem  *object.StringError // nil if the text is whole
	info     object.StringInfo
}

// cutString is a string that is not whole: its length and the characters there are.
type cutString struct {
	Kind   string `json:"$"`
	Length uint32 `json:"length"`
	Value  string `json:"value"`
}

func newString(a core.Addr, text string, problem *object.StringError, info object.StringInfo, verbose bool) *strRecord {
	r := &strRecord{Addr: a, Value: text, text: text, problem: problem, info: info}
	if problem != nil {
		r.Value = cutString{"string", info.Length, text}
	}
	if !verbose {
		return r
	}
	r.Kind, r.Length, r.Encoding = string(info.Kind), &info.Length, "two-byte"
	if info.OneByte {
		r.Encoding = "one-byte"
	}
	for _, p := range info.Parts {
		r.Parts = append(r.Parts, core.Addr(p))
	}
	return r
}

func runStr(_ context.Context, c *commands.Call) error {
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	limit, err := c.Int('l', shownString)
	if err != nil {
		return err
	}
	t := target.Tagged(v, c.Dot)
	info, err := v.Objects.StringInfo(t)
	if err != nil {
		return err
	}
	var problem *object.StringError
	text, err := v.Objects.String(t, limit)
	if err != nil && !errors.As(err, &problem) {
		return err
	}
	return c.Emit(newString(core.Addr(t), text, problem, info, c.Flag('v')))
}

// Text writes the characters; with -v the shape in front.
func (r *strRecord) Text(w *out.Writer) {
	if r.Kind != "" {
		w.Printf("%v: %s string, %s, %d code units\n", r.Addr, r.Kind, r.Encoding, *r.Length)
		for i, p := range r.Parts {
			w.Printf("    %s: %v\n", partName(r.info.Kind, i), p)
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
