package crash

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// Bounds of what is said of tasks: how many of them are looked at, and how many groups are listed.
const (
	maxTasks  = 1 << 16
	maxGroups = 5
)

// A taskGroup is of tasks that do the same in the same place.
type taskGroup struct{ kind, state, at string }

// tasks says what the tasks of a runtime, such as goroutines, wait for that no thread runs, and where: the
// largest groups of them. The runtime's own are left out.
func (x *examination) tasks() []string {
	if x.s.Runtimes == nil {
		return nil
	}
	count, longest := map[taskGroup]int{}, map[taskGroup]time.Duration{}
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
			f := x.threads.Frame(x.ctx, t, func(f *stack.Frame) bool { return f.Name != "" && !k.OfRuntime(f.Name) })
			if f == nil {
				continue
			}
			g := taskGroup{t.Task.Kind, t.State, where.Frame(f)}
			count[g]++
			longest[g] = max(longest[g], t.Task.Waited)
		}
	}
	groups := slices.SortedFunc(maps.Keys(count), func(a, b taskGroup) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(longest[b], longest[a]), cmp.Compare(a.state, b.state), cmp.Compare(a.at, b.at))
	})
	var out []string
	for _, g := range groups[:min(len(groups), maxGroups)] {
		words := fmt.Sprintf("%d %ss: %s, under %s", count[g], g.kind, g.state, g.at)
		if count[g] == 1 {
			words = fmt.Sprintf("a %s: %s, under %s", g.kind, g.state, g.at)
		}
		switch d := longest[g].Round(time.Second); {
		case d == 0:
		case count[g] == 1:
			words += fmt.Sprintf(", for at least %v", d)
		default:
			words += fmt.Sprintf(", the longest for at least %v", d)
		}
		out = append(out, words)
	}
	if n := len(groups) - maxGroups; n > 0 {
		out = append(out, fmt.Sprintf("tasks wait in %d other places", n))
	}
	if seen > maxTasks {
		out = append(out, fmt.Sprintf("no more than %d tasks were looked at", maxTasks))
	}
	return out
}

// occupied adds to a finding what tasks wait for, if there are any.
func (x *examination) occupied(f *finding) {
	if words := x.tasks(); len(words) > 0 {
		f.evidence, f.next = append(f.evidence, words...), slices.DeleteFunc(f.next, func(s string) bool { return s == "::goroutines -g" })
		f.next = append(f.next, "::goroutines -g")
	}
}
