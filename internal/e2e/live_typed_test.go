package e2e

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/stack"
)

// TestLiveTyped: frames of TypeScript that is compiled while it runs are where the program's own Error.stack
// has them. Code that says it was made from TSX, and has no map, is marked in what is printed; no other place
// is. Functions are listed and shown at the same places, with the lines of the source.
func TestLiveTyped(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var truth struct{ Trace []string }
			readJSON(t, filepath.Join(dir, "truth.json"), &truth)
			want := typedPlaces(truth.Trace[1:]) // the innermost function has gone on since it said its stack
			s := openLive(t, filepath.Join(dir, "core"))
			frames := typedFrames(s)[1:]
			var got []string
			for i := range frames {
				got = append(got, strings.TrimPrefix(frames[i].Position(), "file://"))
				if view := strings.HasPrefix(frames[i].File, "/made/view"); view != frames[i].Unmapped {
					t.Errorf("%s: marked as generated: %v", frames[i].Position(), frames[i].Unmapped)
				}
			}
			if len(want) < 4 || !slices.Equal(got, want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
			}
			for i := range frames {
				checkFunction(t, s, &frames[i])
			}
			checkMarks(t, s, slices.ContainsFunc(want,
				func(place string) bool { return strings.HasPrefix(place, "/made/view") }))
			text := printed(t, s, "::jsstack -e")
			if said := typedPlaces(strings.Split(text, "\n")); len(said) == 0 || !slices.Equal(said[1:], want) {
				t.Errorf("::jsstack -e has\n  %s\nwant\n  %s", strings.Join(said, "\n  "), strings.Join(want, "\n  "))
			}
		})
	}
}

// checkMarks holds the marks of generated code in what commands print to the code that has no map: its
// places, and no other.
func checkMarks(t *testing.T, s *coredbg.Session, has bool) {
	t.Helper()
	for _, line := range []string{"::stack", "::jsstack"} {
		marked := 0
		for text := range strings.Lines(printed(t, s, line)) {
			is := strings.Contains(text, "("+stack.Unmapped+")")
			if is {
				marked++
			}
			if made := strings.Contains(text, "/made/view.tsx:"); made != is {
				t.Errorf("%s: marked as generated: %v: %s", line, is, text)
			}
		}
		if (marked > 0) != has {
			t.Errorf("%s marks %d places, want some: %v", line, marked, has)
		}
	}
}

// typedPlaces returns the places of a program of sources/v8/typed in the lines of an Error.stack.
func typedPlaces(lines []string) (list []string) {
	for _, line := range lines {
		line = strings.Replace(line, ", <anonymous>:", ":", 1) // Deno of code that eval has made
		if at := traceLine.FindStringSubmatch(line); at != nil && ofTyped(at[2]) {
			list = append(list, strings.TrimPrefix(at[2], "file://"))
		}
	}
	return list
}

// ofTyped reports whether a place is in a program of sources/v8/typed.
func ofTyped(place string) bool {
	file, _, _ := strings.Cut(filepath.Base(place), ":")
	return slices.Contains([]string{".ts", ".tsx"}, filepath.Ext(file))
}

// typedFrames returns the frames of such a program on its first thread, callers that wait last.
func typedFrames(s *coredbg.Session) (list []stack.Frame) {
	for _, f := range s.Stacks.Thread(context.Background(), s.Process.Threads[0], stack.Options{}).Frames {
		if f.Kind == runtimes.JS && f.Line > 0 && ofTyped(f.Position()) {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b stack.Frame) int { return cmp.Compare(asInt(a.Async), asInt(b.Async)) })
	return list
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkFunction compares the records of ::jsfunction, ::jssource and ::jsfunctions for a frame's function
// with the source.
func checkFunction(t *testing.T, s *coredbg.Session, f *stack.Frame) {
	t.Helper()
	text, err := os.ReadFile(strings.TrimPrefix(f.File, "file://"))
	if err != nil || f.Function == 0 {
		return // made by eval, or a caller that waits
	}
	lines := strings.Split(string(text), "\n")
	type place struct {
		Name, File, Note string
		Line, Column     int
		Lines            []string
		Generated        *runtimes.Generated
	}
	at := records[place](t, s, fmt.Sprintf("%#x::jsfunction", uint64(f.Function)))
	shown := records[place](t, s, fmt.Sprintf("%#x::jssource", uint64(f.Function)))
	if len(at) != 1 || at[0].File != f.File || at[0].Line < 1 || at[0].Line > f.Line ||
		!strings.Contains(lines[at[0].Line-1], at[0].Name) {
		t.Errorf("%s: ::jsfunction %+v", f.Position(), at)
		return
	}
	end := at[0].Line - 1 + len(shown[0].Lines)
	switch {
	case len(shown) != 1:
		t.Errorf("%s: ::jssource %+v", f.Position(), shown)
	case f.Generated != nil && shown[0].Note != "":
		if g := at[0].Generated; shown[0].Line != g.Line || shown[0].File != g.File ||
			!strings.Contains(shown[0].Note, ", and not ") {
			t.Errorf("%s: ::jssource %+v, but it runs at %+v", f.Position(), shown, g)
		}
	case shown[0].File != f.File || shown[0].Line != at[0].Line || end < f.Line:
		t.Errorf("%s: ::jssource %+v", f.Position(), shown)
	case f.Generated != nil && !slices.Equal(shown[0].Lines, lines[shown[0].Line-1:end]):
		t.Errorf("%s: ::jssource has\n%s", f.Position(), strings.Join(shown[0].Lines, "\n"))
	}
	listed := records[place](t, s, "::jsfunctions -s "+filepath.Base(f.File))
	if !slices.ContainsFunc(listed, func(p place) bool {
		return p.File == f.File && p.Line == at[0].Line &&
			p.Column == at[0].Column
	}) {
		t.Errorf("%s: ::jsfunctions lists %+v, want %+v", f.Position(), listed, at[0])
	}
}
