package frames

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/stack"
	"coredbg/walk"
)

var jsframeCommand = commands.Command{
	Name: "jsframe", Module: target.Module, Often: "vln", Addr: commands.AddrRequired,
	Options: []commands.Option{
		{Letter: 'a', Help: "show the frame also if it is native or internal"},
		{Letter: 'i', Help: "show the words of the frame around its frame pointer"},
		{Letter: 'v', Help: "show the kind of code, this and the arguments"},
		{Letter: 'l', Help: "show the local variables"},
		{Letter: 'n', Arg: "lines", Help: "show this many lines of source on each side of the position"},
		commands.RawOption,
	},
	Summary: "show the JavaScript frame at a frame pointer",
	Detail: `The address is the frame's saved frame pointer, as $C and ::jsstack -a
show it in their first column. An optimised frame may stand for several calls:
all are shown, the innermost first.

` + frameHelp,
	Example: "::walk jsframe | ::jsframe -v",
	SeeAlso: []string{"jsstack", "$C"},
	Run:     runFrame,
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
	v, err := target.V8(c)
	if err != nil {
		return err
	}
	around := -1
	if c.Flag('n') {
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
		if !c.Flag('a') && !stack.Managed((*stack.Frame)(&f.FrameRecord)) {
			continue
		}
		if c.Flag('i') && i == len(frames)-1 {
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
	more := &detail{v: v, verbose: c.Flag('v'), locals: c.Flag('l')}
	for _, t := range threadsNear(c.Session.Process, c.Dot) {
		var found []*frameRecord
		rec := c.Session.Stacks.Thread(ctx, t, stack.Options{
			ManagedOnly: !c.Flag('a'), Raw: c.Flag('R'),
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
	if !c.Flag('R') {
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
			Tier: src.Tier, Inlined: src.Inlined, Async: src.Async, Function: src.Function, Callback: src.Callback,
			Note: src.Note, Unmapped: src.Unmapped, Generated: src.Generated,
		}}
		more.add((*stack.Frame)(&fr.FrameRecord), &f, src)
		found = append(found, fr)
	}
	return found
}

// threadsNear returns the threads whose stack pointer is in a's mapping, below a.
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

// frameWords returns the words around a frame pointer, with their meanings.
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
