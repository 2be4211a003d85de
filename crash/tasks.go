package crash

import (
	"fmt"
	"slices"

	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// Bounds for tasks.
const (
	maxTasks  = 1 << 16 // tasks that are examined
	easeEvery = 1 << 12 // number of tasks after which memory read from the core is released, if it is much
)

// TaskCommand returns the command that groups tasks of a kind by their stacks; for a kind that is not known
// the one that shows each.
func TaskCommand(kind string) string {
	switch kind {
	case "goroutine":
		return "::goroutines -g"
	case "virtual thread":
		return "::javathreads -g"
	case "async call":
		return "::promises -p"
	}
	return "::stacks -a"
}

// A taskGroup is the tasks that do the same in the same place.
type taskGroup struct{ kind, state, at string }

// tasks groups the tasks of a runtime, such as goroutines, that no thread runs, by state and place. The
// runtime's own are left out.
func (x waiting) tasks() (list []*waitGroup) {
	if x.s.Runtimes == nil {
		return nil
	}
	known, stacks := map[taskGroup]*waitGroup{}, newStacksSeen(x.p)
	seen := 0
	for _, r := range x.s.Runtimes() {
		k, ok := r.(runtimes.Tasker)
		if !ok {
			continue
		}
		for _, t := range k.Tasks() {
			if seen++; seen > maxTasks || x.ctx.Err() != nil {
				break
			}
			if seen%easeEvery == 0 {
				x.p.Space.Ease()
			}
			if g := stacks.group(t); g != nil {
				g.took(t)
				continue
			}
			st := x.threads.Top(x.ctx, t)
			f := where.FrameOf(st, func(f *stack.Frame) bool { return f.Name != "" && !k.OfRuntime(f.Name) })
			if f == nil {
				continue
			}
			key := taskGroup{t.Task.Kind, t.State, where.Frame(f)}
			g := known[key]
			if g == nil {
				g = &waitGroup{class: classOfState(t.State), kind: key.kind, does: key.state, at: key.at,
					frames: from(st.Frames, f), first: t, next: TaskCommand(key.kind)}
				known[key], list = g, append(list, g)
			}
			g.took(t)
			stacks.add(t, st, g)
		}
	}
	slices.SortFunc(list, compareGroups)
	x.manyTasks = seen > maxTasks
	return list
}

// occupied adds to a finding what tasks wait for, if there are any, unless that is said.
func (x waiting) occupied(f *finding) {
	if x.saidTasks {
		return
	}
	x.saidTasks = true
	groups := x.tasks()
	if len(groups) > 0 {
		x.waited, x.waiter = groups[0].frames, groups[0].first
	}
	for _, g := range groups[:min(len(groups), maxGroups)] {
		f.evidence = append(f.evidence, g.words())
	}
	if n := len(groups) - maxGroups; n > 0 {
		f.evidence = append(f.evidence, fmt.Sprintf("tasks wait in %d other places", n))
	}
	if x.manyTasks {
		f.evidence = append(f.evidence, fmt.Sprintf("no more than %d tasks were looked at", maxTasks))
	}
	if len(groups) > 0 {
		next := groups[0].next
		f.next = append(slices.DeleteFunc(f.next, func(s string) bool { return s == next }), next)
	}
}
