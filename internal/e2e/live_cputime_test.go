package e2e

import (
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"coredbg/core/coretest"
)

// ofPRStatus matches the ids and times in eu-readelf's output for an NT_PRSTATUS.
var ofPRStatus = regexp.MustCompile(`\bpid: (\d+), ppid: \d+, pgrp: \d+, sid: \d+\s+utime: ([0-9.]+), stime: ([0-9.]+),`)

// TestLiveTimes compares the times of threads (cputime.c) with their records as read by eu-readelf of
// elfutils. The record of the leading thread has the times of all. The threads' own clocks are no
// truth: the kernel counts ticks here, and a busy machine loses many of them.
func TestLiveTimes(t *testing.T) {
	for _, file := range coretest.Live(t) {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			text, err := exec.Command("eu-readelf", "-n", filepath.Join(filepath.Dir(file), "core")).Output()
			if err != nil {
				t.Fatal(err)
			}
			want := map[int][2]float64{}
			lead, others := 0, [2]float64{}
			for i, m := range ofPRStatus.FindAllStringSubmatch(string(text), -1) {
				tid, _ := strconv.Atoi(m[1])
				user, _ := strconv.ParseFloat(m[2], 64)
				system, _ := strconv.ParseFloat(m[3], 64)
				want[tid] = [2]float64{user, system}
				if i == 0 {
					lead = tid // the one that the signal hit, which main is here
					continue
				}
				others[0], others[1] = others[0]+user, others[1]+system
			}
			type times struct {
				TID          int
				User, System float64
				Most         bool `json:"at_most"`
			}
			got := records[times](t, openValues(t, file), "::threads -t")
			if len(want) != 4 || len(got) != len(want) {
				t.Fatalf("%d threads have times, not %d", len(got), len(want))
			}
			for _, g := range got {
				w := want[g.TID]
				if g.TID == lead {
					w[0], w[1] = max(w[0]-others[0], 0), max(w[1]-others[1], 0)
				}
				if math.Abs(g.User-w[0]) > 1e-5 || math.Abs(g.System-w[1]) > 1e-5 || g.Most != (g.TID == lead) {
					t.Errorf("thread %d: %+v; want %v", g.TID, g, w)
				}
			}
		})
	}
}
