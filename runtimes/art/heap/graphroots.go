package heap

import (
	"context"
	"strconv"

	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
)

// The kinds of roots. Runtime::VisitRoots and Thread::VisitRoots (runtime/runtime.cc, thread.cc) visit them.
const (
	RootBootClass  = "class of the boot class path"
	RootBootTable  = "table of the boot class path"
	RootInterned   = "interned string"
	RootRuntime    = "runtime"
	RootImage      = "boot image"
	RootJNIGlobal  = "JNI global"
	RootJNILocal   = "JNI local"
	RootJNIMonitor = "JNI monitor"
	RootThread     = "thread"
	RootException  = "pending exception"
	RootEnter      = "monitor to enter"
	RootFrame      = "frame"
	RootStackWord  = "stack word"
	RootRegister   = "register"
)

// Roots visits what refers to objects from outside the heap: what the runtime itself
// has as roots first, then words of stacks that may be more of them.
func (s *Source) Roots(ctx context.Context, reached func(core.Addr) bool, visit func(graph.Root)) error {
	unsure := s.threadRoots(visit)
	s.jniGlobals(visit)
	for _, at := range s.KeptBy(0) {
		if s.h.w.IsClass(at) {
			visit(graph.Root{Kind: RootBootClass, Name: s.h.w.ClassAt(at).Name, Target: at})
		} else {
			visit(graph.Root{Kind: RootBootTable, Rank: graph.Engine, Target: at})
		}
	}
	s.internedRoots(visit)
	s.runtimeRoots(visit)
	s.imageRoots(visit)
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, t := range unsure {
		s.stackWords(t, reached, visit)
	}
	return ctx.Err()
}

// jniGlobals visits JNI's global references; weak ones keep nothing.
func (s *Source) jniGlobals(visit func(graph.Root)) {
	refs, err := s.h.w.JNIGlobals()
	for _, r := range refs {
		if r.Kind == JNIGlobal {
			visit(graph.Root{Kind: RootJNIGlobal, Name: strconv.Itoa(r.Index), Place: core.Addr(r.Ref),
				Target: r.Object})
		}
	}
	s.lack(err)
}

// lack notes that roots could not be read, which makes unreachable what they keep.
func (s *Source) lack(err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.walked.Problems) < maxBad {
		s.walked.Problems = append(s.walked.Problems, "roots are missing: "+err.Error())
	}
}

// threadRoots visits what each thread holds: its frames first, which say most. It returns the threads that may hold
// more than that.
func (s *Source) threadRoots(visit func(graph.Root)) (unsure []*frame.Thread) {
	w := s.h.w
	threads, err := w.Threads()
	s.lack(err)
	for _, t := range threads {
		root := func(kind, name string, place, to core.Addr) {
			rank := graph.Calling
			if kind == RootThread {
				rank = graph.Lasting
			}
			if to != 0 {
				visit(graph.Root{Kind: kind, Name: name, Place: place, Thread: t.Native, Rank: rank, Target: to})
			}
		}
		all, err := w.Roots(t, func(r frame.Root) { root(RootFrame, r.Name, r.Slot, r.To) })
		s.lack(err)
		refs, err := w.JNILocals(t)
		s.lack(err)
		if !all || err != nil {
			unsure = append(unsure, t)
		}
		for _, r := range refs {
			root(RootJNILocal, strconv.Itoa(r.Index), 0, r.Object)
		}
		s.jniMonitors(t, root)
		l := &w.Layout.Thread
		root(RootThread, t.Name, t.Addr.Add(int64(l.Peer)), t.Peer)
		if e, err := w.PendingException(t); err == nil {
			root(RootException, t.Name, t.Addr.Add(int64(l.Exception)), e)
		}
		root(RootEnter, t.Name, t.Addr.Add(int64(l.MonitorEnter)), t.MonitorEnter)
	}
	return unsure
}

// maxJNIMonitors bounds the monitors that a thread entered by JNI.
const maxJNIMonitors = 1 << 16

// jniMonitors visits the objects whose monitors a thread entered by JNI: a
// ReferenceTable {name, vector of references}.
func (s *Source) jniMonitors(t *frame.Thread, root func(kind, name string, place, to core.Addr)) {
	w := s.h.w
	off := w.Layout.Mirror.JNI.Monitors
	env, ok := w.Pointer(t.Addr.Add(int64(w.Layout.Thread.JNIEnv)))
	if off == layout.Unknown || !ok || env == 0 {
		return
	}
	at := env.Add(int64(off)) + w.stringSize()
	begin, ok1 := w.Pointer(at)
	end, ok2 := w.Pointer(at + core.Addr(w.PtrSize))
	if !ok1 || !ok2 || end < begin || end-begin > 4*maxJNIMonitors {
		return
	}
	for p := begin; p < end; p += 4 {
		if to, ok := w.Ref(p); ok {
			root(RootJNIMonitor, strconv.Itoa(int(p-begin)/4), p, to)
		}
	}
}

