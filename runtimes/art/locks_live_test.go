package art_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/frame"
	"coredbg/walk"
)

var dumpLock = regexp.MustCompile(`  - ((?:locked|waiting to lock|waiting on|sleeping on) <0x[0-9a-f]+> \(a .*\)(?: held by thread \d+)?)$`)

// dumpLocks returns the lines about locks of a dump, each after the name of its
// frame's method, by the kernel's thread id.
func dumpLocks(t *testing.T, path string) map[int][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[int][]string{}
	tid, method := 0, ""
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		switch {
		case strings.Contains(line, "DALVIK THREADS"):
			clear(out)
		case dumpTID.MatchString(line):
			tid, _ = strconv.Atoi(dumpTID.FindStringSubmatch(line)[1])
		case dumpFrame.MatchString(line):
			method, _, _ = strings.Cut(dumpFrame.FindStringSubmatch(line)[1], "(")
		case dumpLock.MatchString(line):
			text := method + ": " + dumpLock.FindStringSubmatch(line)[1]
			// ART 10 and 14 print a synchronized native method as one that has
			// the lock that it waits for.
			if n := len(out[tid]); n == 0 || !strings.HasPrefix(out[tid][n-1],
				strings.Replace(text, ": locked", ": waiting to lock", 1)+" held") {
				out[tid] = append(out[tid], text)
			}
		}
	}
	return out
}

// TestLocksAgainstART compares the locks of each frame, and the object its thread waits for, with ART's own
// dump, which names objects by their hash codes.
func TestLocksAgainstART(t *testing.T) {
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := dumpLocks(t, filepath.Join(dir, "log.txt"))
			if len(want) == 0 {
				t.Skip("ART printed no locks")
			}
			states := map[int]string{}
			for _, d := range dump(t, filepath.Join(dir, "log.txt")) {
				states[d.tid] = d.state
			}
			p, a := openLive(t, dir)
			for tid, lines := range want {
				th := p.Thread(tid)
				if th == nil || a.Thread(th) == nil {
					t.Errorf("thread %d is not there", tid)
					continue
				}
				if state := a.Thread(th).State; state != states[tid] {
					t.Logf("thread %d went on from %s to %s after the dump", tid, states[tid], state)
					continue
				}
				if got := lockLines(p, a, th); !slices.Equal(got, lines) {
					t.Errorf("thread %d (%s):\n got %s\nwant %s", tid, a.Thread(th).Name, strings.Join(got, "\n     "),
						strings.Join(lines, "\n     "))
				}
			}
		})
	}
}

// lockLines writes what the core says as ART's dump does.
func lockLines(p *core.Process, a *art.ART, th *core.Thread) (out []string) {
	first := true
	for f, err := range walk.NewTarget(p, walk.Options{}).Walk(context.Background(), th, a.Begin(th)) {
		if err != nil {
			break
		}
		q, ok := f.Record.(*frame.Activation)
		if !ok {
			continue
		}
		for n, s := range a.Source(q) {
			// ART knows no object for a park
			if w, waits := a.WaitOf(a.Thread(th)); first && waits && w.Kind != "park" {
				verb := map[string]string{"lock": "waiting to lock", "wait": "waiting on",
					"sleep": "sleeping on"}[w.Kind]
				line := fmt.Sprintf("%s: %s %s", s.Name, verb, named(a, w.Object.Addr))
				if w.Kind == "lock" {
					line += fmt.Sprintf(" held by thread %d", w.Owner.ID)
				}
				out = append(out, line)
			}
			first = false
			for _, h := range a.Locks(q, n, &f.Regs) {
				out = append(out, fmt.Sprintf("%s: locked %s", s.Name, named(a, h.Object)))
			}
		}
	}
	return out
}

// named is an object as the dump has it.
func named(a *art.ART, at core.Addr) string {
	m, err := a.Monitor(at)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("<%#08x> (a %s)", m.Hash, a.TypeOf(m.Object))
}
