package wait

import (
	"context"
	"maps"
	"slices"

	"coredbg/core"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// Limits of the search.
const (
	maxGoWaiters = 1 << 12 // that wait for locks and channels
	maxGoWords   = 1 << 10 // words of a frame
	goFarther    = 16      // words of an object that a frame has the address of
	goSpill      = 10      // words above a frame that its arguments are kept in
	maxGoFrames  = 12      // of a goroutine, of its program
	maxGoTries   = 1 << 26 // addresses that are compared, in all
)

// A TaskHolder is a task that holds what another one waits for, or that is to send, receive or be done.
type TaskHolder struct {
	Thread *core.Thread
	Frame  *stack.Frame // of the function that does
	Line   int          // where it has taken a lock; 0 if it is to do something
	weak   bool         // on another way it gives the lock back before
}

// A TaskLink is a task that waits, and who it waits for.
type TaskLink struct {
	Thread *core.Thread
	Kind   string    // "sync.Mutex", "sync.RWMutex", "sync.WaitGroup", "channel"
	Does   string    // the function that waits: "sync.(*Mutex).Lock", "send"
	At     core.Addr // of the lock or channel
	Frame  *stack.Frame
	Holder TaskHolder

	held   *heldTasks // by whom; shared with all that wait for the same in the same way
	frames []goFrame
}

// heldTasks are the tasks that can end a wait: who holds, or will do something, but not the one that waits,
// unless it holds the lock itself.
type heldTasks struct {
	list    []TaskHolder
	at      map[*core.Thread]int // where each is in the list
	waiting []*TaskLink          // who waits
	stuck   int                  // how many of the list wait without end
	first   int                  // no task before it in the list waits; see ender
}

// own reports whether a waiting task counts as one of the tasks that can end its wait: a holder of the
// lock does.
func (w *TaskLink) own() bool { return w.Kind != "channel" && w.Kind != "sync.WaitGroup" }

// A goFrame is a function of the program on the stack of a goroutine.
type goFrame struct {
	frame *stack.Frame // the innermost one of the program that is inlined into it
	pc    core.Addr    // in the call
	ret   core.Addr
	sp    core.Addr
	cfa   core.Addr
}

// A goSearch looks for goroutines that wait for each other.
type goSearch struct {
	ctx     context.Context
	threads *where.Threads
	k       runtimes.TaskWaiter
	code    goCoder
	words   map[core.Addr][]core.Addr // of frames, by their stack pointers
	stacks  map[*core.Thread]*stack.Stack
	farther map[core.Addr][]core.Addr // words of the objects that a frame points to
	tries   int
}

// TaskCircles returns the tasks of a runtime that wait for each other, each circle once. Nothing in the
// process says who holds what: it is taken from the code of functions on their stacks.
func TaskCircles(ctx context.Context, threads *where.Threads, k runtimes.TaskWaiter) (circles [][]*TaskLink) {
	if threads.Process.Arch == nil || threads.Symbols == nil {
		return nil
	}
	x := &goSearch{ctx: ctx, threads: threads, k: k, words: map[core.Addr][]core.Addr{},
		stacks:  map[*core.Thread]*stack.Stack{},
		farther: map[core.Addr][]core.Addr{},
		code:    goCoder{p: threads.Process, symbols: threads.Symbols, known: map[core.Addr]*goFunction{}}}
	tasks := k.Tasks()
	waits := map[*core.Thread]*TaskLink{}
	for _, t := range tasks {
		if len(waits) == maxGoWaiters || ctx.Err() != nil {
			break
		}
		if w := x.waitOf(t); w != nil {
			waits[t] = w
		}
	}
	if !x.mayCircle(waits, tasks) {
		return nil
	}
	x.findHolders(waits, append(slices.Clone(tasks), threads.Process.Threads...))
	stuck(waits)
	return taskCircles(tasks, waits)
}

// mayCircle reports whether tasks may wait for each other. It knows from the stacks of the tasks that wait:
// what any other task holds can only end their waits.
func (x *goSearch) mayCircle(waits map[*core.Thread]*TaskLink, tasks []*core.Thread) bool {
	var some []*core.Thread
	for _, t := range tasks {
		if waits[t] != nil {
			some = append(some, t)
		}
	}
	x.findHolders(waits, some)
	left := maps.Clone(waits)
	stuck(left)
	for _, w := range waits {
		w.held = nil
	}
	all := x.tries <= maxGoTries && x.ctx.Err() == nil
	x.tries = 0
	return len(left) > 0 || !all
}

// stuck removes each task whose wait a task outside the set can end, until no such task is left. A WaitGroup
// needs all its holders, so one that is stuck is enough.
func stuck(waits map[*core.Thread]*TaskLink) {
	of := map[*core.Thread][]*heldTasks{} // where a task is among the tasks that can end a wait
	known := map[*heldTasks]bool{}
	var todo []*TaskLink
	for _, w := range waits {
		todo = append(todo, w)
		if w.held == nil || known[w.held] {
			continue
		}
		known[w.held] = true
		w.held.stuck = 0
		for _, h := range w.held.list {
			of[h.Thread] = append(of[h.Thread], w.held)
			if waits[h.Thread] != nil {
				w.held.stuck++
			}
		}
	}
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if waits[w.Thread] == nil || w.isStuck() {
			continue
		}
		delete(waits, w.Thread)
		for _, x := range of[w.Thread] {
			x.stuck--
			todo = append(todo, x.changed()...)
		}
	}
}

