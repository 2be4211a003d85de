package frames

import (
	"encoding/json"
	"fmt"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/inspect"
	"coredbg/stack"
	"coredbg/walk"
)

// detail adds to frames what -v, -l and -p ask for.
type detail struct {
	v               *v8.V8
	verbose, locals bool
	property        string

	last  *walk.Frame
	index int // of the frame, in last
	all   []*frame.FrameValues
}

// frameLimits are the limits for values in frames: one level, few members.
var frameLimits = inspect.InspectOptions{Depth: 0, MaxArray: 20, MaxProperties: 20, MaxString: 200, MaxValues: 200}

// values returns the values of a source-level frame. The frames of a machine
// frame come one after the other.
func (d *detail) values(f *walk.Frame) *frame.FrameValues {
	if d.last == nil || !d.last.Same(f) {
		copied := *f
		d.last, d.index, d.all = &copied, 0, d.v.Frames.Values(f)
	} else {
		d.index++
	}
	if d.index >= len(d.all) {
		return nil
	}
	return d.all[d.index]
}

// add adds tier, function, this, arguments and local variables to a frame.
func (d *detail) add(r *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
	if src == nil || !d.verbose && !d.locals && d.property == "" {
		return
	}
	values := d.values(f)
	if src.Kind != runtimes.JS && src.Kind != runtimes.API {
		return
	}
	found := false
	verbose, locals := d.verbose, d.locals
	line := func(label, text string) {
		r.ExtraText = append(r.ExtraText, fmt.Sprintf("%s: %s", label, text))
	}
	if d.property != "" {
		verbose, locals = true, true
		line = func(label, text string) {
			if label == d.property {
				found = true
				r.ExtraText = append(r.ExtraText, fmt.Sprintf("%s: %s", label, text))
			}
		}
	}
	if verbose {
		frameLines(r, src, line)
		d.mapLines(r, src, line)
	}
	if values == nil || stack.Borrowed(src.Async, f) {
		return
	}
	if verbose {
		d.arguments(r, src, values, line)
	}
	if locals {
		d.variables(r, values, line)
	}
	if d.property != "" && !found {
		d.propertyOf(r, values)
	}
}

// frameLines writes the place of a frame, and the code it runs.
func frameLines(r *stack.Frame, src *runtimes.SourceFrame, line func(label, text string)) {
	if r.File != "" && r.Line > 0 {
		line("file", r.File)
		line("posn", fmt.Sprintf("line %d, column %d", r.Line, r.Column))
	}
	if src.Function != 0 {
		line("func", fmt.Sprintf("%#x", uint64(src.Function)))
	}
	if src.Tier != "" {
		line("code", src.Tier)
	}
	if src.Callback != "" {
		line("calls", src.Callback)
	}
}

// mapLines writes what runs, and where the map is from that says what it was made from; or
// why there is no map although the script names one.
func (d *detail) mapLines(r *stack.Frame, src *runtimes.SourceFrame, line func(label, text string)) {
	switch g := r.Generated; {
	case g != nil:
		made := fmt.Sprintf("%s:%d:%d", g.File, g.Line, g.Column)
		if g.Ignored {
			made += ", which is to be ignored"
		}
		line("runs", made)
		line("map", g.Map)
	case src.Generated == nil:
		if err := d.v.MapError(src); err != nil {
			line("map", err.Error())
		}
	}
}

func (d *detail) arguments(r *stack.Frame, src *runtimes.SourceFrame, values *frame.FrameValues,
	line func(label, text string)) {
	this, text := d.receiver(&values.Receiver)
	line("this", text)
	args := make([]json.RawMessage, len(values.Args))
	for i, name := range argumentNames(d.v, src.Function, values) {
		args[i], text = d.local(&values.Args[i])
		if d.property == ordinal(i) {
			name = d.property
		}
		line(name, text)
	}
	if values.More > 0 {
		line("args", fmt.Sprintf("%d more", values.More))
	}
	r.Extra = append(r.Extra, stack.Extra{Key: "this", Value: this})
	if b, err := out.Marshal(args); err == nil {
		r.Extra = append(r.Extra, stack.Extra{Key: "args", Value: b})
	}
}

// receiver is local for this. The global object, which functions in sloppy mode get for
// none, is named and not shown.
func (d *detail) receiver(l *frame.Local) (json.RawMessage, string) {
	if l.Known() && d.v.Objects.IsGlobal(l.Slot) {
		x := d.v.Values.InspectSlot(l.Slot, inspect.InspectOptions{})
		b, _ := out.Marshal(map[string]string{"$": "global", "addr": core.Addr(x.Word).String()})
		return b, fmt.Sprintf("%v: Object [global]", core.Addr(x.Word))
	}
	return d.local(l)
}

// variables writes the local variables; as JSON they are one object, in order.
func (d *detail) variables(r *stack.Frame, values *frame.FrameValues, line func(label, text string)) {
	object := []byte{'{'}
	for i := range values.Locals {
		l := &values.Locals[i]
		b, text := d.local(l)
		line(l.Name, text)
		name, err := out.Marshal(l.Name)
		if err != nil {
			continue
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(append(object, name...), ':'), b...)
	}
	r.Extra = append(r.Extra, stack.Extra{Key: "locals", Value: append(object, '}')})
}

// local gives a value as JSON and as text. One that is not known is an object
// with the reason.
func (d *detail) local(l *frame.Local) (json.RawMessage, string) {
	if !l.Known() {
		b, _ := out.Marshal(map[string]string{"$": "unknown", "why": l.Missing})
		return b, "(" + l.Missing + ")"
	}
	x := d.v.Values.InspectSlot(l.Slot, frameLimits)
	b, err := out.Marshal(x)
	if err != nil {
		b, _ = out.Marshal(map[string]string{"$": "unknown", "why": err.Error()})
	}
	return b, d.text(x)
}

// propertyOf writes a property of this, where it has one.
func (d *detail) propertyOf(r *stack.Frame, values *frame.FrameValues) {
	if !values.Receiver.Known() {
		return
	}
	slot, err := d.v.Objects.Member(values.Receiver.Slot, []string{d.property})
	if err != nil {
		return
	}
	r.ExtraText = append(r.ExtraText, fmt.Sprintf("this.%s: %s", d.property,
		d.text(d.v.Values.InspectSlot(slot, frameLimits))))
}

// text writes a value on one line, with the address of an object.
func (d *detail) text(x *inspect.Value) string {
	return x.Format(inspect.FormatOptions{Addresses: true, Width: 1 << 16, Dialect: d.v.Values.Dialect()})
}
