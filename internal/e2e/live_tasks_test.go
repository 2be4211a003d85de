package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveTasks compares the verdict on the goroutines of a Go program that was killed with the output
// of Go's runtime: the size of the largest group, its kind of wait and its place.
func TestLiveTasks(t *testing.T) {
	tried := 0
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		verdicts := records[struct{ Cause string }](t, openValues(t, file), "::analyze")
		if len(verdicts) != 1 || verdicts[0].Cause != "killed" {
			continue
		}
		tried++
		t.Run(filepath.Base(dir), func(t *testing.T) {
			groups, most := map[string]int{}, ""
			for _, w := range writtenGoroutines(t, filepath.Join(dir, "out.txt")) {
				if w.state == "running" || w.state == "runnable" {
					continue
				}
				i := slices.IndexFunc(w.frames, func(p goPlace) bool { return strings.HasPrefix(p.Name, "main.") })
				if i < 0 {
					continue
				}
				group := fmt.Sprintf(" goroutines: %s, under %s (", w.state, w.frames[i].Name)
				if groups[group]++; groups[group] > groups[most] {
					most = group
				}
			}
			for _, v := range records[struct{ Evidence, Next []string }](t, openValues(t, file), "::analyze") {
				want := fmt.Sprint(groups[most], most)
				if groups[most] < 12 || !slices.ContainsFunc(v.Evidence,
					func(s string) bool { return strings.HasPrefix(s, want) }) {
					t.Errorf("nothing says %q: %q", want, v.Evidence)
				}
				if !slices.Contains(v.Next, "::goroutines -g") {
					t.Errorf("what to do next is %q", v.Next)
				}
			}
		})
	}
	if tried == 0 && coretest.OpenLive(t).Whole() {
		t.Error("no live core is of a program with goroutines that was ended")
	}
}
