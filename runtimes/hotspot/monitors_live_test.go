package hotspot_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/coretest"
)

var dumpedLock = regexp.MustCompile(`^\t- (locked|waiting on|waiting to re-lock in wait\(\)) <(0x[0-9a-f]+)> \(a ([^)]*)\)`)

// TestLiveMonitors asks for the lock of each object that a thread has locked by the JVM's own dump. The
// thread has it, and as often as in the dump if that is known. This holds for locks that are biased (JDK 8
// and 11), on a LockStack, and inflated.
func TestLiveMonitors(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			h := hotSpot(t, openJVM(t, dir, coredbg.Options{}))
			held := map[string]map[string]int{} // how often a thread has locked an object
			name, unnamed, waits := "", false, map[string]bool{}
			for line := range strings.Lines(readText(t, filepath.Join(dir, "out.txt"))) {
				if strings.HasPrefix(line, "JNI global ref") {
					break
				}
				if m := dumpedThread.FindStringSubmatch(line); m != nil {
					name, unnamed, waits = m[1], false, map[string]bool{}
				}
				unnamed = unnamed || strings.Contains(line, "WAITING (on object monitor)")
				m := dumpedLock.FindStringSubmatch(strings.TrimRight(line, "\n"))
				switch {
				case m == nil:
				// It has let this go; compiled code does not name what a thread waits for.
				case m[1] != "locked" || unnamed:
					waits[m[2]], unnamed = true, false
				case !waits[m[2]]:
					if held[m[2]] == nil {
						held[m[2]] = map[string]int{}
					}
					held[m[2]][name]++
				}
			}
			states := map[string]int{}
			for at, by := range held {
				a, err := strconv.ParseUint(at, 0, 64)
				if err != nil {
					t.Fatal(err)
				}
				m, err := h.JavaMonitor(core.Addr(a))
				if err != nil {
					t.Errorf("%s: %v", at, err)
					continue
				}
				states[m.State]++
				if m.Owner == nil || by[m.Owner.Name] == 0 || m.Count != 0 && m.Count != by[m.Owner.Name] {
					t.Errorf("%s is %s, owned by %v %d times, %s; want %v", at, m.State, m.Owner,
						m.Count, m.Problem, by)
				}
			}
			t.Logf("locks by their state: %v", states)
			if len(held) < 5 {
				t.Errorf("%d locks are compared, want 5", len(held))
			}
		})
	}
}
