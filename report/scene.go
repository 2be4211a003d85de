package report

import (
	"context"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/native"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/crash"
	"coredbg/stack"
)

// A Place is a frame of the program's own code with its source and its variables.
type Place struct {
	Index    int
	Name, At string
	Lines    []Line
	Why      string // the reason why there are no lines
	Values   []string
	Open     bool
	Command  string
}

// A Line is a line of source.
type Line struct {
	Number int
	Text   string
	Here   bool // the frame is in this line
}

// maxPlaces bounds the frames that are shown with their source, and maxWide a line of source in bytes.
const (
	maxPlaces = 12
	maxWide   = 400
)

// places returns the frames of the program's own code on the stack of the thread that died, the innermost
// first, and the thread's id. more is the number of such frames that are left out.
func places(ctx context.Context, s *commands.Session, v *crash.Verdict) (list []Place, tid, more int) {
	if v.Stack == nil || v.Stack.Thread == nil || s.Frames == nil {
		return nil, 0, 0
	}
	st := v.Stack
	frames, more := native.OwnFrames(s, st, maxPlaces)
	s.Frames.Brief(ctx, st.Thread, st, commands.ArgumentsScalars)
	wanted := map[int]bool{}
	for _, i := range frames {
		wanted[st.Frames[i].Index] = true
	}
	scenes := map[int]*commands.Scene{}
	for _, x := range s.Frames.Scenes(ctx, st.Thread, wanted) {
		scenes[x.Frame] = x
	}
	open := -1
	if x := s.Frames.Scene(ctx, st.Thread); x != nil {
		open = x.Frame
	}
	if !wanted[open] && len(frames) > 0 {
		open = st.Frames[frames[0]].Index
	}
	nameless := false
	for _, i := range frames {
		f := &st.Frames[i]
		if was := nameless; f.Name == "" && f.File == "" && scenes[f.Index] == nil {
			if nameless = true; was { // a second one says no more than the first
				more++
				continue
			}
		} else {
			nameless = false
		}
		r := (*commands.FrameRecord)(f)
		p := Place{Index: f.Index, Name: r.Label(), At: r.Place(), Open: f.Index == open,
			Command: frameCommand(st.Thread, f.Index)}
		if f.Args != "" {
			p.Name += " (" + f.Args + ")"
		}
		if x := scenes[f.Index]; x != nil {
			p.add(x)
		}
		list = append(list, p)
	}
	return list, st.Thread.TID, more
}

// thrownBefore reports whether the error that ended the process has a stack of its own whose innermost
// function has returned.
func thrownBefore(v *crash.Verdict) bool {
	if v.Stack == nil || len(v.Causes) == 0 || len(v.Causes[0].Trace) == 0 {
		return false
	}
	thrower := v.Causes[0].Trace[0].Name
	return thrower != "" && !slices.ContainsFunc(v.Stack.Frames, func(f stack.Frame) bool { return f.Name == thrower })
}

// frameCommand returns the line that shows a frame's variables.
func frameCommand(t *core.Thread, index int) string {
	if t.Crashed {
		return "::frame " + decimal(index) + "; ::locals"
	}
	return "::thread " + decimal(t.TID) + "; ::frame " + decimal(index) + "; ::locals"
}

// add takes a scene's source and values.
func (p *Place) add(x *commands.Scene) {
	for _, l := range x.Lines {
		text := strings.ReplaceAll(l.Text, "\t", "    ")
		if len(text) > maxWide {
			text = text[:maxWide] + "…"
		}
		p.Lines = append(p.Lines, Line{l.Number, sym.Clean(text), l.Number == x.Line})
	}
	if len(p.Lines) == 0 && x.Why != nil {
		p.Why = x.Why.Error()
	}
	p.Values = x.Values
}
