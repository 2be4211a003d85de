package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveWaits: what threads wait for in glibc of several versions and in musl is what they have
// written down themselves (waits.c), and nothing else is.
func TestLiveWaits(t *testing.T) {
	for _, file := range coretest.Live(t) {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			written, err := os.ReadFile(filepath.Join(filepath.Dir(file), "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.TrimSpace(string(written)), "\n")
			slices.Sort(want)
			got := waitLines(t, file)
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			circle := records[struct{ Waits []struct{ Kind string } }](t, openValues(t, file), "::deadlock")
			if held := slices.ContainsFunc(want, func(s string) bool {
				return strings.HasPrefix(s,
					"mutex one ")
			}); held != (len(circle) == 1 && len(circle[0].Waits) == 2) {
				t.Errorf("circles %+v", circle)
			}
		})
	}
}

// waitLines returns the output of ::mutexes for a core, as waits.c writes it.
func waitLines(t *testing.T, file string) []string {
	type wait struct {
		Kind, Name     string
		Owner, Readers int
		Unrecorded     bool
		Mutex_name     string
		Waiters, Timed []int
		In             []string
	}
	own := func(s string) string {
		if s = strings.TrimPrefix(s, "waits`"); s == "" {
			return "-"
		}
		return s
	}
	var out []string
	for _, w := range records[wait](t, openValues(t, file), "::mutexes") {
		owner := fmt.Sprint(w.Owner)
		switch {
		case w.Unrecorded:
			owner = "?"
		case w.Readers > 0:
			owner = fmt.Sprintf("%dr", w.Readers)
		case w.Owner == 0:
			owner = "-"
		}
		if w.Kind == "thread" {
			w.Name = ""
		}
		for i, id := range w.Waiters {
			timed := "-"
			if slices.Contains(w.Timed, id) {
				timed = "timed"
			}
			in, _, _ := strings.Cut(w.In[i], " ")
			out = append(out, fmt.Sprintf("%s %s %s %s %s %d %s", w.Kind, own(w.Name), owner, own(w.Mutex_name),
				in, id, timed))
		}
	}
	slices.Sort(out)
	return out
}
