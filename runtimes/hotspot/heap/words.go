package heap

import (
	"context"
	"iter"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/object"
)

// A words visits the words of a stack that may refer to objects that were not reached. They are whole
// addresses and, if references have 32 bits, the halves of words: compiled code keeps both.
type words struct {
	s       *Source
	root    graph.Root // without a place and a target
	reached func(core.Addr) bool
	visit   func(graph.Root)
	// frozen is set for frames in the heap.
	frozen bool
}

// reference visits an address if an object that was not reached may be there.
func (x *words) reference(place, to core.Addr) {
	if to%object.Alignment == 0 && x.s.h.Space(to) != nil && !x.reached(to) {
		x.root.Place, x.root.Target = place, to
		x.visit(x.root)
	}
}

// word visits the references that a word may be.
func (x *words) word(place core.Addr, v uint64) {
	w := x.s.h.w
	x.reference(place, w.Plain(v))
	if x.frozen {
		x.reference(place, w.Frozen(v))
	}
	if w.RefSize() == 4 {
		x.reference(place, w.Narrow(uint32(v)))
		x.reference(place+4, w.Narrow(uint32(v>>32)))
	}
}

// wordsIn returns the words from one address to another, without the parts that the core lacks.
func wordsIn(p *core.Process, at, end core.Addr) iter.Seq2[core.Addr, uint64] {
	return func(yield func(core.Addr, uint64) bool) {
		for at &^= 7; at < end; {
			next := (at + core.TracePage) &^ (core.TracePage - 1)
			if b, err := p.Space.Window(at); err == nil && len(b) >= 8 {
				b = b[:min(uint64(len(b)), uint64(end-at))]
				next = (at + core.Addr(len(b)) + 7) &^ 7 // a window or a stack may end within a word
				for ; len(b) >= 8; b, at = b[8:], at+8 {
					if !yield(at, p.Arch.Order.Uint64(b)) {
						return
					}
				}
			}
			if next < at {
				return // the end of the address space
			}
			at = next
		}
	}
}

// between visits the words from one address to another.
func (x *words) between(at, end core.Addr) {
	for place, v := range wordsIn(x.s.h.w.Process, at, end) {
		x.word(place, v)
	}
}

// maxStackBytes bounds one stack.
const maxStackBytes = 64 << 20

// stackWords visits the words of a thread's stack and registers.
func (s *Source) stackWords(t *frame.Thread, reached func(core.Addr) bool, visit func(graph.Root)) {
	w := s.h.w
	if t.Native == nil {
		return
	}
	x := &words{s, graph.Root{Kind: RootRegister, Thread: t.Native, Strength: graph.Stacked, Rank: graph.Calling},
		reached, visit, false}
	arch := w.Process.Arch
	for i, name := range arch.RegNames {
		if v, ok := t.Native.Regs.Get(i); ok {
			x.root.Name = name
			x.word(0, v)
		}
	}
	x.root.Kind, x.root.Name = RootStackWord, ""
	if sp, ok := t.Native.Regs.Get(arch.SP); ok {
		x.between(core.Addr(sp), w.stackEnd(t, core.Addr(sp)))
	}
}

// frozenWords visits the words of the frames that reachable virtual threads have in the heap. A StackChunk
// has no edges to their objects: only oop maps tell which words of compiled code are alive, and they are not
// read. A collection may have made the references in a chunk narrow, with ZGC coloured (stackChunkOop.cpp,
// z/zBarrierSetStackChunk.cpp).
func (s *Source) frozenWords(ctx context.Context, reached func(core.Addr) bool, visit func(graph.Root)) error {
	w := s.h.w
	threads, err := w.Virtual()
	if err != nil {
		s.lack("virtual threads: %v", err)
	}
	for _, t := range threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !reached(t.Peer) {
			continue
		}
		x := &words{s, graph.Root{Kind: RootFrozen, Thread: t.Native, Strength: graph.Stacked, Rank: graph.Calling},
			reached, visit, true}
		for _, c := range w.Chunks(t.Peer) {
			x.between(c.SP, c.Bottom)
		}
	}
	return ctx.Err()
}

// stackEnd returns where the stack of a thread ends: JavaThread::_stack_base; without it the mapping does.
func (w *Walker) stackEnd(t *frame.Thread, sp core.Addr) core.Addr {
	end := w.PointerAt(t.Addr, "JavaThread._stack_base", "Thread._stack_base")
	if end < sp || end-sp > maxStackBytes {
		return sp
	}
	return end
}
