package values

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/view"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
	"coredbg/stack"
)

// Frames reads what the frames of a session's threads have in them. It implements commands.FrameReader.
type Frames struct{ session *commands.Session }

// NewFrames returns the reader of a session's frames.
func NewFrames(s *commands.Session) Frames { return Frames{s} }

// Arguments adds the arguments of native frames to a stack: a line of text each, and in JSON an object with their
// names as keys. The stack was made with o.
func (x Frames) Arguments(ctx context.Context, t *core.Thread, st *stack.Stack, o stack.Options) {
	s := x.session
	if len(st.Frames) == 0 {
		return
	}
	if st.Deep() {
		st.Again(described(ctx, s, t, o, pieceFrames))
	}
	all := activationsWith(ctx, s, t, stack.Options{Lines: true, Limit: reach(st.Frames)})
	byIndex := make(map[int][]*activation, len(all)) // of inlined calls without a number of their own several
	for _, a := range all {
		byIndex[a.Index] = append(byIndex[a.Index], a)
	}
	for i := range st.Frames {
		f := &st.Frames[i]
		list := byIndex[f.Index]
		if len(list) == 0 {
			continue
		}
		a := list[0]
		byIndex[f.Index] = list[1:]
		if a.PC == f.PC {
			describe(s, f, a)
		}
	}
}

// pieceFrames is how many frames of a deep stack are described at a time.
const pieceFrames = 1 << 10

// described yields all frames of a thread that o wants, each lent, with the function that adds its arguments.
// It holds piece frames and aheadFrames more.
func described(ctx context.Context, s *commands.Session, t *core.Thread, o stack.Options,
	piece int) iter.Seq[*stack.Frame] {
	return func(yield func(*stack.Frame) bool) {
		keep, framed := o.Keep, 0
		var all []*activation
		o.Keep, o.Each = nil, noteActivation(s, &all)
		deliver := func(n int) bool {
			link(s, t, all[:framed])
			for _, a := range all[:n] {
				a.Detail = func(f *stack.Frame) { describe(s, f, a) }
				if (keep == nil || keep(&a.Frame)) && !yield(&a.Frame) {
					return false
				}
			}
			all, framed = slices.Delete(all, 0, n), framed-n
			return true
		}
		for f := range s.Stacks.Every(ctx, t, o) {
			all[framed].Frame = *f
			if framed++; framed == piece+aheadFrames && !deliver(piece) {
				return
			}
		}
		deliver(framed)
	}
}

// describe adds the arguments of an activation to its frame.
func describe(s *commands.Session, f *stack.Frame, a *activation) {
	switch {
	case a.scope() != nil:
		addArguments(s, f, a)
	case a.variables != nil && a.known():
		addManaged(f, a)
	}
}

// addManaged adds the arguments of a frame of managed code.
func addManaged(f *stack.Frame, a *activation) {
	var list []*view.Node
	variables, _ := a.variables()
	for i := range variables {
		v := &variables[i]
		if v.Kind != "argument" {
			continue
		}
		n := managedNode(v)
		n.Name = v.Name
		list = append(list, n)
		text := (view.Form{}).Leaf(n)
		if head, _, ok := strings.Cut(text, " {"); ok && len(text) > view.LineWidth {
			text = head + " { … }" // too much for a line of a stack
		}
		f.ExtraText = append(f.ExtraText, sym.Clean(v.Name)+" = "+text)
	}
	addJSON(f, list)
}

// addJSON adds arguments as one object.
func addJSON(f *stack.Frame, list []*view.Node) {
	if len(list) == 0 {
		return
	}
	if text, err := json.Marshal(&view.Node{Kind: view.Object, List: list}); err == nil {
		f.Extra = append(f.Extra, stack.Extra{Key: "arguments", Value: text})
	}
}

func addArguments(s *commands.Session, f *stack.Frame, a *activation) {
	w := view.New(s)
	w.Depth, w.Limit = 2, 8
	var list []*view.Node
	for _, v := range a.scope().Vars {
		if v.Kind != dwarf.Argument || v.Name == "" || v.Name[0] == '.' {
			continue
		}
		n := w.View(v.Name, a.value(v), 0)
		list = append(list, n)
		line := (view.Form{}).Flat(n, view.LineWidth)
		if line == "" {
			line = "{ … }" // too much for a line of a stack
		}
		f.ExtraText = append(f.ExtraText, sym.Clean(n.Name)+" = "+line)
	}
	addJSON(f, list)
}