// isStuck reports whether no task can end a wait that does not wait without end itself.
func (w *TaskLink) isStuck() bool {
	if w.held == nil {
		return false
	}
	all, left := len(w.held.list), w.held.stuck
	if _, self := w.held.at[w.Thread]; self && !w.own() {
		all, left = all-1, left-1
	}
	return left > 0 && (left == all || w.Kind == "sync.WaitGroup")
}

// changed returns the tasks that may not be stuck any more after one less of the tasks that can end
// their wait is. Waiters for a lock or a channel are free with the first, waiters for a WaitGroup with
// the last but one, which may be their own.
func (x *heldTasks) changed() []*TaskLink {
	if len(x.waiting) > 0 && x.waiting[0].Kind == "sync.WaitGroup" && x.stuck > 1 || x.stuck < len(x.list)-2 {
		return nil
	}
	return x.waiting
}

// ender returns the first of the tasks who can end a wait that waits without end itself.
func (w *TaskLink) ender(waits map[*core.Thread]*TaskLink) TaskHolder {
	x := w.held
	for x.first < len(x.list) && waits[x.list[x.first].Thread] == nil {
		x.first++
	}
	i := slices.IndexFunc(x.list[x.first:], func(h TaskHolder) bool {
		return waits[h.Thread] != nil && (h.Thread != w.Thread || w.own())
	})
	return x.list[x.first+i]
}

// taskCircles follows from each task to the first that it waits for, in the order of the runtime's list.
func taskCircles(tasks []*core.Thread, waits map[*core.Thread]*TaskLink) (circles [][]*TaskLink) {
	done := map[*core.Thread]bool{}
	for _, t := range tasks {
		at := map[*core.Thread]int{}
		var list []*TaskLink
		for w := waits[t]; w != nil && !done[w.Thread]; w = waits[w.Holder.Thread] {
			if from, again := at[w.Thread]; again {
				circles = append(circles, list[from:])
				break
			}
			w.Holder = w.ender(waits)
			at[w.Thread] = len(list)
			list = append(list, w)
		}
		for _, w := range list {
			done[w.Thread] = true
		}
	}
	return circles
}

// top returns the stack of a task.
func (x *goSearch) top(t *core.Thread) *stack.Stack {
	st, ok := x.stacks[t]
	if !ok {
		st = x.threads.Top(x.ctx, t)
		x.stacks[t] = st
	}
	return st
}

// waitOf returns what a task waits for, nil if that is nothing that another task has.
func (x *goSearch) waitOf(t *core.Thread) *TaskLink {
	list := x.k.TaskWaits(t)
	if len(list) != 1 { // a select has several ways on
		return nil
	}
	st := x.top(t)
	if st == nil {
		return nil
	}
	w := &TaskLink{Thread: t, At: list[0].At, frames: x.framesOf(st)}
	if len(w.frames) == 0 {
		return nil
	}
	w.Frame = w.frames[0].frame
	for i := range st.Frames {
		f := &st.Frames[i]
		if !x.k.OfRuntime(f.Name) {
			break
		}
		if does := goDoes(f.Name); does != "" {
			w.Does = does
		}
	}
	switch does := w.Does; {
	case list[0].Channel && (does == goSend || does == goReceive):
		w.Kind = "channel"
	case list[0].Channel:
		return nil
	case does == goLock:
		w.Kind, w.At = "sync.Mutex", w.At-4
	case does == goRLock:
		w.Kind, w.At = "sync.RWMutex", w.At-12
	case does == goRWLock:
		w.Kind = "sync.RWMutex"
		if w.At -= 8; slices.ContainsFunc(st.Frames, func(f stack.Frame) bool { return goDoes(f.Name) == goLock }) {
			w.At += 4 // for others that write, by the mutex that it begins with
		}
	case does == goWait:
		w.Kind, w.At = "sync.WaitGroup", w.At-8
	default:
		return nil
	}
	return w
}

// framesOf returns the functions of the program on a stack, innermost first.
func (x *goSearch) framesOf(st *stack.Stack) (list []goFrame) {
	var first *stack.Frame
	for i := range st.Frames {
		f := &st.Frames[i]
		if first == nil && f.Name != "" && !x.k.OfRuntime(f.Name) {
			first = f
		}
		if f.Inlined {
			continue
		}
		if first != nil && f.Kind == runtimes.Native && !x.k.OfRuntime(f.Name) {
			pc := f.PC
			if i > 0 && st.Frames[i-1].Kind != runtimes.Signal {
				pc--
			}
			cfa := f.CFA
			if cfa < f.SP {
				cfa = f.SP
			}
			list = append(list, goFrame{first, pc, f.PC, f.SP, cfa})
		}
		if first = nil; len(list) == maxGoFrames {
			break
		}
	}
	return list
}
