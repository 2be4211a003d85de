package java

import (
	"fmt"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/art/sync"
	"coredbg/stack"
)

// lockJSON is an object that a frame has locked or, in the innermost frame, that
// the thread waits for.
type lockJSON struct {
	Kind    string     `json:"kind"` // locked, lock, wait, sleep, park, class, eliminated
	Addr    core.Addr  `json:"addr,omitzero"`
	Class   string     `json:"class,omitempty"`
	Owner   *threadRef `json:"owner,omitempty"`
	Missing string     `json:"missing,omitempty"`
}

// waitWords are what ART's traces call the kinds of waits.
var waitWords = map[string]string{"lock": "waiting to lock", "wait": "waiting on", "sleep": "sleeping on",
	"park": "parked for"}

// locks adds to a frame what it has locked, and to the innermost one what its
// thread waits for.
func (d *detail) locks(r *stack.Frame, q *frame.Activation, regs *core.Regs) {
	var all []lockJSON
	if w, ok := d.waitOnce(); ok {
		x := lockJSON{Kind: w.Kind, Addr: core.Addr(w.Object.Addr), Class: d.a.TypeOf(w.Object)}
		text := fmt.Sprintf("- %s %v (a %s)", waitWords[w.Kind], w.Object.Addr, x.Class)
		if w.Owner != nil {
			x.Owner = refTo(w.Owner)
			text += " held by " + x.Owner.String()
		}
		r.ExtraText = append(r.ExtraText, text)
		all = append(all, x)
	}
	for _, h := range d.a.Locks(q, d.index, regs) {
		x := lockJSON{Kind: "locked", Addr: core.Addr(h.Object), Missing: h.Missing}
		if h.Missing != "" {
			r.ExtraText = append(r.ExtraText, "- locked an object that is not known: "+h.Missing)
		} else {
			x.Class = d.a.TypeOf(object.Object{Addr: h.Object, Class: h.Class})
			r.ExtraText = append(r.ExtraText, fmt.Sprintf("- locked %v (a %s)", h.Object, x.Class))
		}
		all = append(all, x)
	}
	addLocks(r, all)
}

// addLocks adds locks to the JSON form of a frame.
func addLocks(r *stack.Frame, all []lockJSON) {
	if len(all) == 0 {
		return
	}
	if b, err := out.Marshal(all); err == nil {
		r.Extra = append(r.Extra, stack.Extra{Key: "locks", Value: b})
	}
}

// waitOnce returns what the thread waits for, for its innermost frame.
func (d *detail) waitOnce() (sync.Wait, bool) {
	t := d.thread
	if d.thread = nil; t == nil {
		return sync.Wait{}, false
	}
	return d.a.WaitOf(t)
}
