package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/core/coretest"
)

// TestLiveQuestions: expressions over what Node's C++ says have the values that the program was told: the classes of
// its handles and requests, and the names of its resources. The time of day lies between the times of the file
// that was written before the program began and of its core.
func TestLiveQuestions(t *testing.T) {
	for _, path := range coretest.Live(t) {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				Loop struct{ Handles, Requests, Resources []string }
			}
			readJSON(t, filepath.Join(dir, "truth.json"), &truth)
			if truth.Loop.Handles == nil {
				t.Fatal("the truth has no handles")
			}
			s := openLive(t, path)
			for line, want := range map[string][]string{
				"process._getActiveHandles().map(x => x.constructor.name).sort()":  truth.Loop.Handles,
				"process._getActiveRequests().map(x => x.constructor.name).sort()": truth.Loop.Requests,
				"process.getActiveResourcesInfo()":                                 truth.Loop.Resources,
			} {
				if want == nil { // this version of Node has no such function
					continue
				}
				got := asked[[]string](t, s, line)
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("%s: %v, want %v", line, got, want)
				}
			}
			at := time.UnixMilli(int64(asked[float64](t, s, "Date.now()")))
			before, after := modified(t, dir, "made.txt"), modified(t, dir, "core")
			if at.Before(before) || at.After(after) {
				t.Errorf("Date.now() is %v, and the files are of %v and %v", at, before, after)
			}
			if origin := asked[float64](t, s, "performance.timeOrigin"); origin > float64(at.UnixMilli()) {
				t.Errorf("it began at %v and died at %v", origin, at)
			}
			if ran := asked[float64](t, s, "process.uptime()"); ran <= 0 || ran > after.Sub(before).Seconds() {
				t.Errorf("it ran for %v s, of %v", ran, after.Sub(before))
			}
		})
	}
}

// asked returns the value of an expression of JavaScript.
func asked[T any](t *testing.T, s *commands.Session, expression string) (value T) {
	t.Helper()
	list := records[struct{ Value json.RawMessage }](t, s, "::jsprint "+lang.Quote(expression))
	if len(list) == 0 || json.Unmarshal(list[0].Value, &value) != nil {
		t.Fatalf("%s has no such value: %v", expression, list)
	}
	return value
}

// modified returns when a file of a folder was written, to the millisecond.
func modified(t *testing.T, dir, name string) time.Time {
	t.Helper()
	st, err := os.Stat(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return st.ModTime().Truncate(time.Millisecond)
}

// TestLiveLocation: the address of the page whose script runs is what the page printed itself.
func TestLiveLocation(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth struct {
				Documents map[string]struct{ Href, Origin string }
			}
			readJSON(t, filepath.Join(filepath.Dir(path), "truth.json"), &truth)
			main, s := truth.Documents["main"], openLive(t, path)
			for expression, want := range map[string]string{"location.href": main.Href, "document.URL": main.Href,
				"window.location.origin": main.Origin, "location.protocol + '//' + location.host": main.Origin} {
				if got := asked[string](t, s, expression); got != want || want == "" {
					t.Errorf("%s is %q, want %q", expression, got, want)
				}
			}
		})
	}
}
