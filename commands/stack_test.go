package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"coredbg/commands/out"
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

func newStacker(p *core.Process, w WalkFunc) *Stacker {
	return &Stacker{Process: p, Symbols: sym.NewTable(p), Walk: w,
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

func TestThreadRecord(t *testing.T) {
	stop := &walk.StopError{Kind: walk.StopUnreadable, At: 0x7080, Err: &core.FaultError{Addr: 0x7080, Gap: core.NotDumped}}
	p := fakeProcess(1)
	s := newStacker(p, fakeWalk(4, stop))
	rec := s.Thread(t.Context(), p.Threads[0], StackOptions{})
	got, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	const module = `"module":"/usr/bin/app",`
	want := `{"type":"thread","tid":1,"crashed":true,"signal":"SIGSEGV","state":"Native","frames":[` +
		`{"index":0,"kind":"native","pc":"0x1010","sp":"0x7000","fp":"0x1",` + module + `"module_offset":"0x10","trust":"registers"},` +
		`{"index":1,"kind":"js","name":"in\u001b[31m","pc":"0x1020","sp":"0x7020","fp":"0x1",` +
		`"file":"/a.js","line":3,"column":7,"trust":"cfi","tier":"turbofan","inlined":true},` +
		`{"index":2,"kind":"js","name":"outer","pc":"0x1020","sp":"0x7020","fp":"0x1",` +
		`"file":"/a.js","line":9,"trust":"cfi","tier":"turbofan"},` +
		`{"index":3,"kind":"signal","pc":"0x1030","sp":"0x7040","fp":"0x1",` + module + `"module_offset":"0x30","trust":"cfi"},` +
		`{"index":4,"kind":"native","pc":"0x1040","sp":"0x7060","fp":"0x1",` + module + `"module_offset":"0x40","trust":"cfi"}],` +
		`"stop":"unreadable 0x7080 not dumped"}`
	if string(got) != want {
		t.Errorf("JSON\n got %s\nwant %s", got, want)
	}
	wantText := `thread 1: SIGSEGV
   #0 = app+0x10                 app
   #1 c in\x1b[31m               /a.js:3:7 [turbofan] [inlined]
   #2 c outer                    /a.js:9 [turbofan]
   #3 c <signal handler called>  app
   #4 c app+0x40                 app
      (stopped: unreadable at 0x7080, not dumped)
`
	if got := text(rec); got != wantText {
		t.Errorf("text\n got %s\nwant %s", got, wantText)
	}
	rec.Form = StackForm{Classic: true, Pointer: true, Bare: true}
	wantText = "0000000000007010 = app+0x10\n" +
		"0000000000007030 c in\\x1b[31m at /a.js:3:7 [turbofan] [inlined]\n" +
		"0000000000007030 c outer at /a.js:9 [turbofan]\n"
	if got := text(rec); !strings.HasPrefix(got, wantText) {
		t.Errorf("classic text\n got %s\nwant %s", got, wantText)
	}
}

func text(r Record) string {
	var b bytes.Buffer
	WriteText(out.NewWriter(&b), r)
	return b.String()
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

// TestAwaitersLast: functions that await stand after all that are on the
// stack, as Error.stack has them, and have the place of the frame that they
// wait for.
func TestAwaitersLast(t *testing.T) {
	p := fakeProcess(1)
	s := newStacker(p, fakeWalk(6, &walk.StopError{Kind: walk.StopRoot}))
	s.Runtimes = func() []runtimes.Runtime { return []runtimes.Runtime{asyncRuntime{}} }
	for _, c := range []struct {
		opt  StackOptions
		want string
	}{
		{StackOptions{}, "0:1010-7020 1:task:1020-7040 2:1030-7060 3:tick:1040-7080 4:waits:1020-7040 5:outer:1020-7040 6:1050-70a0 7:1060-0 root"},
		{StackOptions{Keep: Managed}, "1:task:1020-7040 3:tick:1040-7080 4:waits:1020-7040 5:outer:1020-7040 root"},
		{StackOptions{Limit: 3}, "0:1010-7020 1:task:1020-7040 2:waits:1020-7040 3:outer:1020-7040 4:1030-7060 limit"},
	} {
		each := ""
		c.opt.Each = func(r *FrameRecord, _ *walk.Frame, _ *runtimes.SourceFrame) { each += fmt.Sprint(r.Index, " ") }
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
		if got += StopText(rec.Stop); got != c.want || each != order {
			t.Errorf("%+v:\n got %s\nwant %s", c.opt.Limit, got, c.want)
		}
	}
}

func TestStackOptions(t *testing.T) {
	p := fakeProcess(1)
	s := newStacker(p, fakeWalk(10, &walk.StopError{Kind: walk.StopRoot}))
	for _, c := range []struct {
		opt  StackOptions
		want string
	}{
		{StackOptions{}, "0 1 2 3 4 5 6 7 8 9 10 root"},
		{StackOptions{Keep: Managed}, "1 2 root"},
		{StackOptions{Keep: Native}, "0 3 4 5 6 7 8 9 10 root"},
		{StackOptions{Limit: 3}, "0 1 2 3 limit"},
	} {
		rec := s.Thread(t.Context(), p.Threads[0], c.opt)
		got := ""
		for _, f := range rec.Frames {
			got += fmt.Sprint(f.Index, " ")
		}
		if got += StopText(rec.Stop); got != c.want {
			t.Errorf("%+v: %s, want %s", c.opt, got, c.want)
		}
	}
}

// TestAllKeepsOrder runs over more threads than there are workers, and leaves
// the loop early.
func TestAllKeepsOrder(t *testing.T) {
	p := fakeProcess(300)
	s := newStacker(p, fakeWalk(5, &walk.StopError{Kind: walk.StopRoot}))
	next := 1
	for rec := range s.All(t.Context(), p.Threads, StackOptions{}) {
		if rec.Thread.TID != next {
			t.Fatalf("thread %d came when %d was due", rec.Thread.TID, next)
		}
		next++
	}
	if next != 301 {
		t.Errorf("%d threads came", next-1)
	}
	for rec := range s.All(t.Context(), p.Threads, StackOptions{}) {
		if rec.Thread.TID == 7 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range s.All(ctx, p.Threads, StackOptions{}) {
		t.Error("a cancelled walk yielded a thread")
	}
}

func TestFold(t *testing.T) {
	frame := func(pc core.Addr) FrameRecord { return FrameRecord{PC: pc, Kind: runtimes.Native} }
	var even, odd, mixed []FrameRecord
	for i := range 101 {
		odd = append(odd, frame(7))
		even = append(even, frame(core.Addr(i%2)))
		mixed = append(mixed, frame(core.Addr(i)))
	}
	for _, c := range []struct {
		name      string
		in        []FrameRecord
		period, n int
	}{{"one", odd, 1, 101}, {"two", even, 2, 100}, {"none", mixed, 0, 0}, {"short", odd[:31], 0, 0}, {"empty", nil, 0, 0}} {
		if p, n := repeats(c.in); p != c.period || n != c.n {
			t.Errorf("%s: period %d over %d, want %d over %d", c.name, p, n, c.period, c.n)
		}
	}
}
