package wait

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// TasksDeadlocked says which tasks of a runtime wait for each other, and where each holds what another one
// waits for; nil if none do, as far as the code on their stacks tells.
func TasksDeadlocked(ctx context.Context, threads *where.Threads, k runtimes.TaskWaiter) *Deadlock {
	all := TaskCircles(ctx, threads, k)
	if len(all) == 0 {
		return nil
	}
	// The circle whose functions come first by name stands for the bug: the order in the core is chance.
	first := slices.MinFunc(all, func(a, b []*TaskLink) int { return slices.Compare(namesOf(a), namesOf(b)) })
	d := &Deadlock{Title: fmt.Sprintf("%s waits for a lock that it holds itself", first[0].Thread)}
	if n := len(first); n > 1 {
		d.Title = fmt.Sprintf("%d %ss wait for each other", n, first[0].Thread.Task.Kind)
	}
	d.Frames = signedFrames(first)
	said, waiting := 0, 0
	all = append([][]*TaskLink{first}, slices.DeleteFunc(all, func(c []*TaskLink) bool { return c[0] == first[0] })...)
	for i, circle := range all {
		waiting += len(circle)
		if i >= maxCircles {
			continue
		}
		for _, w := range circle[:min(len(circle), maxWaits-said)] {
			d.Words = append(d.Words, w.Words(threads))
			said++
		}
	}
	if n := waiting - said; n > 0 {
		d.Words = append(d.Words, fmt.Sprintf("%d more wait so: circles in all: %d", n, len(all)))
	}
	d.Words = append(d.Words, "Go does not record who holds a lock: it is taken from the code of the functions on the stacks")
	return d
}

// namesOf returns the functions of a circle that wait, in alphabetical order.
func namesOf(circle []*TaskLink) (names []string) {
	for _, w := range circle {
		names = append(names, w.Frame.Name)
	}
	slices.Sort(names)
	return names
}

// signedFrames returns the frames that name the bug: for each task, in the order of their functions' names,
// the one that waits and the one that holds.
func signedFrames(circle []*TaskLink) (frames []stack.Frame) {
	sorted := slices.SortedFunc(slices.Values(circle), func(a, b *TaskLink) int {
		return slices.Compare([]string{a.Frame.Name, a.Holder.Frame.Name}, []string{b.Frame.Name, b.Holder.Frame.Name})
	})
	seen := map[string]bool{}
	for _, w := range sorted {
		for _, f := range []*stack.Frame{w.Frame, w.Holder.Frame} {
			if !seen[f.Name] {
				seen[f.Name] = true
				frames = append(frames, *f)
			}
		}
	}
	return frames
}

// Words returns a sentence: the task, the object that it waits for, and where that is held.
func (w *TaskLink) Words(threads *where.Threads) string {
	s := fmt.Sprintf("%s, in %s, ", w.Thread, where.Frame(w.Frame))
	name := where.Symbolic(threads.Process, threads.Symbols, w.At)
	if name != "" {
		name = " (" + name + ")"
	}
	h := w.Holder
	who := h.Thread.String()
	if h.Thread.Task == nil {
		who = fmt.Sprintf("thread %d", h.Thread.TID)
	}
	if h.Thread == w.Thread {
		who = "it"
	}
	switch w.Kind {
	case "channel":
		return s + fmt.Sprintf("waits to %s on the channel at %v%s, whose other end %s has, in %s", w.Does, w.At, name,
			who, where.Frame(h.Frame))
	case "sync.WaitGroup":
		return s + fmt.Sprintf("waits for the %s at %v%s, which %s, in %s, is to be done with", w.Kind, w.At, name, who,
			where.Frame(h.Frame))
	}
	how := ""
	switch w.Does {
	case goRLock:
		how = " to read"
	case goRWLock:
		how = " to write"
	}
	if h.Line == 0 {
		return s + fmt.Sprintf("waits for the %s at %v%s%s, which %s waits to write before, in %s", w.Kind, w.At, name,
			how, who, where.Frame(h.Frame))
	}
	return s + fmt.Sprintf("waits for the %s at %v%s%s, which %s has locked in %s", w.Kind, w.At, name, how,
		who, w.lockedIn())
}

// lockedIn says where the holder has taken the lock.
func (w *TaskLink) lockedIn() string {
	f := *w.Holder.Frame
	f.Line, f.Column = w.Holder.Line, 0
	if i := strings.LastIndexByte(f.File, '/'); i >= 0 && f.File == w.Frame.File {
		return fmt.Sprintf("%s (line %d)", f.Name, f.Line)
	}
	return where.Frame(&f)
}
