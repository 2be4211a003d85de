package commands

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

func TestThreadRecord(t *testing.T) {
	stop := &walk.StopError{Kind: walk.StopUnreadable, At: 0x7080, Err: &core.FaultError{Addr: 0x7080, Gap: core.NotDumped}}
	rec := &ThreadRecord{Stack: &stack.Stack{Thread: &core.Thread{TID: 1, Crashed: true}, Signal: "SIGSEGV", State: "Native", Stop: stop, Frames: []stack.Frame{
		{Index: 0, Kind: runtimes.Native, PC: 0x1010, SP: 0x7000, FP: 1, CFA: 0x7020, Module: "/usr/bin/app", ModuleOffset: 0x10, Trust: walk.Registers, Arch: core.AMD64},
		{Index: 1, Kind: runtimes.JS, Name: "in\x1b[31m", PC: 0x1020, SP: 0x7020, FP: 1, CFA: 0x7040, File: "/a.js", Line: 3, Column: 7, Trust: walk.CFI, Tier: "turbofan", Inlined: true, Arch: core.AMD64},
		{Index: 2, Kind: runtimes.JS, Name: "outer", PC: 0x1020, SP: 0x7020, FP: 1, CFA: 0x7040, File: "/a.js", Line: 9, Trust: walk.CFI, Tier: "turbofan", Arch: core.AMD64},
		{Index: 3, Kind: runtimes.Signal, PC: 0x1030, SP: 0x7040, FP: 1, CFA: 0x7060, Module: "/usr/bin/app", ModuleOffset: 0x30, Trust: walk.CFI, Arch: core.AMD64},
		{Index: 4, Kind: runtimes.Native, PC: 0x1040, SP: 0x7060, FP: 1, Module: "/usr/bin/app", ModuleOffset: 0x40, Trust: walk.CFI, Arch: core.AMD64},
	}}}
	got, err := out.Marshal(rec)
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

// TestFrameJSON: what is written for speed is what the declaration says.
func TestFrameJSON(t *testing.T) {
	full := stack.Frame{Index: 7, Kind: runtimes.API, Name: "f<\u2028\"", PC: 1, SP: 2, FP: 3, Module: "/m", Offset: 4, HasOffset: true, ModuleOffset: 5,
		File: "/f", Line: 6, Column: 7, Trust: walk.CFI, Tier: "jit", Inlined: true, Async: true, NoCall: true, Function: 8, Callback: "c", Note: "n"}
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
	}{{"one", odd, 1, 101}, {"two", even, 2, 100}, {"none", mixed, 0, 0}, {"short", odd[:31], 0, 0}, {"empty", nil, 0, 0}} {
		if p, n := repeats(c.in); p != c.period || n != c.n {
			t.Errorf("%s: period %d over %d, want %d over %d", c.name, p, n, c.period, c.n)
		}
	}
}
