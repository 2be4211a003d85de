package stack

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/walk"
)

// fakeWalk yields n frames, each 32 bytes above the last.
func fakeWalk(n int, stop error) WalkFunc {
	return func(_ context.Context, t *core.Thread, _ ...walk.Unwinder) iter.Seq2[walk.Frame, error] {
		return func(yield func(walk.Frame, error) bool) {
			for i := range n {
				f := walk.Frame{PC: core.Addr(0x1010 + i*0x10), SP: core.Addr(0x7000 + i*0x20), FP: core.Addr(t.TID),
					Trust: walk.CFI, Trampoline: i == 2}
				if i == 0 {
					f.Trust, f.Point = walk.Registers, walk.Interrupted
				}
				if !yield(f, nil) {
					return
				}
			}
			yield(walk.Frame{}, stop)
		}
	}
}

// fakeRuntime takes the frame at 0x1020 for two inlined JavaScript frames.
type fakeRuntime struct{}

func (fakeRuntime) Name() string                     { return "fake" }
func (fakeRuntime) Version() string                  { return "1" }
func (fakeRuntime) Begin(*core.Thread) walk.Unwinder { return nil }
func (fakeRuntime) Decode(f *walk.Frame) ([]runtimes.SourceFrame, error) {
	if f.PC != 0x1020 {
		return nil, nil
	}
	return []runtimes.SourceFrame{
		{Kind: runtimes.JS, Name: "in\x1b[31m", File: "/a.js", Line: 3, Column: 7, Tier: "turbofan", Inlined: true},
		{Kind: runtimes.JS, Name: "outer", File: "/a.js", Line: 9, Tier: "turbofan"},
	}, nil
}

func newEngine(p *core.Process, w WalkFunc) *Engine {
	return &Engine{Process: p, Symbols: sym.NewTable(p), Walk: w,
		Runtimes: func() []runtimes.Runtime { return []runtimes.Runtime{fakeRuntime{}} }}
}

func fakeProcess(threads int) *core.Process {
	b := coretest.New(core.AMD64).MapProt(0x1000, make([]byte, 0x1000), core.Read|core.Exec).
		Module("/usr/bin/app", 0x1000, 0x2000, core.ModuleFacts{})
	for i := range threads {
		b.Thread(i+1, map[string]uint64{"rip": 0x1010})
	}
	p := b.Process()
	p.Signal = &core.Signal{Number: 11, Name: "SIGSEGV"}
	return p
}

// asyncRuntime has a JavaScript frame with two that await it, and another
// further out, after a native one.
type asyncRuntime struct{ fakeRuntime }

func (asyncRuntime) Decode(f *walk.Frame) ([]runtimes.SourceFrame, error) {
	switch f.PC {
	case 0x1020:
		return []runtimes.SourceFrame{
			{Kind: runtimes.JS, Name: "task"},
			{Kind: runtimes.JS, Name: "waits", Async: true},
			{Kind: runtimes.JS, Name: "outer", Async: true},
		}, nil
	case 0x1040:
		return []runtimes.SourceFrame{{Kind: runtimes.JS, Name: "tick"}}, nil
	}
	return nil, nil
}

// TestAwaitersLast: functions that await come after all that are on the
// stack, as Error.stack has them, and have the place of the frame that they
// wait for.
func TestAwaitersLast(t *testing.T) {
	p := fakeProcess(1)
	s := newEngine(p, fakeWalk(6, &walk.StopError{Kind: walk.StopRoot}))
	s.Runtimes = func() []runtimes.Runtime { return []runtimes.Runtime{asyncRuntime{}} }
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{}, "0:1010-7020 1:task:1020-7040 2:1030-7060 3:tick:1040-7080 4:waits:1020-7040 5:outer:1020-7040 6:1050-70a0 7:1060-0 root"},
		{Options{Keep: Managed}, "1:task:1020-7040 3:tick:1040-7080 4:waits:1020-7040 5:outer:1020-7040 root"},
		{Options{Limit: 3}, "0:1010-7020 1:task:1020-7040 2:waits:1020-7040 3:outer:1020-7040 4:1030-7060 limit"},
	} {
		each := ""
		c.opt.Each = func(r *Frame, _ *walk.Frame, _ *runtimes.SourceFrame) { each += fmt.Sprint(r.Index, " ") }
		rec := s.Thread(t.Context(), p.Threads[0], c.opt)
		got, order := "", ""
		for _, f := range rec.Frames {
			name := f.Name
			if name != "" {
				name += ":"
			}
			got += fmt.Sprintf("%d:%s%x-%x ", f.Index, name, uint64(f.PC), uint64(f.CFA))
			order += fmt.Sprint(f.Index, " ")
		}
		if got += string(rec.Stop.Kind); got != c.want || each != order {
			t.Errorf("%+v:\n got %s\nwant %s", c.opt.Limit, got, c.want)
		}
	}
}

// worthBy returns a Best: a frame is worth 1 from good on, and more from great on.
func worthBy(good, great int, more Worth) func(*Frame) Worth {
	return func(f *Frame) Worth {
		switch {
		case f.Index >= great:
			return more
		case f.Index >= good:
			return 1
		}
		return 0
	}
}

