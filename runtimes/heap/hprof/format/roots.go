package format

import (
	"iter"

	"coredbg/core"
	"coredbg/runtimes/heap"
)

// A Root is a root as a heap dump has it: a reference to Target.
type Root struct {
	Tag           byte
	Target, Place core.Addr // Place is where a global reference of JNI is
	Thread        uint32    // the kernel's number of the thread that has it, 0 if none
}

// Roots returns the roots of a graph that count. Tags are the tags by the kinds of roots; others get RootUnknown.
func Roots(g *heap.Graph, tags map[string]byte) iter.Seq[Root] {
	return func(yield func(Root) bool) {
		for _, r := range g.AllRoots() {
			if !g.Matters(&r) {
				continue
			}
			out := Root{Tag: RootUnknown, Target: r.Target, Place: r.Place}
			if tag, ok := tags[r.Kind]; ok {
				out.Tag = tag
			}
			if r.Thread != nil {
				out.Thread = uint32(r.Thread.TID)
			}
			if !yield(out) {
				return
			}
		}
	}
}

// Bare reports whether a record of a root is its tag and its object alone.
func Bare(tag byte) bool {
	switch tag {
	case RootJNIGlobal, RootJNILocal, RootJavaFrame, RootJNIMonitor, RootThreadObject, RootNativeStack:
		return false
	}
	return true
}

// Root writes a root. The thread is named without a frame.
func (s *Stream) Root(r *Root) {
	const noFrame = 0xffffffff
	s.U1(r.Tag)
	s.ID(uint64(r.Target))
	switch {
	case r.Tag == RootJNIGlobal:
		s.ID(uint64(r.Place))
	case r.Tag == RootNativeStack:
		s.U4(r.Thread)
	case !Bare(r.Tag):
		s.U4(r.Thread)
		s.U4(noFrame)
	}
}
