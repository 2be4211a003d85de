package frames

import (
	"slices"
	"testing"

	"coredbg/runtimes"
	v8 "coredbg/runtimes/v8"
	"coredbg/stack"
)

// TestMapLines: -v shows the running code and the map that moves the frame elsewhere. A frame without a source
// map, or one that is shown as it runs, gets no such line.
func TestMapLines(t *testing.T) {
	made := &runtimes.Generated{Name: "d", File: "/app/dist/main.js", Line: 1, Column: 885, Map: "cache"}
	ignored := *made
	ignored.Ignored = true
	for _, c := range []struct {
		shown, decoded *runtimes.Generated
		want           []string
	}{
		{made, made, []string{"runs: /app/dist/main.js:1:885", "map: cache"}},
		{&ignored, &ignored, []string{"runs: /app/dist/main.js:1:885, which is to be ignored", "map: cache"}},
		{nil, made, nil}, // Options.Raw
		{nil, nil, nil},
	} {
		d := &detail{v: &v8.V8{}}
		var got []string
		d.mapLines(&stack.Frame{Generated: c.shown}, &runtimes.SourceFrame{Kind: runtimes.JS, Generated: c.decoded},
			func(label, text string) { got = append(got, label+": "+text) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.shown, got, c.want)
		}
	}
}
