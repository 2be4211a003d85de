package step

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/site"
)

// A Walk is the state of one walk that the steps out of its frames share.
type Walk struct {
	Text  *site.Text // the code of the process
	Links Links      // how its ABI links frames
	// Stack and Code read the memory of the process. The stack and the code have cursors
	// of their own, so that each keeps its window.
	Stack core.Cursor
	Code  core.Cursor
	Here  *site.Site // the place of the frame that is stepped out of
	// Prober calls up, to code that knows all ways to step.
	Prober Prober
	// Bounders know stack bounds that the mappings do not show.
	Bounders []frame.Bounder
	// Probing is set in the walk of a Prober, which does not look for frames beyond code that
	// cannot be read itself.
	Probing bool

	// Sure is the stack pointer of the first frame beyond a scanned one that is known to be a frame;
	// the ones before it count as scanned.
	Sure core.Addr

	lo, hi  core.Addr // the region that was looked at last; see InStack
	scanned int       // words of the stack looked at by scans
	// The records from chainNext up to chainEnd were found to bear each other
	// out; records is how many were looked at for that. See Chained.
	chainNext, chainEnd core.Addr
	records             int
}

// A Prober looks further out than a step does.
type Prober interface {
	// Corroborated reports whether the frames beyond f, which a scan has found, show that f
	// is real.
	Corroborated(f *frame.Frame) bool
	// Joins is Corroborated for a frame found beyond code that cannot be read: the steps out of
	// it must reach the frame join or, if that is nil, the thread's start. Into is set if its
	// call is known to lead to that code. Frames below the stack pointer sure may be remains of an
	// earlier call.
	Joins(f *frame.Frame, into bool, join *frame.Frame) (sure core.Addr, ok bool)
}

// New returns the state of a walk over the code of a process. It has no Prober yet.
func New(text *site.Text) Walk {
	return Walk{Text: text, Links: LinksOf(text.Process.Arch), Stack: *text.Process.Cursor(),
		Code: *text.Process.Cursor()}
}

// maxPieces bounds the segments that one stack is put together from.
const maxPieces = 64

// InStack reports whether a is on the stack that holds sp: in the writable memory around it, unless a
// runtime gives the end of that stack.
func (w *Walk) InStack(sp, a core.Addr) bool {
	if lo, hi, ok := w.bounds(sp); ok {
		return lo <= a && a < hi
	}
	if sp < w.lo || sp >= w.hi {
		w.lo, w.hi = w.region(sp)
	}
	return w.lo <= a && a < w.hi
}

// bounds returns the bounds that a runtime gives for the stack that holds sp.
func (w *Walk) bounds(sp core.Addr) (lo, hi core.Addr, ok bool) {
	for _, b := range w.Bounders {
		if lo, hi, ok = b.Stack(sp); ok {
			return lo, hi, true
		}
	}
	return 0, 0, false
}

// region returns the run of adjacent writable segments that holds sp, up to the control block of a
// thread. The stack pointer may be just below it, after an overflow into the guard page.
func (w *Walk) region(sp core.Addr) (lo, hi core.Addr) {
	space := w.Text.Process.Space
	s, ok := space.Find(sp)
	if !ok || s.Prot&core.Write == 0 {
		return sp, sp
	}
	lo, hi = s.Start, s.End
	for range maxPieces {
		next, ok := space.Find(hi)
		if !ok || next.Prot&core.Write == 0 {
			break
		}
		hi = next.End
	}
	return lo, w.Text.Process.StackEnd(sp, hi)
}
