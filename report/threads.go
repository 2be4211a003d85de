package report

import (
	"context"
	"strconv"
	"strings"

	"coredbg/chart"
	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// A Thread is the threads that have one stack.
type Thread struct {
	Name, State, Signal string
	TIDs                string
	Count               int
	Crashed             bool
	Frames              []Frame
	More                int    // frames that are not shown
	Stop                string // why the walk ended, "" at the root
	Command             string
	At                  string // the function that says most about what it does
	Holds               bool   // its stack holds the suspect, in a frame that is not known

	ids []int
}

// A Frame is a frame of a stack.
type Frame struct {
	Index        int
	Mark, Trust  string // how it was found: the letter of ::stack, and in words
	Label, Place string
	Kind         string // of stack.Frame
	Dim          bool   // of the machinery, not of the program
	Holds        bool   // a variable of it holds the suspect

	sp, end core.Addr // of its part of the stack
}

// maxFrames and maxThreads bound the stacks on the page: a recursion is long, and all of a long one
// says no more than its ends.
const (
	maxFrames  = 300
	maxThreads = 500
)

// threads returns the stacks of all threads, equal ones once, and the same as a tree for
// a flame graph. left is how many stacks are not shown.
func threads(ctx context.Context, s *commands.Session) (list []Thread, flame *chart.Node, left int, err error) {
	var groups stack.Groups
	for rec := range s.Stacks.All(ctx, s.Process.Threads, stack.Options{}) {
		groups.Add(rec)
	}
	tree := newTree("all threads")
	for _, g := range groups.Sorted() {
		tree.grow(g)
		if len(list) == maxThreads {
			left++
			continue
		}
		list = append(list, thread(s, g))
	}
	return list, tree.root, left, ctx.Err()
}

func thread(s *commands.Session, g *stack.Group) Thread {
	first := g.First
	t := Thread{Name: first.Thread.Name, State: first.State, Signal: first.Signal, Count: len(g.TIDs),
		Crashed: first.Thread.Crashed,
		Command: strconv.Itoa(g.TIDs[0]) + "::stack", ids: g.TIDs}
	if first.Name != "" {
		t.Name = first.Name
	}
	switch {
	case g.Mixed:
		t.State = "mixed"
	case t.State == "Native": // as ::stack, which says so of no thread
		t.State = ""
	}
	const most = 12
	var ids []string
	for _, id := range g.TIDs[:min(most, len(g.TIDs))] {
		ids = append(ids, strconv.Itoa(id))
	}
	if n := len(g.TIDs) - most; n > 0 {
		ids = append(ids, "and "+strconv.Itoa(n)+" more")
	}
	t.TIDs = strings.Join(ids, " ")
	for i := range first.Frames {
		if i >= maxFrames/2 && i < len(first.Frames)-maxFrames/2 {
			t.More++
			continue
		}
		t.Frames = append(t.Frames, frame(s, &first.Frames[i]))
	}
	t.At = atOf(s, first)
	if first.Stop != nil && first.Stop.Kind != walk.StopRoot {
		t.Stop = first.Stop.Error()
	}
	return t
}

// atOf returns the frame that says most about what a thread does: the innermost of managed code that belongs
// to the program, or else of any managed code; in native code the innermost with a name.
func atOf(s *commands.Session, t *stack.Stack) string {
	best, rank := -1, 0
	for i := range t.Frames {
		f, of := &t.Frames[i], 0
		switch {
		case stack.Managed(f) && f.Name != "" && stack.OfProgram(f):
			of = 3
		case stack.Managed(f) && f.Name != "":
			of = 2
		case f.Name != "":
			of = 1
		}
		if of > rank {
			best, rank = i, of
		}
	}
	if best < 0 && len(t.Frames) > 0 {
		best = 0
	}
	if best < 0 {
		return ""
	}
	return frame(s, &t.Frames[best]).Label
}

func frame(s *commands.Session, f *stack.Frame) Frame {
	r := (*commands.FrameRecord)(f)
	return Frame{Index: f.Index, Mark: string(f.Trust.Mark()), Trust: f.Trust.String(), Label: r.Label(),
		Place: r.Place(), Kind: string(f.Kind),
		Dim: f.Kind == runtimes.Stub || s.Noise(f.Name), sp: f.SP, end: f.CFA}
}

// A tree is a flame graph that grows.
type tree struct {
	root     *chart.Node
	children map[child]*chart.Node // where each is, for nodes may have very many
}

// A child is a node's by its label.
type child struct {
	of    *chart.Node
	label string
}

func newTree(name string) *tree {
	return &tree{root: &chart.Node{Name: name}, children: map[child]*chart.Node{}}
}

// grow adds the threads of a group, the outermost frames at the root.
func (t *tree) grow(g *stack.Group) {
	at := t.root
	frames := g.First.Frames
	for i := min(len(frames), maxFrames) - 1; i >= 0; i-- {
		label := (*commands.FrameRecord)(&frames[i]).Label()
		if frames[i].Name != "" && frames[i].Kind == runtimes.Native {
			label = frames[i].Name
		}
		key := child{at, label}
		next := t.children[key]
		if next == nil {
			next = &chart.Node{Name: label, Group: string(frames[i].Kind)}
			at.Children = append(at.Children, next)
			t.children[key] = next
		}
		at = next
	}
	at.Own += uint64(len(g.TIDs))
}
