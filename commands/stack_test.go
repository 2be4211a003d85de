package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

func TestThreadRecord(t *testing.T) {
	stop := &walk.StopError{Kind: walk.StopUnreadable, At: 0x7080,
		Err: &core.FaultError{Addr: 0x7080, Gap: core.NotDumped}}
	rec := &ThreadRecord{Stack: &stack.Stack{Thread: &core.Thread{TID: 1, Crashed: true}, Signal: "SIGSEGV",
		State: "Native", Stop: stop, Frames: []stack.Frame{
			{Index: 0, Kind: runtimes.Native, PC: 0x1010, SP: 0x7000, FP: 1, CFA: 0x7020, Module: "/usr/bin/app",
				ModuleOffset: 0x10, Trust: walk.Registers, Arch: core.AMD64},
			{Index: 1, Kind: runtimes.JS, Name: "in\x1b[31m", PC: 0x1020, SP: 0x7020, FP: 1, CFA: 0x7040, File: "/a.js",
				Line: 3, Column: 7, Trust: walk.CFI, Tier: "turbofan", Inlined: true, Arch: core.AMD64},
			{Index: 2, Kind: runtimes.JS, Name: "outer", PC: 0x1020, SP: 0x7020, FP: 1, CFA: 0x7040, File: "/a.js",
				Line: 9, Trust: walk.CFI, Tier: "turbofan", Arch: core.AMD64},
			{Index: 3, Kind: runtimes.Signal, PC: 0x1030, SP: 0x7040, FP: 1, CFA: 0x7060, Module: "/usr/bin/app",
				ModuleOffset: 0x30, Trust: walk.CFI, Arch: core.AMD64},
			{Index: 4, Kind: runtimes.Native, PC: 0x1040, SP: 0x7060, FP: 1, Module: "/usr/bin/app", ModuleOffset: 0x40,
				Trust: walk.CFI, Arch: core.AMD64},
		}}}
	got, err := out.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	const module = `"module":"/usr/bin/app",`
	want := `{"type":"thread","tid":1,"crashed":true,"signal":"SIGSEGV","state":"Native","frames":[` +
		`{"index":0,"kind":"native","pc":"0x1010","sp":"0x7000","fp":"0x1",` + module +
		`"module_offset":"0x10","trust":"registers"},` +
		`{"index":1,"kind":"js","name":"in\u001b[31m","pc":"0x1020","sp":"0x7020","fp":"0x1",` +
		`"file":"/a.js","line":3,"column":7,"trust":"cfi","tier":"turbofan","inlined":true},` +
		`{"index":2,"kind":"js","name":"outer","pc":"0x1020","sp":"0x7020","fp":"0x1",` +
		`"file":"/a.js","line":9,"trust":"cfi","tier":"turbofan"},` +
		`{"index":3,"kind":"signal","pc":"0x1030","sp":"0x7040","fp":"0x1",` + module +
		`"module_offset":"0x30","trust":"cfi"},` +
		`{"index":4,"kind":"native","pc":"0x1040","sp":"0x7060","fp":"0x1",` + module +
		`"module_offset":"0x40","trust":"cfi"}],` +
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

// TestFrameJSON: what is written for speed is what the declaration says.
func TestFrameJSON(t *testing.T) {
	full := stack.Frame{Index: 7, Kind: runtimes.API, Name: "f<\u2028\"", PC: 1, SP: 2, FP: 3, Module: "/m", Offset: 4,
		HasOffset: true, ModuleOffset: 5,
		File: "/f", Line: 6, Column: 7, Trust: walk.CFI, Tier: "jit", Inlined: true, Async: true, NoCall: true,
		Function: 8, Callback: "c", Note: "n"}
	want, err := out.Marshal(&full)
	if err != nil {
		t.Fatal(err)
	}
	got, err := out.Marshal((*FrameRecord)(&full))
	var a, b map[string]any
	if err != nil || json.Unmarshal(got, &a) != nil || json.Unmarshal(want, &b) != nil || len(a) != len(b) {
		t.Fatalf("%v\n%s\n%s", err, got, want)
	}
	for key := range b {
		if a[key] != b[key] {
			t.Errorf("%s: %v, want %v", key, a[key], b[key])
		}
	}
}

func TestFold(t *testing.T) {
	frame := func(pc core.Addr) stack.Frame { return stack.Frame{PC: pc, Kind: runtimes.Native} }
	var even, odd, mixed []stack.Frame
	for i := range 101 {
		odd = append(odd, frame(7))
		even = append(even, frame(core.Addr(i%2)))
		mixed = append(mixed, frame(core.Addr(i)))
	}
	for _, c := range []struct {
		name      string
		in        []stack.Frame
		period, n int
	}{{"one", odd, 1, 101}, {"two", even, 2, 100}, {"none", mixed, 0, 0}, {"short", odd[:31], 0, 0},
		{"empty", nil, 0, 0}} {
		got, lines := "", 0
		fold := folder{line: func(*stack.Frame) { lines++ },
			more: func(n, period int) { got += fmt.Sprint(n, " by ", period) }}
		for i := range c.in {
			fold.add(&c.in[i])
		}
		fold.end()
		want := ""
		if c.n > 0 {
			want = fmt.Sprint(c.n-c.period, " by ", c.period)
		}
		if left := len(c.in) - c.n + c.period; got != want || lines != left {
			t.Errorf("%s: %s more and %d lines, want %s and %d", c.name, got, lines, want, left)
		}
	}
}

// foldWhole is what a folder does to frames that are all there.
func foldWhole(fs []stack.Frame) (said []string) {
next:
	for i := 0; i < len(fs); i++ {
		rest := fs[i:]
		for p := 1; p <= foldPeriod && 2*p <= len(rest); p++ {
			n := p
			for n < len(rest) && rest[n].PC == rest[n-p].PC {
				n++
			}
			if n -= n % p; n < foldMin {
				continue
			}
			for _, f := range rest[:p] {
				said = append(said, f.PC.String())
			}
			said = append(said, fmt.Sprint(n-p, " by ", p))
			i += n - 1
			continue next
		}
		said = append(said, fs[i].PC.String())
	}
	return said
}

// TestFoldStream: frames that come one by one are folded as if all were there.
func TestFoldStream(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	folds := 0
	for range 3000 {
		var frames []stack.Frame
		for len(frames) < 300 && r.IntN(12) > 0 {
			period, n := 1+r.IntN(foldPeriod+2), r.IntN(90)
			base := r.IntN(3)
			for i := range n {
				frames = append(frames, stack.Frame{PC: core.Addr(base + i%period)})
			}
		}
		var got []string
		fold := folder{line: func(f *stack.Frame) { got = append(got, f.PC.String()) },
			more: func(n, period int) { got = append(got, fmt.Sprint(n, " by ", period)) }}
		for _, f := range frames {
			fold.add(&f)
		}
		fold.end()
		want := foldWhole(frames)
		if !slices.Equal(got, want) {
			t.Fatalf("%d frames: %q, want %q", len(frames), got, want)
		}
		if len(want) < len(frames) {
			folds++
		}
	}
	if folds < 500 {
		t.Errorf("only %d lists were folded", folds)
	}
}

// TestDeepJSON: a stack has the same JSON whether all its frames are held or not.
func TestDeepJSON(t *testing.T) {
	deep := func(hold int) *ThreadRecord {
		p := coretest.New(core.AMD64).MapProt(0x1000, make([]byte, 0x1000), core.Read|core.Exec).
			Thread(1, map[string]uint64{"rip": 0x1010}).Process()
		e := &stack.Engine{Process: p, Symbols: sym.NewTable(p),
			Walk: func(context.Context, *core.Thread, ...walk.Unwinder) iter.Seq2[walk.Frame, error] {
				return func(yield func(walk.Frame, error) bool) {
					for i := range 100 {
						if !yield(walk.Frame{PC: core.Addr(0x1010 + i), SP: core.Addr(0x7000 + 32*i)}, nil) {
							return
						}
					}
				}
			}}
		return &ThreadRecord{Stack: e.Thread(t.Context(), p.Threads[0], stack.Options{Hold: hold})}
	}
	var want, got, plain bytes.Buffer
	out.NewWriter(&want).JSON(deep(0))
	for _, hold := range []int{1, 7, 99, 100, 101} {
		got.Reset()
		plain.Reset()
		rec := deep(hold)
		out.NewWriter(&got).JSON(rec)
		b, _ := out.Marshal(rec)
		plain.Write(append(b, '\n'))
		if rec.Deep() != (hold < 100) || len(rec.Frames) != min(hold, 100) {
			t.Errorf("%d frames are held of %d", len(rec.Frames), hold)
		}
		if got.String() != want.String() || plain.String() != want.String() {
			t.Errorf("%d held: %.200s…, want %.200s…", hold, got.String(), want.String())
		}
	}
	if !json.Valid(want.Bytes()) || bytes.Count(want.Bytes(), []byte(`"index"`)) != 100 {
		t.Errorf("JSON of 100 frames: %.200s…", want.String())
	}
}

// TestUnmapped: a frame of generated code without a source map says so, as text and as JSON.
func TestUnmapped(t *testing.T) {
	rec := &ThreadRecord{Stack: &stack.Stack{Thread: &core.Thread{TID: 1}, Frames: []stack.Frame{
		{Kind: runtimes.JS, Name: "view", File: "/app/page.tsx", Line: 2, Column: 1563, Unmapped: true},
		{Kind: runtimes.JS, Name: "main", File: "/app/main.ts", Line: 4, Column: 1},
	}}}
	var b bytes.Buffer
	rec.Text(out.NewWriter(&b))
	lines := strings.Split(b.String(), "\n")
	if len(lines) < 3 || !strings.HasSuffix(lines[1], "/app/page.tsx:2:1563 (generated code, no source map)") ||
		strings.Contains(lines[2], "generated") {
		t.Errorf("%s", b.String())
	}
	if js, err := out.Marshal(rec); err != nil || strings.Count(string(js), `"unmapped":true`) != 1 {
		t.Errorf("%s, %v", js, err)
	}
}
