package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLiveTimes: how long threads ran is about what each has written down by its own clock
// (cputime.c): the kernel counts ticks, of which a busy machine steals some. What threads that ended
// used is the main one's.
func TestLiveTimes(t *testing.T) {
	off := func(seconds float64) float64 { return max(0.1, 0.4*seconds) }
	tried := 0
	for _, file := range liveTruths(t) {
		name := filepath.Base(filepath.Dir(file))
		if !strings.HasPrefix(name, "cputime-") {
			continue
		}
		tried++
		t.Run(name, func(t *testing.T) {
			written, err := os.ReadFile(filepath.Join(filepath.Dir(file), "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			type times struct {
				TID          int
				User, System float64
				Most         bool `json:"at_most"`
			}
			got := map[int]times{}
			for _, r := range records[times](t, openValues(t, file), "::threads -t") {
				got[r.TID] = r
			}
			want, main, ended := map[int]float64{}, 0, 0.0
			for line := range strings.Lines(string(written)) {
				var kind string
				var tid, ms int
				if _, err := fmt.Sscan(line, &kind, &tid, &ms); err != nil {
					t.Fatal(line, err)
				}
				switch kind {
				case "ended":
					ended = float64(ms) / 1000
					continue
				case "main":
					main = tid
				}
				want[tid] = float64(ms) / 1000
			}
			if len(want) != 4 || len(got) != len(want) || ended == 0 {
				t.Fatalf("%d threads have times, not %d", len(got), len(want))
			}
			for tid, w := range want {
				g, least := got[tid], w
				if tid == main {
					w += ended
				}
				if sum := g.User + g.System; sum < least-off(least) || sum > w+off(w) || g.Most != (tid == main) {
					t.Errorf("thread %d: %+v; want %.3f to %.3f", tid, g, least, w)
				}
			}
		})
	}
	if tried == 0 {
		t.Error("no live core says how long its threads ran")
	}
}
