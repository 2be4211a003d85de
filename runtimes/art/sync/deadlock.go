package sync

import (
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/frame"
)

// Deadlocks returns the circles of threads each of which waits for what the next
// one holds; the last waits for the first. Each circle begins with the thread of
// the lowest id. The error says which thread could not be read, so that there may be
// others.
func (an *Analyzer) Deadlocks() ([][]Wait, error) {
	threads, err := an.Threads()
	waits := map[*frame.Thread]Wait{}
	stuck := map[*frame.Thread]bool{}
	for _, t := range threads {
		if t.Problem != "" && err == nil {
			err = fmt.Errorf("art: thread %v: %s", t.Addr, t.Problem)
		}
		if err == nil && !an.knowsPark(t) {
			err = core.Unknown(fmt.Errorf("art: what thread %v is parked for: the fields of its java.lang.Thread are not known", t.Addr))
		}
		if w, ok := an.WaitFor(t); ok && w.Owner != nil && w.Kind != "wait" && w.Kind != "sleep" && t.State != "TimedWaiting" {
			waits[t], stuck[t] = w, true
		}
	}
	settle(waits, stuck)
	var out [][]Wait
	done := map[*frame.Thread]bool{}
	for _, t := range threads {
		var path []*frame.Thread
		for at := t; at != nil && stuck[at] && !done[at]; at = waits[at].Owner {
			if i := slices.Index(path, at); i >= 0 {
				out = append(out, circle(path[i:], waits))
				break
			}
			path = append(path, at)
		}
		for _, p := range path {
			done[p] = true
		}
	}
	slices.SortFunc(out, func(x, y []Wait) int { return x[0].Thread.ID - y[0].Thread.ID })
	return out, err
}

// settle leaves those threads in stuck that no other one will wake: all that could are stuck themselves, or, where all
// have to do their part, one of them. The Owner of a wait becomes one that is stuck.
func settle(waits map[*frame.Thread]Wait, stuck map[*frame.Thread]bool) {
	for changed := true; changed; {
		changed = false
		for t := range stuck {
			w := waits[t]
			n := 0
			for _, o := range w.Owners {
				if stuck[o] {
					if n++; n == 1 {
						w.Owner = o
					}
				}
			}
			if n == 0 || w.Any && n < len(w.Owners) {
				delete(stuck, t)
				changed = true
				continue
			}
			waits[t] = w
		}
	}
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

// circle turns a circle so that it begins with the lowest id.
func circle(threads []*frame.Thread, waits map[*frame.Thread]Wait) []Wait {
	first := 0
	for i, t := range threads {
		if t.ID < threads[first].ID {
			first = i
		}
	}
	var out []Wait
	for i := range threads {
		out = append(out, waits[threads[(first+i)%len(threads)]])
	}
	return out
}
