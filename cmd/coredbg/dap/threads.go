package dap

import (
	"context"
	"fmt"
	"strconv"

	protocol "github.com/google/go-dap"

	"coredbg/cmd/coredbg/ask"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
)

const (
	maxThreads = 100_000 // in an answer
	maxTasks   = 1000    // tasks in an answer to a request without a page
	taskReach  = 32      // frames of a task that are searched for its innermost function
	idRound    = 1_000_000
)

// A threadList numbers the threads that an editor sees: the threads of the system, which have their own ids, and
// then the tasks that no thread runs, such as goroutines.
type threadList struct {
	all     []*core.Thread
	of      []runtimes.Tasker // of the tasks
	threads int               // how many of all are threads
	first   int               // the id of the first task: a round number beyond each id of a thread
	at      map[int]int       // where a thread is, by its id
}

// list returns the threads and tasks of the core.
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
	tasks, of := q.Session().Tasks()
	x.threads = len(q.Session().Process.Threads)
	x.all, x.of = append(q.Session().Process.Threads[:x.threads:x.threads], tasks...), of
	s.listed = x
	return x
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
	if left := len(x.all) - to; p == (page{}) && left > 0 {
		text := fmt.Sprintf("%d of %d threads and tasks are not listed: ask with startThread and threadCount, or with \"tasks\" in launch.json.",
			left, len(x.all))
		if to >= x.threads {
			text += " " + x.of[0].TaskCommand() + " groups them."
		}
		return body, s.event("output", &protocol.OutputEventBody{Category: "console", Output: text + "\n"})
	}
	return body, nil
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
		if does := doing(q.Session().Stacks.Thread(ctx, t, stack.Options{Limit: taskReach}), x.of[i-x.threads]); does != "" {
			text += " " + out.Clean(does, false)
		}
	}
	if state != "" && state != "Native" {
		text += " (" + out.Clean(state, false) + ")"
	}
	return text
}

// doing returns the innermost function of a task outside of its runtime; "" if there is no such function.
func doing(st *stack.Stack, r runtimes.Tasker) string {
	for i := range st.Frames {
		if f := &st.Frames[i]; f.Name != "" && !r.OfRuntime(f.Name) {
			return f.Name
		}
	}
	return ""
}
