package js

import (
	"context"
	"encoding/json"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/stack"
	"coredbg/walk"
)

var jsframeCommand = commands.Command{
	Name: "jsframe", Module: module, Addr: commands.AddrRequired,
	Options: []commands.Option{
		{Letter: 'a', Help: "show the frame also if it is native or internal"},
		{Letter: 'i', Help: "show the words of the frame around its frame pointer"},
		{Letter: 'v', Help: "show the kind of code, this and the arguments"},
		{Letter: 'l', Help: "show the local variables"},
		{Letter: 'n', Arg: "lines", Help: "show this many lines of source on each side of the position"},
		commands.RawOption,
	},
	Summary: "show the JavaScript frame at a frame pointer",
	Detail: `The address is that of the frame's saved frame pointer, as $C and ::jsstack -a
show it in their first column. An optimised frame may stand for several calls:
all are shown, the innermost first.

` + frameHelp,
	Example: "::walk jsframe | ::jsframe -v",
	SeeAlso: []string{"jsstack", "$C"},
	Run:     runFrame,
}

// detail adds to frames what -v, -l and -p ask for.
type detail struct {
	v               *v8.V8
	verbose, locals bool
	property        string

	last  *walk.Frame
	index int // of the frame among those of last
	all   []*frame.FrameValues
}

// frameLimits are the limits for values in frames: one level, few members.
var frameLimits = inspect.InspectOptions{Depth: 0, MaxArray: 20, MaxProperties: 20, MaxString: 200, MaxValues: 200}

