package frame

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/layout"
)

// A Fragment is an element of a thread's ManagedStack: the frames between one
// entry into managed code and one exit from it. It has a ShadowFrame or a quick
// frame at its top, or neither while it is being made.
type Fragment struct {
	Addr core.Addr // of the art::ManagedStack
	Link core.Addr // of the next one further out; 0 at the last
	// QuickFrame is the stack address of the innermost quick frame.
	QuickFrame core.Addr
	// GenericJNI and JITJNI are the tags of QuickFrame: the frame was made by
	// the generic JNI stub, or by one that the JIT compiled.
	GenericJNI, JITJNI bool
	ShadowFrame        core.Addr
}

// Bounds of the chains.
const (
	maxFragments    = 1 << 14
	maxShadowFrames = 1 << 18
	maxQuickFrames  = 1 << 18
)

// Fragments returns a thread's fragments, the innermost first, which is in the Thread itself. On an error it
// returns the fragments before it.
func (d *Decoder) Fragments(t *Thread) ([]Fragment, error) {
	return d.FragmentsWith(t.Addr, d.Layout)
}

// FragmentsWith returns the fragments of the art::Thread at an address as a layout
// has them.
func (d *Decoder) FragmentsWith(thread core.Addr, l *layout.Layout) ([]Fragment, error) {
	word := core.Addr(d.PtrSize)
	var out []Fragment
	at := thread.Add(int64(l.Thread.ManagedStack))
	for range maxFragments {
		c := d.Cursor()
		quick := c.Pointer(at)
		f := Fragment{Addr: at, Link: c.Pointer(at + word), ShadowFrame: c.Pointer(at + 2*word),
			QuickFrame: quick &^ 3, GenericJNI: quick&1 != 0, JITJNI: quick&2 != 0}
		if err := c.Err(); err != nil {
			return out, fmt.Errorf("art: ManagedStack at %v: %w", at, err)
		}
		out = append(out, f)
		switch {
		case f.Link == 0:
			return out, nil
		case len(out) > 1 && f.Link <= at:
			// All except the first are on the stack, callers further out.
			return out, fmt.Errorf("art: ManagedStack at %v: link_ %v leads inwards", at, f.Link)
		}
		at = f.Link
	}
	return out, fmt.Errorf("art: ManagedStack of thread %v: more than %d fragments", thread, maxFragments)
}
