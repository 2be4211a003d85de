package frames

import (
	"testing"

	"coredbg/runtimes"
	"coredbg/stack"
)

// TestRunning: a program's own stack has the places of the running code, except in a file that was compiled in memory
// under its own name: there it has no such line.
func TestRunning(t *testing.T) {
	st := &stack.Stack{Frames: []stack.Frame{
		{Name: "mapped", File: "/src/a.ts", Line: 3, Column: 7,
			Generated: &runtimes.Generated{Name: "a", File: "/dist/a.js", Line: 1, Column: 900}},
		{Name: "memory", File: "/src/b.tsx", Line: 32, Column: 57,
			Generated: &runtimes.Generated{Name: "b", File: "/src/b.tsx", Line: 2, Column: 1563}},
		{Name: "plain", File: "/src/c.js", Line: 5},
	}}
	running(st)
	for i, want := range []string{"a /dist/a.js:1:900", "b /src/b.tsx:32:57", "plain /src/c.js:5"} {
		if f := &st.Frames[i]; f.Name+" "+f.Position() != want {
			t.Errorf("%s %s, want %s", f.Name, f.Position(), want)
		}
	}
}