// values returns the values of a source-level frame. The frames of a machine
// frame come one after the other.
func (d *detail) values(f *walk.Frame) *frame.FrameValues {
	if d.last == nil || d.last.FP != f.FP || d.last.PC != f.PC {
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
	if values == nil || src.Async {
		return
	}
	if verbose {
		d.arguments(r, values, line)
	}
	if locals {
		d.variables(r, values, line)
	}
	if d.property != "" && !found {
		d.propertyOf(r, values)
	}
}

// frameLines writes where a frame is and what it runs.
func frameLines(r *stack.Frame, src *runtimes.SourceFrame, line func(label, text string)) {
	if r.File != "" && r.Line > 0 {
		line("file", r.File)
		line("posn", fmt.Sprintf("line %d, column %d", r.Line, r.Column))
	}
	if src.Function != 0 {
		line("func", hex(src.Function))
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

func (d *detail) arguments(r *stack.Frame, values *frame.FrameValues, line func(label, text string)) {
	this, text := d.receiver(&values.Receiver)
	line("this", text)
	args := make([]json.RawMessage, len(values.Args))
	for i := range values.Args {
		args[i], text = d.local(&values.Args[i])
		line(fmt.Sprintf("arg%d", i+1), text)
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
	r.ExtraText = append(r.ExtraText, fmt.Sprintf("this.%s: %s", d.property, d.text(d.v.Values.InspectSlot(slot, frameLimits))))
}

// text writes a value on one line, with the address of an object.
func (d *detail) text(x *inspect.Value) string {
	return x.Format(inspect.FormatOptions{Addresses: true, Width: 1 << 16, Dialect: d.v.Values.Dialect()})
}

// frameRecord is one source-level frame, as ::jsframe shows it.
type frameRecord struct {
	commands.FrameRecord
	lines []object.SourceLine
	words []word
}

// A word is a word of a frame.
type word struct {
	off   int
	value core.Addr
	what  string
}

// Text writes the frame.
func (r *frameRecord) Text(w *out.Writer) {
	writeFrame(w, (*stack.Frame)(&r.FrameRecord), true, r.lines)
	for _, x := range r.words {
		w.Printf("        %+5d  %016x  %s\n", x.off, uint64(x.value), x.what)
	}
}

// JSON implements out.Formed.
func (r *frameRecord) JSON() any { return &r.FrameRecord }

func runFrame(ctx context.Context, c *commands.Call) error {
	v, err := v8Of(c)
	if err != nil {
		return err
	}
	around := -1
	if c.Has('n') {
		if around, err = c.Int('n', 0); err != nil {
			return err
		}
	}
	frames := findFrame(ctx, c, v, around)
	if len(frames) == 0 {
		return fmt.Errorf("%v: no frame of a thread has this frame pointer, and its words are none of a frame", c.Dot)
	}
	emitted := false
	for i, f := range frames {
		if !c.Has('a') && !stack.Managed((*stack.Frame)(&f.FrameRecord)) {
			continue
		}
		if c.Has('i') && i == len(frames)-1 {
			f.words = frameWords(c, v, c.Dot)
		}
		emitted = true
		if err := c.Emit(f); err != nil {
			return err
		}
	}
	if !emitted {
		return fmt.Errorf("%v: a frame of %s, not of JavaScript; -a shows it", c.Dot, frames[0].Kind)
	}
	return nil
}

// findFrame returns the frames that the machine frame at dot stands for. The
// walk of a thread that passes it knows most about it; without one its words
// are decoded by themselves.
func findFrame(ctx context.Context, c *commands.Call, v *v8.V8, around int) []*frameRecord {
	more := &detail{v: v, verbose: c.Has('v'), locals: c.Has('l')}
	for _, t := range threadsNear(c.Session.Process, c.Dot) {
		var found []*frameRecord
		rec := c.Session.Stacks.Thread(ctx, t, stack.Options{
			ManagedOnly: !c.Has('a'), Raw: c.Has('R'),
			Keep: func(r *stack.Frame) bool { return r.FP == c.Dot },
			Each: func(r *stack.Frame, f *walk.Frame, src *runtimes.SourceFrame) {
				more.add(r, f, src)
				fr := &frameRecord{}
				if around >= 0 && src != nil && src.Line > 0 {
					fr.lines = linesAround(v, r, src, around)
				}
				found = append(found, fr)
			},
		})
		for i := range found {
			found[i].FrameRecord = commands.FrameRecord(rec.Frames[i])
		}
		if len(found) > 0 {
			return found
		}
	}
	f := walk.Frame{FP: c.Dot}
	sources, err := v.Frames.FrameAt(c.Dot, 0)
	if err != nil {
		return nil
	}
	if !c.Has('R') {
		v.Map(sources)
	}
	var found []*frameRecord
	for i := range sources {
		src := &sources[i]
		if src.Kind == runtimes.Stub && src.Tier == "unknown" {
			continue
		}
		fr := &frameRecord{FrameRecord: commands.FrameRecord{
			Index: i, Kind: src.Kind, Name: src.Name, FP: c.Dot, File: src.File, Line: src.Line, Column: src.Column,
			Tier: src.Tier, Inlined: src.Inlined, Async: src.Async, Function: src.Function, Callback: src.Callback, Note: src.Note, Generated: src.Generated,
		}}
		more.add((*stack.Frame)(&fr.FrameRecord), &f, src)
		found = append(found, fr)
	}
	return found
}

// threadsNear returns the threads whose stack pointer lies in a's mapping,
// below it.
func threadsNear(p *core.Process, a core.Addr) []*core.Thread {
	m, ok := p.Mapping(a)
	if !ok {
		return nil
	}
	var out []*core.Thread
	for _, t := range p.Threads {
		if sp, ok := t.Regs.Get(p.Arch.SP); ok && m.Start <= core.Addr(sp) && core.Addr(sp) <= a {
			out = append(out, t)
		}
	}
	return out
}

// frameWords returns the words around a frame pointer, with what they are.
func frameWords(c *commands.Call, v *v8.V8, fp core.Addr) []word {
	names := map[int]string{0: "caller's frame pointer", 8: "return address"}
	l := v.Layout.Frame
	cur := c.Session.Process.Cursor()
	js := cur.Pointer(fp.Add(int64(l.ContextOrType)))&1 == 1
	array, _ := v.TypeOf(layout.Tagged(cur.Pointer(fp.Add(int64(l.BytecodeArray)))))
	label := func(off int, name string, ok bool) {
		if ok && off != layout.Unknown {
			names[off] = name
		}
	}
	cur.Reset()
	label(l.ContextOrType, "context", js)
	label(l.ContextOrType, "frame type", !js)
	label(l.Function, "function", js)
	label(l.ArgCount, "argument count", js)
	label(l.Args, "receiver", js && l.ReceiverFirst == 1)
	label(l.BytecodeArray, "bytecode array", js && array.Class == "BytecodeArray")
	label(l.BytecodeOffset, "bytecode offset or feedback", js && array.Class == "BytecodeArray")
	var out []word
	for off := -64; off <= 64; off += 8 {
		x := word{off: off, value: cur.Pointer(fp.Add(int64(off))), what: names[off]}
		if cur.Reset() != nil {
			continue
		}
		if s, ok := v.WhatIs(x.value); ok && x.value&1 == 1 {
			if x.what != "" {
				x.what += ", "
			}
			x.what += s
		}
		out = append(out, x)
	}
	return out
}
