package native

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash"
	"coredbg/crash/where"
)

var mutexCommands = []commands.Command{{
	Name: "mutexes", Addr: commands.AddrNone,
	Summary: "show what threads wait for: locks and who holds them, conditions, semaphores",
	Detail: `Shows what threads wait for in the C library, with the function that each one waits in: pthread
mutexes of glibc and musl with the thread that holds them, read-write locks with the thread
that writes or how many read, threads whose end others wait for (pthread_join), condition
variables with the mutex that was given up to wait, semaphores and barriers. Nobody
holds the last three, so they have no owner ("-"). Plain mutexes and read-write locks of musl do not
record who has locked them ("?"), nor do its condition variables keep the mutex. Those
that wait for a limited time are marked.

The system call is read from the waiting thread's registers, and the lock
from its stack; locks without waiters are not found. Semaphores, barriers and
locks of musl that have no owner are known by the names of the C library's functions.
::deadlock shows circles.`,
	Example:   "::mutexes",
	EmptyText: "no thread waits for a lock, a condition, a semaphore or another thread's end",
	SeeAlso:   []string{"deadlock", "stacks", "threads"},
	Run:       runMutexes,
}}

// A mutexRecord is what threads wait for.
type mutexRecord struct {
	_    out.Record `record:"mutex"`
	At   core.Addr  `json:"addr" dot:"always"`
	Kind string     `json:"kind"` // mutex, rwlock; thread: its end is waited for; condition, semaphore, barrier
	Name string     `json:"name,omitempty"`
	// the id of the thread that holds it, or that is to end; 0 if it is free, held by readers or unknown
	Owner      int       `json:"owner"`
	Unrecorded bool      `json:"unrecorded,omitempty"` // a thread holds it, and it is not recorded which
	Readers    int       `json:"readers,omitempty"`    // how many threads hold it to read
	Mutex      core.Addr `json:"mutex,omitempty"`      // that was given up to wait for a condition
	MutexName  string    `json:"mutex_name,omitempty"`
	Waiters    []int     `json:"waiters"`         // ids of the threads that wait
	In         []string  `json:"in"`              // the functions that they wait in; "" where that is not known
	Timed      []int     `json:"timed,omitempty"` // ids of threads that wait for a limited time
}

// Header writes the names of the columns.
func (r *mutexRecord) Header(w *out.Writer) {
	w.Printf("%-18s %-9s %8s  %s\n", "ADDR", "KIND", "OWNER", "WAITERS")
}

// Text writes the lock's line, and one for each function that threads wait in.
func (r *mutexRecord) Text(w *out.Writer) {
	w.Cell(out.Addr, 18, r.At.String())
	owner := strconv.Itoa(r.Owner)
	switch {
	case r.Unrecorded:
		owner = "?"
	case r.Readers > 0:
		owner = strconv.Itoa(r.Readers) + " read"
	case r.Owner == 0:
		owner = "-"
	}
	w.Printf(" %-9s %8s  %s", r.Kind, owner, r.ids(r.Waiters))
	if r.Name != "" {
		w.Printf("  ")
		w.Paint(out.Symbol, "%s", r.Name)
	}
	w.Printf("\n")
	if r.Mutex != 0 {
		w.Printf("%-18s gave up the mutex ", "")
		w.Paint(out.Addr, "%v", r.Mutex)
		if r.MutexName != "" {
			w.Printf(" ")
			w.Paint(out.Symbol, "%s", r.MutexName)
		}
		w.Printf("\n")
	}
	said := map[string]bool{}
	for _, in := range r.In {
		if in == "" || said[in] {
			continue
		}
		said[in] = true
		var ids []int
		for k, id := range r.Waiters {
			if r.In[k] == in {
				ids = append(ids, id)
			}
		}
		w.Printf("%-18s %s in %s\n", "", strings.Trim(fmt.Sprint(ids), "[]"), in)
	}
}

// ids returns threads' ids as text, with a mark for threads that wait for a limited time.
func (r *mutexRecord) ids(list []int) string {
	var words []string
	for _, id := range list {
		s := strconv.Itoa(id)
		if slices.Contains(r.Timed, id) {
			s += " (timed)"
		}
		words = append(words, s)
	}
	return strings.Join(words, " ")
}

func runMutexes(ctx context.Context, c *commands.Call) error {
	s := c.Session
	if len(s.Process.Threads) == 0 {
		return commands.NoThreads(s.Process)
	}
	type key struct{ at, mutex core.Addr }
	var list []*mutexRecord
	known := map[key]*mutexRecord{}
	name := func(a core.Addr) string { return where.Symbolic(s.Process, s.Symbols, a) }
	for _, w := range crash.Blocked(ctx, s.Subject()) {
		k := key{w.At, w.Mutex}
		r := known[k]
		if r == nil {
			r = &mutexRecord{At: w.At, Kind: w.Kind, Readers: w.Readers, Unrecorded: w.Unrecorded, Name: name(w.At),
				Mutex: w.Mutex}
			if w.Owner != nil {
				r.Owner = w.Owner.TID
			}
			if w.Mutex != 0 {
				r.MutexName = name(w.Mutex)
			}
			known[k], list = r, append(list, r)
		}
		r.Waiters, r.In = append(r.Waiters, w.Thread.TID), append(r.In, w.In)
		if w.Timed {
			r.Timed = append(r.Timed, w.Thread.TID)
		}
	}
	return commands.EmitAll(c, list)
}
