package frames

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/object"
	"coredbg/stack"
	"coredbg/walk"
)

// someFrames is a short stack of every kind of frame.
func someFrames() []stack.Frame {
	return []stack.Frame{
		{Index: 0, Kind: runtimes.Native, Name: "abort", Module: "/lib/libc.so.6", Offset: 0xd3,
			HasOffset: true, FP: 0x10},
		{Index: 1, Kind: runtimes.API, Name: "process.abort", Callback: "node::Abort", FP: 0x20},
		{Index: 2, Kind: runtimes.JS, Name: "inner", File: "/a.js", Line: 3, Column: 7, Tier: "turbofan",
			Inlined: true, FP: 0x30},
		{Index: 3, Kind: runtimes.JS, File: "/a.js", Line: 9, Column: 1, Tier: "turbofan", FP: 0x30,
			ExtraText: []string{"this: undefined"}},
		{Index: 4, Kind: runtimes.Stub, Name: "JSEntryTrampoline", Tier: "internal", FP: 0x40},
		{Index: 5, Kind: runtimes.Stub, Name: "JSEntry", Tier: "entry", FP: 0x50},
		{Index: 6, Kind: runtimes.JS, Name: "main", File: "/a.js", Line: 20, Column: 2, Async: true, FP: 0x50},
		{Index: 7, Kind: runtimes.Native, Name: "node::Start", Module: "/bin/node", Offset: 4,
			HasOffset: true, FP: 0x60},
	}
}

func text(r commands.Record) string {
	var b bytes.Buffer
	commands.WriteText(out.NewWriter(&b), r)
	return b.String()
}

func TestStackText(t *testing.T) {
	rec := &stackRecord{
		ThreadRecord: &commands.ThreadRecord{Stack: &stack.Stack{Thread: &core.Thread{TID: 7}, Frames: someFrames(),
			Stop: &walk.StopError{Kind: walk.StopRoot}}},
		lines: map[int][]object.SourceLine{3: {{Number: 8, Text: "function f() {"}, {Number: 9, Text: "  g();"}}},
	}
	want := `        (1 native frame elided)
api:    process.abort (node::Abort)
js:     inner (/a.js:3:7) [inlined]
js:     <anonymous> (/a.js:9:1)
          this: undefined
              8  function f() {
        >     9    g();
        (2 internal frames elided)
js:     async main (/a.js:20:2)
        (1 native frame elided)
`
	if got := text(rec); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	rec.all, rec.lines = true, nil
	rec.Stop = &walk.StopError{Kind: walk.StopNoProgress, At: 0x99}
	for _, line := range []string{"0000000000000010 native: libc.so.6`abort+0xd3\n",
		"0000000000000050 internal: JSEntry [entry]\n", "(stopped: no-progress 0x99)\n"} {
		if got := text(rec); !strings.Contains(got, line) {
			t.Errorf("no line %q in\n%s", line, got)
		}
	}
}

func TestStackJSON(t *testing.T) {
	rec := &stackRecord{ThreadRecord: &commands.ThreadRecord{Stack: &stack.Stack{Thread: &core.Thread{TID: 7},
		Frames: someFrames()}}}
	for all, want := range map[bool]int{false: 4, true: 8} {
		rec.all = all
		b, err := out.Marshal(rec)
		var got struct {
			Type   string `json:"type"`
			Frames []struct {
				Index int    `json:"index"`
				Kind  string `json:"kind"`
			} `json:"frames"`
		}
		if err == nil {
			err = json.Unmarshal(b, &got)
		}
		if err != nil || got.Type != "thread" || len(got.Frames) != want || len(rec.Frames) != 8 {
			t.Errorf("all %v: %s, %v", all, b, err)
		}
	}
}

func TestSelected(t *testing.T) {
	frames := append(someFrames(), stack.Frame{Kind: runtimes.JS, Name: "Shape.main"})
	if got := selected(frames, "main"); len(got) != 2 {
		t.Errorf("got %v", got)
	}
}