// TestBestEndsWalk: no frame is asked for beyond the one that is enough, and many stacks come in the order of
// their threads.
func TestBestEndsWalk(t *testing.T) {
	p := fakeProcess(10*manyStacks + 3)
	asked := new(atomic.Int64)
	walkTen := fakeWalk(10, &walk.StopError{Kind: walk.StopRoot})
	s := newEngine(p, func(ctx context.Context, th *core.Thread, first ...walk.Unwinder) iter.Seq2[walk.Frame, error] {
		return func(yield func(walk.Frame, error) bool) {
			for f, err := range walkTen(ctx, th, first...) {
				asked.Add(1)
				if !yield(f, err) {
					return
				}
			}
		}
	})
	n := 0
	for st := range s.All(t.Context(), p.Threads, Options{Best: worthBy(1, 3, Enough)}) {
		if st.Thread != p.Threads[n] || len(st.Frames) != 1 || st.Frames[0].Index != 3 {
			t.Fatalf("stack %d is %v's, with %d frames", n, st.Thread, len(st.Frames))
		}
		n++
	}
	if want := int64(n * 4); n != len(p.Threads) || asked.Load() > want {
		t.Errorf("%d of %d stacks, %d frames, want at most %d", n, len(p.Threads), asked.Load(), want)
	}
}

func TestStackOptions(t *testing.T) {
	p := fakeProcess(1)
	s := newEngine(p, fakeWalk(10, &walk.StopError{Kind: walk.StopRoot}))
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{}, "0 1 2 3 4 5 6 7 8 9 10 root"},
		{Options{Keep: Managed}, "1 2 root"},
		{Options{Keep: Native}, "0 3 4 5 6 7 8 9 10 root"},
		{Options{Limit: 3}, "0 1 2 3 limit"},
		{Options{Best: worthBy(3, 5, Enough)}, "5 limit"},
		{Options{Best: worthBy(3, 20, 1)}, "3 root"},
		{Options{Best: worthBy(20, 20, 0)}, "0 root"},
	} {
		rec := s.Thread(t.Context(), p.Threads[0], c.opt)
		got := ""
		for _, f := range rec.Frames {
			got += fmt.Sprint(f.Index, " ")
		}
		if got += string(rec.Stop.Kind); got != c.want {
			t.Errorf("%+v: %s, want %s", c.opt, got, c.want)
		}
	}
}

// TestEvery: a stack that holds few frames yields all of them, as one that holds all.
func TestEvery(t *testing.T) {
	p := fakeProcess(3)
	for _, r := range []runtimes.Runtime{fakeRuntime{}, asyncRuntime{}} {
		s := newEngine(p, fakeWalk(10, &walk.StopError{Kind: walk.StopRoot}))
		s.Runtimes = func() []runtimes.Runtime { return []runtimes.Runtime{r} }
		for _, o := range []Options{{}, {Keep: Managed}, {Keep: Native}, {Limit: 6}} {
			whole := s.Thread(t.Context(), p.Threads[0], o)
			for hold := 1; hold < 14; hold++ {
				o.Hold = hold
				var stacks []*Stack
				for rec := range s.All(t.Context(), p.Threads, o) {
					stacks = append(stacks, rec)
				}
				rec := stacks[0]
				var all []Frame
				for f := range rec.Every() {
					all = append(all, *f)
				}
				if len(rec.Frames) > hold || rec.Deep() != (len(whole.Frames) > hold) {
					t.Errorf("%d frames of %d are held, want %d at most", len(rec.Frames), len(whole.Frames), hold)
				}
				if !reflect.DeepEqual(all, whole.Frames) || rec.Total != whole.Total ||
					rec.Stop.Kind != whole.Stop.Kind {
					t.Errorf("%T, %+v: %v, want %v", r, o, all, whole.Frames)
				}
			}
		}
	}
}

// TestEveryMemory: two million frames are yielded in the memory of a thousand.
func TestEveryMemory(t *testing.T) {
	const frames, hold = 2_000_000, 1000
	p := fakeProcess(1)
	s := newEngine(p, func(context.Context, *core.Thread, ...walk.Unwinder) iter.Seq2[walk.Frame, error] {
		return func(yield func(walk.Frame, error) bool) {
			for i := range frames {
				if !yield(walk.Frame{PC: 0x1050, SP: core.Addr(0x7000 + 32*i)}, nil) {
					return
				}
			}
		}
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, last := 0, core.Addr(0)
	for f := range s.Thread(t.Context(), p.Threads[0], Options{Hold: hold}).Every() {
		n, last = n+1, f.SP
	}
	runtime.ReadMemStats(&after)
	if n != frames || last != 0x7000+32*(frames-1) {
		t.Errorf("%d frames, the last at %v", n, last)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
		t.Errorf("%d frames took %d bytes", frames, took)
	}
}

// TestAllKeepsOrder runs over more threads than there are workers, and leaves
// the loop early.
func TestAllKeepsOrder(t *testing.T) {
	p := fakeProcess(300)
	s := newEngine(p, fakeWalk(5, &walk.StopError{Kind: walk.StopRoot}))
	next := 1
	for rec := range s.All(t.Context(), p.Threads, Options{}) {
		if rec.Thread.TID != next {
			t.Fatalf("thread %d came when %d was due", rec.Thread.TID, next)
		}
		next++
	}
	if next != 301 {
		t.Errorf("%d threads came", next-1)
	}
	for rec := range s.All(t.Context(), p.Threads, Options{}) {
		if rec.Thread.TID == 7 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range s.All(ctx, p.Threads, Options{}) {
		t.Error("a cancelled walk yielded a thread")
	}
}
