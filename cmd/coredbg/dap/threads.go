package dap

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strconv"

	protocol "github.com/google/go-dap"

	"coredbg/cmd/coredbg/ask"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash"
	"coredbg/runtimes"
	"coredbg/stack"
)

const (
	maxThreads = 100_000 // in an answer
	maxTasks   = 1000    // tasks in an answer to a request without a page
	taskReach  = 32      // frames of a task that are searched for its innermost function
	idRound    = 1_000_000
)

// A threadList numbers the threads that an editor sees: the threads of the system, which have their own ids,
// then the tasks that no thread runs, such as goroutines, and then the calls that wait off the stack, such as
// calls of async functions.
type threadList struct {
	all     []*core.Thread
	of      []family    // of the tasks and the calls
	threads int         // how many of all are threads
	first   int         // the id of the first task: a round number beyond each id of a thread
	at      map[int]int // where a thread is, by its id
	missing string      // why calls are missing from the list; "" if none are
}

// A family is the tasks or calls of one runtime.
type family struct {
	command string                     // groups them
	hides   func(function string) bool // reports whether a function belongs to the runtime
	calls   bool                       // they are calls, and where they wait matters
}

// list returns the threads, tasks and calls of the core.
func (s *Server) list(q *ask.Query) *threadList {
	if s.listed != nil {
		return s.listed
	}
	x := &threadList{at: map[int]int{}}
	for i, t := range q.Session().Process.Threads {
		if _, twice := x.at[t.TID]; !twice {
			x.at[t.TID] = i
		}
		x.first = max(x.first, t.TID)
	}
	x.first = (x.first/idRound + 1) * idRound
	x.threads = len(q.Session().Process.Threads)
	x.all = q.Session().Process.Threads[:x.threads:x.threads]
	tasks, of := q.Session().Tasks()
	for i, t := range tasks {
		x.all, x.of = append(x.all, t), append(x.of, family{command: crash.TaskCommand(t.Task.Kind),
			hides: of[i].OfRuntime})
	}
	for _, r := range q.Session().Found() {
		if k, ok := r.(runtimes.Suspender); ok {
			x.suspended(q.Context(), k)
		}
	}
	if q.Context().Err() == nil {
		s.listed = x
	}
	return x
}

// suspended adds the calls that wait off the stack.
func (x *threadList) suspended(ctx context.Context, k runtimes.Suspender) {
	calls, err := k.Suspended(ctx)
	if err != nil {
		x.missing = err.Error()
	}
	for _, t := range calls {
		x.all, x.of = append(x.all, t), append(x.of, family{command: crash.TaskCommand(t.Task.Kind), calls: true})
	}
}

// id returns the id of the thread or task at a place of the list.
func (x *threadList) id(i int) int {
	if i < x.threads {
		return x.all[i].TID
	}
	return x.first + i - x.threads
}

// find returns the place of an id, or -1.
func (x *threadList) find(id int) (int, *core.Thread) {
	i, ok := x.at[id]
	if !ok {
		if i = id - x.first + x.threads; id < x.first || i < x.threads || i >= len(x.all) {
			return -1, nil
		}
	}
	return i, x.all[i]
}

// A page is a part of the list that a request asks for. DAP has no arguments for threads; these are named like the
// arguments for modules. The zero page is all threads and the first tasks.
type page struct {
	StartThread int `json:"startThread"`
	ThreadCount int `json:"threadCount"`
}

// A threadsBody is an answer to threads.
type threadsBody struct {
	Threads []protocol.Thread `json:"threads"`
	Total   int               `json:"totalThreads"` // tasks included
}

func (s *Server) threads(ctx context.Context, q *ask.Query, p page) (*threadsBody, error) {
	x := s.list(q)
	body := &threadsBody{Threads: []protocol.Thread{}, Total: len(x.all)}
	from, to := min(max(p.StartThread, 0), len(x.all)), 0
	if p.ThreadCount > 0 {
		to = from + min(p.ThreadCount, maxThreads, len(x.all)-from)
	} else {
		to = s.unpaged(x)
	}
	for i := from; i < to; i++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		body.Threads = append(body.Threads, protocol.Thread{Id: x.id(i), Name: x.describe(ctx, q, i)})
	}
	if p != (page{}) {
		return body, nil
	}
	return body, s.tell(x.left(to))
}

// tell writes lines to the editor's console.
func (s *Server) tell(lines []string) error {
	for _, l := range lines {
		if err := s.event("output", &protocol.OutputEventBody{Category: "console", Output: out.Clean(l, false) +
			"\n"}); err != nil {
			return err
		}
	}
	return nil
}

// left says which threads, tasks and calls an answer with the first n lacks.
func (x *threadList) left(n int) (lines []string) {
	if left := len(x.all) - n; left > 0 {
		text := fmt.Sprintf("%d of %d threads and tasks are not listed: ask with startThread and threadCount, or with \"tasks\" in launch.json.",
			left, len(x.all))
		if n >= x.threads {
			text += " " + x.of[n-x.threads].command + " groups them."
		}
		lines = append(lines, text)
	}
	if x.missing != "" {
		lines = append(lines, "Calls that wait are not listed: "+x.missing+".")
	}
	return lines
}

// unpaged returns how many of the list an answer without a page has.
func (s *Server) unpaged(x *threadList) int {
	tasks := s.tasks
	if tasks <= 0 {
		tasks = maxTasks
	}
	return min(x.threads+min(tasks, len(x.all)-x.threads), maxThreads)
}

// describe returns a line about the thread or task at a place of the list.
func (x *threadList) describe(ctx context.Context, q *ask.Query, i int) string {
	t := x.all[i]
	name, state := q.Session().Stacks.Describe(t)
	text := strconv.Itoa(t.TID)
	if t.Task != nil {
		text = t.String()
	}
	if name != "" {
		text += " " + out.Clean(name, false)
	}
	if i >= x.threads {
		if does := x.of[i-x.threads].doing(q.Session().Stacks.Thread(ctx, t,
			stack.Options{Limit: taskReach})); does != "" {
			text += " " + out.Clean(does, false)
		}
	}
	if state != "" && state != "Native" {
		text += " (" + out.Clean(state, false) + ")"
	}
	return text
}

// doing returns the innermost function of a task outside of its runtime, or the function of a call with its
// place; "" if there is no such function.
func (k *family) doing(st *stack.Stack) string {
	for i := range st.Frames {
		switch f := &st.Frames[i]; {
		case k.calls && f.File != "" && f.Line > 0:
			return fmt.Sprintf("%s (%s:%d:%d)", cmp.Or(f.Name, "<anonymous>"), path.Base(f.File), f.Line, f.Column)
		case k.calls:
			return cmp.Or(f.Name, "<anonymous>")
		case f.Name != "" && f.Kind != runtimes.Stub && !k.hides(f.Name):
			return f.Name
		}
	}
	return ""
}
