package native

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash"
)

var mutexCommands = []commands.Command{{
	Name: "mutexes", Addr: commands.AddrNone,
	Summary: "show the locks that threads wait for, and who holds them",
	Detail: `Shows each pthread mutex of glibc or musl that a thread waits for without a limit of time, with
the thread that holds it, each read-write lock of glibc, with the thread that writes or how many
read, and each thread whose end another one waits for (pthread_join). What is asked
of the kernel is read from the waiting thread's registers; locks that nobody waits for are not
found. ::deadlock shows circles.`,
	Example: "::mutexes",
	Nothing: "no thread waits for a lock that another one holds",
	SeeAlso: []string{"deadlock", "stacks", "threads"},
	Run:     runMutexes,
}}

// A mutexRecord is a lock that threads wait for.
type mutexRecord struct {
	_       out.Record `record:"mutex"`
	At      core.Addr  `json:"addr" dot:"always"`
	Kind    string     `json:"kind"` // mutex, rwlock; thread: its end is waited for
	Name    string     `json:"name,omitempty"`
	Owner   int        `json:"owner"`             // the id of the thread that holds it, or that is to end; 0 if others read
	Readers int        `json:"readers,omitempty"` // how many threads hold it to read
	Waiters []int      `json:"waiters"`           // ids of the threads that wait
}

// Header writes the names of the columns.
func (r *mutexRecord) Header(w *out.Writer) {
	w.Printf("%-18s %-7s %8s  %s\n", "ADDR", "KIND", "OWNER", "WAITERS")
}

// Text writes the lock's line.
func (r *mutexRecord) Text(w *out.Writer) {
	var ids []string
	for _, id := range r.Waiters {
		ids = append(ids, fmt.Sprint(id))
	}
	w.Cell(out.Addr, 18, r.At.String())
	owner := strconv.Itoa(r.Owner)
	if r.Readers > 0 {
		owner = strconv.Itoa(r.Readers) + " read"
	}
	w.Printf(" %-7s %8s  %s", r.Kind, owner, strings.Join(ids, " "))
	if r.Name != "" {
		w.Printf("  ")
		w.Paint(out.Symbol, "%s", r.Name)
	}
	w.Printf("\n")
}

func runMutexes(ctx context.Context, c *commands.Call) error {
	s := c.Session
	if len(s.Process.Threads) == 0 {
		return commands.NoThreads(s.Process)
	}
	var list []*mutexRecord
	known := map[core.Addr]*mutexRecord{}
	for _, w := range crash.Waits(ctx, s.Process) {
		r := known[w.At]
		if r == nil {
			r = &mutexRecord{At: w.At, Kind: w.Kind, Readers: w.Readers, Name: crash.Symbolic(s.Process, s.Symbols, w.At)}
			if w.Owner != nil {
				r.Owner = w.Owner.TID
			}
			known[w.At], list = r, append(list, r)
		}
		r.Waiters = append(r.Waiters, w.Thread.TID)
	}
	return commands.EmitAll(c, list)
}
