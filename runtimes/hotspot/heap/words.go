package heap

import (
	"context"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/object"
)

// A words visits words of a stack that may be references to objects that nothing else is known to keep: whole addresses, and where
// references have 32 bits such halves, as compiled code keeps them.
type words struct {
	s       *Source
	root    graph.Root // without a place and a target
	reached func(core.Addr) bool
	visit   func(graph.Root)
}

func (x *words) reference(place, to core.Addr) {
	if to%object.Alignment == 0 && x.s.h.Space(to) != nil && !x.reached(to) {
		x.root.Place, x.root.Target = place, to
		x.visit(x.root)
	}
}

func (x *words) word(place core.Addr, v uint64) {
	w := x.s.h.w
	x.reference(place, w.Plain(v))
	if w.RefSize() == 4 {
		x.reference(place, w.Narrow(uint32(v)))
		x.reference(place+4, w.Narrow(uint32(v>>32)))
	}
}

// between visits the words from one address to another.
func (x *words) between(at, end core.Addr) {
	p := x.s.h.w.Process
	for at &^= 7; at < end; {
		b, err := p.Space.Window(at)
		if err != nil || len(b) < 8 {
			at = (at + core.TracePage) &^ (core.TracePage - 1)
			continue
		}
		for b = b[:min(uint64(len(b)), uint64(end-at))]; len(b) >= 8; b, at = b[8:], at+8 {
			x.word(at, p.Arch.Order.Uint64(b))
		}
		if len(b) > 0 {
			at = (at + 8) &^ 7 // a window or a stack that ends within a word
		}
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
	x := &words{s, graph.Root{Kind: RootRegister, Thread: t.Native, Strength: graph.Stacked, Rank: graph.Calling}, reached, visit}
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

// frozenWords visits the words of the frames that reachable virtual threads have in the heap. A StackChunk itself has no edges to
// their objects: oop maps say which words of compiled code are alive, and here they are words of a stack as any other. A collection
// that goes over a chunk may have made its references narrow (StackChunkAllocator, stackChunkOop.cpp).
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
		x := &words{s, graph.Root{Kind: RootFrozen, Thread: t.Native, Strength: graph.Stacked, Rank: graph.Calling}, reached, visit}
		for _, c := range w.Chunks(t.Peer) {
			x.between(c.SP, c.Bottom)
		}
	}
	return ctx.Err()
}

// stackEnd returns where the stack of a thread ends: JavaThread::_stack_base; without it the mapping does.
func (w *Walker) stackEnd(t *frame.Thread, sp core.Addr) core.Addr {
	end := w.member(t.Addr, "JavaThread._stack_base", "Thread._stack_base")
	if end < sp || end-sp > maxStackBytes {
		return sp
	}
	return end
}
