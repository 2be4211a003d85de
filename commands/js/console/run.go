package console

import (
	"fmt"
	"regexp"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// Run evaluates what was typed, emits what it prints, and keeps its value. The value is nil if nothing is to be shown;
// later emits what functions print that run after it.
func (c *Console) Run(call *commands.Call, n *syntax.Node, o inspect.InspectOptions) (x *inspect.Value,
	later func() error, err error) {
	c.kept.used = true
	e, err := c.v.Values.Evaluate(c.place(), n, o, func(v ecma.Value) { c.kept.values["$_"] = &v })
	later = func() error { return c.emitPrinted(call, e.Later) }
	if failed := c.emitPrinted(call, e.Printed); failed != nil {
		return nil, later, failed
	}
	if err == nil && len(e.Omitted) > 0 {
		c.s.Warn(fmt.Errorf("what C++ does for %s is left out",
			strings.Join(e.Omitted, ", ")))
	}
	if err == nil && len(e.Printed) > 0 && e.Value.Kind == object.KindUndefined {
		return nil, later, nil
	}
	return e.Value, later, err
}

// emitPrinted emits what calls of console show.
func (c *Console) emitPrinted(call *commands.Call, list []inspect.Printed) error {
	for _, p := range list {
		switch p.Method {
		case "assert":
			if len(p.Values) > 0 && p.Values[0].Text != "false" {
				continue
			}
		case "count":
			p.Values = c.kept.counted(p.Values)
		case "groupEnd", "countReset", "clear", "time", "timeEnd", "timeLog":
			continue
		}
		r := &printedRecord{Printed: p, form: inspect.FormatOptions{Dialect: c.v.Values.Dialect()}}
		if err := call.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// Printing returns the method of console that a text calls, if that shows texts as they are.
func Printing(text string) (method string, ok bool) {
	n, err := parseAny(strings.TrimSuffix(strings.TrimSpace(text), ";"))
	if err != nil || n.Kind != syntax.Call || n.A.Kind != syntax.Member || n.A.A.Kind != syntax.Identifier {
		return "", false
	}
	method = n.A.Text
	return method, n.A.A.Text == "console" && shows[method] && !strings.HasPrefix(method, "dir")
}

// Printed returns the record of the output of a method of console.
func Printed(v *v8.V8, method string, values ...*inspect.Value) commands.Record {
	return &printedRecord{Printed: inspect.Printed{Method: method, Values: values},
		form: inspect.FormatOptions{Dialect: v.Values.Dialect()}}
}

// printedRecord is what a call of a method of console shows.
type printedRecord struct {
	inspect.Printed
	form inspect.FormatOptions
}

// A printedJSON is one as programs see it.
type printedJSON struct {
	Type   string           `json:"type" record:"jsoutput"`
	Method string           `json:"method"` // of console
	Values []*inspect.Value `json:"values"`
}

// JSON implements out.Formed.
func (r *printedRecord) JSON() any { return &printedJSON{"jsoutput", r.Method, r.Values} }

// Text writes the values as a console does: texts as they are, the first one with its %s and the like.
func (r *printedRecord) Text(w *out.Writer) {
	list := r.Values
	var parts []string
	if r.Method == "assert" && len(list) > 0 {
		parts, list = []string{"Assertion failed:"}, list[1:]
	}
	if len(list) > 1 && list[0].Kind == object.KindString && strings.Contains(list[0].Text, "%") {
		var first string
		first, list = r.filled(list[0].Text, list[1:])
		parts = append(parts, first)
	}
	for _, x := range list {
		parts = append(parts, r.shown(x))
	}
	w.Printf("%s\n", out.Clean(strings.Join(parts, " "), true))
}

func (r *printedRecord) shown(x *inspect.Value) string {
	if x.Kind == object.KindString {
		return x.Text
	}
	return x.Format(r.form)
}

// directive is a directive of console.log's first argument, as util.format of Node has them; numeral is the number that
// a text begins with.
var (
	directive = regexp.MustCompile(`%[sdifjoOc%]`)
	numeral   = regexp.MustCompile(`^[+-]?(Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)`)
)

// number is a value as %d, %i and %f show it: Number(x), parseInt(x) and parseFloat(x).
func number(directive, text string) string {
	text = strings.TrimSpace(text)
	found := numeral.FindString(text)
	switch {
	case found == "", directive == "%d" && found != text:
		return "NaN"
	case directive == "%i":
		whole := found[:strings.IndexFunc(found+".", func(c rune) bool { return strings.ContainsRune(".eE", c) })]
		if strings.Trim(whole, "+-0123456789") != "" || strings.Trim(whole, "+-") == "" {
			return "NaN"
		}
		return whole
	}
	return found
}

// filled puts values into the places of a text, and returns the other values.
func (r *printedRecord) filled(text string, list []*inspect.Value) (string, []*inspect.Value) {
	text = directive.ReplaceAllStringFunc(text, func(p string) string {
		switch {
		case p == "%%":
			return "%"
		case len(list) == 0:
			return p
		}
		x := list[0]
		list = list[1:]
		switch {
		case p == "%c":
			return ""
		case x.Kind != object.KindBigInt && strings.Contains("%d%i%f", p):
			return number(p, r.shown(x))
		}
		return r.shown(x)
	})
	return text, list
}
