package hotspot_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

var (
	dumpedThread = regexp.MustCompile(`^"(.*)"(?: (#\d+))?.*? tid=(0x[0-9a-f]+)`)
	dumpedModule = regexp.MustCompile(`\([^/()]+@[^/()]+/`)
)

// readStackDump reads the threads of a dump by their tid: name, number, daemon or not, state, then frames and
// locks. Circles of threads follow at "".
func readStackDump(text string) map[string][]string {
	all, current, circles := map[string][]string{}, "", false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "JNI global ref") {
			current = ""
		}
		if strings.HasPrefix(line, "Found one Java-level deadlock") {
			circles = true
		}
		switch m := dumpedThread.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "Java stack information"):
			return all
		case circles:
			if t := strings.TrimSpace(line); strings.HasPrefix(t, "w") { // waits, and the owner
				all[""] = append(all[""], t)
			}
		case m != nil:
			current = m[3]
			all[current] = []string{m[1], m[2]}
			if strings.Contains(line, " daemon ") {
				all[current][1] += " daemon"
			}
		case strings.HasPrefix(line, `"`):
			current = "" // a virtual thread
		case strings.HasPrefix(line, "   Carrying virtual thread"):
			delete(all, current) // TestLiveGrid has it
			current = ""
		case current == "":
		case strings.HasPrefix(line, "   java.lang.Thread.State"):
			all[current] = append(all[current], line)
		case strings.HasPrefix(line, "\tat "), strings.HasPrefix(line, "\t- "):
			line = dumpedModule.ReplaceAllString(line, "(")
			// Where compiled code does not say what a thread waits for, and for a wait that has not ended,
			// releases have words of their own.
			if strings.HasPrefix(line, "\t- waiting on <no object") {
				continue
			}
			all[current] = append(all[current], strings.Replace(line, "waiting to re-lock in wait()", "locked", 1))
		}
	}
	return all
}

// TestLiveStackDump compares the dump that is written of a core with the one that the JVM has printed, line
// by line: names, numbers, states, frames, locks that are held and waited for, and the first circle of
// threads.
func TestLiveStackDump(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var out bytes.Buffer
			s := openJVM(t, dir, coredbg.Options{Stdout: &out})
			if err := s.Run(t.Context(), "::jstackdump"); err != nil {
				t.Fatal(err)
			}
			text := readText(t, filepath.Join(dir, "out.txt"))
			got, want := readStackDump(out.String()), readStackDump(text)
			locks := 0
			for tid, w := range want {
				if tid == "" || len(w) < 3 {
					continue // circles, or a thread of the virtual machine's own
				}
				g := got[tid]
				if !strings.Contains(text, "Class initialization monitor") { // JDK 8 and 11 do not say it
					g = slices.DeleteFunc(g, func(l string) bool {
						return strings.Contains(l,
							"Class initialization monitor")
					})
				}
				if !slices.ContainsFunc(w, func(l string) bool { return strings.Contains(l, "- waiting on <") }) {
					g = slices.DeleteFunc(g, func(l string) bool { return strings.Contains(l, "- waiting on <") })
				}
				if !slices.Equal(g, w) {
					t.Errorf("got\n%s\nwant, as the JVM has printed it,\n%s", strings.Join(g, "\n"),
						strings.Join(w, "\n"))
				}
				for _, l := range w {
					if strings.HasPrefix(l, "\t- ") {
						locks++
					}
				}
			}
			if locks < 25 {
				t.Errorf("%d lines about locks are compared, want 25", locks)
			}
			for _, l := range want[""] {
				if !slices.Contains(got[""], l) {
					t.Errorf("the circles have no line %q: %q", l, got[""])
				}
			}
		})
	}
}