// stringSize returns the size of a std::string.
func (w *Walker) stringSize() core.Addr {
	switch {
	case w.Layout.Library == layout.LibCxx:
		return core.Addr(3 * w.PtrSize)
	case w.PtrSize == 4:
		return 24
	}
	return 32
}

// runtimeRoots visits the objects that art::Runtime holds: the exceptions made in advance, between the
// callee-save methods and the resolution method, and the sentinel that cleared references lead to.
func (s *Source) runtimeRoots(visit func(graph.Root)) {
	w := s.h.w
	l := &w.Layout.Runtime
	names := []string{"OutOfMemoryError", "NoClassDefFoundError"}
	begin := l.CalleeSaveMethods + 8*l.CalleeSaveCount
	if n := (l.ResolutionMethod - begin) / 4; n == 4 {
		names = []string{"OutOfMemoryError when throwing an exception", "OutOfMemoryError",
			"OutOfMemoryError when handling a stack overflow", "NoClassDefFoundError"}
	}
	for i, name := range names {
		at := w.Runtime.Add(int64(begin + 4*i))
		if to, ok := w.Ref(at); ok && to != 0 && begin+4*i < l.ResolutionMethod {
			visit(graph.Root{Kind: RootRuntime, Name: "pre-allocated " + name, Place: at,
				Rank: graph.Engine, Target: to})
		}
	}
	if to := w.Sentinel(); to != 0 {
		visit(graph.Root{Kind: RootRuntime, Name: "sentinel", Rank: graph.Engine, Target: to})
	}
	s.classRoots(visit)
}

// classLinkerProbe is how many bytes of a ClassLinker its class roots are looked for
// in: where they are differs by version and by C++ library.
const classLinkerProbe = 512

// classRoots visits the ClassLinker's array of the classes that the runtime itself needs. The first is
// java.lang.Class.
func (s *Source) classRoots(visit func(graph.Root)) {
	w := s.h.w
	linker, ok := w.Pointer(w.Runtime.Add(int64(w.Layout.Runtime.ClassLinker)))
	for off := core.Addr(0); ok && off < classLinkerProbe; off += 4 {
		at, ok := w.Ref(linker + off)
		if !ok || at == 0 {
			continue
		}
		c := w.ClassOf(at)
		if c == nil || !c.IsArray() || c.ElementSize != 4 {
			continue
		}
		first, ok := w.Ref(at + object.ArrayData(4))
		if !ok || !w.IsClass(first) || w.ClassAt(first).Flags&object.FlagClass == 0 {
			continue
		}
		visit(graph.Root{Kind: RootRuntime, Name: "class roots", Place: linker + off, Rank: graph.Engine, Target: at})
		return
	}
}

// imageRoots visits the objects of images, which no collection frees.
func (s *Source) imageRoots(visit func(graph.Root)) {
	for _, space := range s.h.Spaces {
		if space.Kind != ImageSpace {
			continue
		}
		w := s.h.newWalk(context.Background(), nil)
		w.visit = func(o object.Object, _ uint64) bool {
			visit(graph.Root{Kind: RootImage, Name: space.Name, Rank: graph.Engine, Target: o.Addr})
			return true
		}
		for _, p := range w.parts(space) {
			w.walk(&p)
		}
	}
}

// stackWords visits the words of a thread's stack and registers that may be references to objects that nothing else
// is known to keep.
func (s *Source) stackWords(t *frame.Thread, reached func(core.Addr) bool, visit func(graph.Root)) {
	w := s.h.w
	arch := w.Process.Arch
	if t.Native == nil {
		return
	}
	word := func(kind, name string, place, to core.Addr) {
		if to != 0 && to%object.Alignment == 0 && !reached(to) {
			visit(graph.Root{Kind: kind, Name: name, Place: place, Thread: t.Native, Strength: graph.Stacked,
				Rank: graph.Calling, Target: to})
		}
	}
	for i, name := range arch.RegNames {
		if v, ok := t.Native.Regs.Get(i); ok && v < 1<<32 {
			word(RootRegister, name, 0, core.Addr(v))
		}
	}
	sp, ok := t.Native.Regs.Get(arch.SP)
	begin, end := max(core.Addr(sp)&^3, t.StackBegin), t.StackBegin+core.Addr(t.StackSize)
	if !ok || begin >= end || end-begin > maxStackBytes {
		return
	}
	for at := begin; at < end; {
		b, err := w.Space.Window(at)
		if err != nil || len(b) < 4 {
			at = (at + core.TracePage) &^ (core.TracePage - 1)
			continue
		}
		for b = b[:min(len(b), int(end-at))]; len(b) >= 4; b, at = b[4:], at+4 {
			word(RootStackWord, "", at, core.Addr(w.Order.Uint32(b)))
		}
	}
}

// maxStackBytes bounds one stack.
const maxStackBytes = 64 << 20
