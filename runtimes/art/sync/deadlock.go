package sync

import (
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/juc"
)

// Waits returns the waits that known threads can end and that do not end by themselves, in the order of
// threads. The caller must not change them. The error says which thread could not be read.
func (an *Analyzer) Waits() ([]Wait, error) { return an.waits() }

func (an *Analyzer) readWaits() (out []Wait, err error) {
	threads, err := an.Threads()
	for _, t := range threads {
		if t.Problem != "" && err == nil {
			err = fmt.Errorf("art: thread %v: %s", t.Addr, t.Problem)
		}
		if err == nil && !an.knowsPark(t) {
			err = core.Unknown(fmt.Errorf("art: what thread %v is parked for: the fields of its java.lang.Thread are not known", t.Addr))
		}
		if w, ok := an.WaitFor(t); ok && w.Owner != nil && w.Kind != "wait" && w.Kind != "sleep" &&
			t.State != "TimedWaiting" {
			out = append(out, w)
		}
	}
	return out, err
}

// Deadlocks returns the circles of threads that wait for each other. Each thread of a
// circle waits for the next, the last for the first. A circle begins with the thread of
// the lowest id. The error says which thread could not be read, so that there may be
// others.
func (an *Analyzer) Deadlocks() ([][]Wait, error) {
	all, err := an.Waits()
	out := juc.Deadlocks(all, func(w *Wait) juc.Edge[*frame.Thread] {
		return juc.Edge[*frame.Thread]{Thread: w.Thread, Owners: w.Owners, Any: w.Any}
	}, func(w Wait, next *frame.Thread) Wait {
		w.Owner, w.Owners = next, juc.First(w.Owners, next)
		return w
	})
	for i := range out {
		out[i] = fromLowest(out[i])
	}
	slices.SortFunc(out, func(x, y []Wait) int { return x[0].Thread.ID - y[0].Thread.ID })
	return out, err
}

// knowsPark reports whether it is known what a thread that waits is parked for, or that
// it is not: the names of fields are in dex files.
func (an *Analyzer) knowsPark(t *frame.Thread) bool {
	if t.State != "Waiting" && t.State != "TimedWaiting" {
		return true
	}
	peer, err := an.Object(t.Peer)
	if err != nil {
		return t.Peer == 0
	}
	_, ok := an.RefField(peer, "parkBlocker")
	return ok
}

// fromLowest returns a circle from the thread with the lowest id on.
func fromLowest(circle []Wait) []Wait {
	first := 0
	for i := range circle {
		if circle[i].Thread.ID < circle[first].Thread.ID {
			first = i
		}
	}
	return append(slices.Clone(circle[first:]), circle[:first]...)
}
