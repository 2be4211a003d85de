package hotspot_test

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/stack"
)

// kindsOf counts threads and frames by the part of a thread's name before the dash: what runs on its stack.
type kindsOf map[string][2]int

func (k kindsOf) add(name string, frames int) {
	kind, _, ok := strings.Cut(name, "-")
	switch {
	case !ok:
		kind = "others"
	case kind == "ForkJoinPool":
		kind = "split"
	}
	n := k[kind]
	k[kind] = [2]int{n[0] + 1, n[1] + frames}
}

// TestLiveGrid compares the stacks of Grid's threads with the JVM's own dump, frame by frame with lines. It
// compares the stacks of virtual threads with the file of all threads that Java has written
// (Thread.dump_to_file).
func TestLiveGrid(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) { checkGrid(t, dir, openJVM(t, dir, coredbg.Options{})) })
	}
}

// firstOf returns the number of the first frame that begins with a method, or -1.
func firstOf(frames []string, method string) int {
	return slices.IndexFunc(frames, func(f string) bool { return strings.HasPrefix(f, method) })
}

// checkGrid compares the stacks of a core with the dumps in its folder.
func checkGrid(t *testing.T, dir string, s *coredbg.Session) {
	t.Helper()
	kinds := kindsOf{}
	for _, want := range readDump(t, filepath.Join(dir, "out.txt")) {
		native := s.Process.Thread(want.tid)
		if native == nil || len(want.frames) == 0 {
			continue // of the collector, or of the compilers
		}
		st := s.Stacks.Thread(context.Background(), native, stack.Options{})
		got := slices.DeleteFunc(javaFrames(st), between)
		if i := firstOf(got, "jdk.internal.vm.Continuation.run "); want.carrier && i >= 0 {
			got = got[i:] // JDK 21 prints the carrier's alone
		}
		if !slices.Equal(got, want.frames) {
			t.Errorf("%s: frames\n%s\nwant, as the JVM has printed them,\n%s", want.name, strings.Join(got, "\n"),
				strings.Join(want.frames, "\n"))
		}
		if st.Stop != nil && st.Stop.Error() != "root" {
			t.Errorf("%s: the walk ended: %v", want.name, st.Stop)
		}
		kinds.add(want.name, len(want.frames))
	}
	h := hotSpot(t, s)
	if h.Java() >= 21 {
		checkWritten(t, s, kinds, readText(t, filepath.Join(dir, "threads.txt")))
	}
	t.Logf("threads and frames: %v", kinds)
	least := map[string]int{"proxy": 3, "reflection": 3, "lambda": 4, "handle": 2, "exception": 3, "loop": 2,
		"recursion": 2,
		"jni":       3, "deadlock": 4, "pool": 4, "split": 3}
	if h.Java() >= 17 {
		least["modern"] = 6
	}
	for kind, n := range least {
		if kinds[kind][0] < n {
			t.Errorf("%d threads of kind %s are compared, want %d", kinds[kind][0], kind, n)
		}
	}
}

// between reports whether a frame is where a virtual thread's stack ends and its carrier's goes on. The JVM
// prints it with neither.
func between(frame string) bool { return frame == "jdk.internal.vm.Continuation.enterSpecial" }

var (
	writtenHead = regexp.MustCompile(`(?m)^#(\d+) "(.*)"( virtual)?`)
	// hiddenHere has hiddenFrames, and the frames of method handles, which Virtual does not use.
	hiddenHere = regexp.MustCompile(hiddenFrames.String() +
		`|^java\.lang\.invoke\.LambdaForm\$|DirectMethodHandleAccessor\.invokeImpl `)
	writtenFrame = regexp.MustCompile(`^ +(?:at )?(?:[^/(]+/)?([^(\s]+)\(([^)]*)\)$`)
)

// checkWritten compares virtual threads with a file that Thread.dump_to_file has written.
func checkWritten(t *testing.T, s *coredbg.Session, kinds kindsOf, text string) {
	t.Helper()
	threads, err := hotSpot(t, s).JavaThreads()
	if err != nil {
		t.Fatal(err)
	}
	compared, want := 0, []virtualThread(nil)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := writtenHead.FindStringSubmatch(line); m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			if want = append(want, virtualThread{number: n, name: m[2], state: m[3]}); m[3] == "" {
				want[len(want)-1].number = 0
			}
			continue
		}
		if m := writtenFrame.FindStringSubmatch(line); m != nil && len(want) > 0 {
			last := &want[len(want)-1]
			last.frames = append(last.frames, frameAt(m[1], m[2]))
		}
	}
	for _, w := range want {
		i := slices.IndexFunc(threads, func(x runtimes.JavaThread) bool { return x.Virtual && x.Number == w.number })
		if w.number == 0 || i < 0 || threads[i].Native == nil {
			if w.number != 0 { // 0 is a thread of the system
				t.Errorf("no virtual thread %d %q with a stack", w.number, w.name)
			}
			continue
		}
		got := slices.DeleteFunc(javaFrames(s.Stacks.Thread(t.Context(), threads[i].Native, stack.Options{})),
			hiddenHere.MatchString)
		if i := firstOf(got, "java.lang.VirtualThread.run "); i >= 0 {
			got = got[:i+1]
		}
		if !slices.Equal(got, w.frames) {
			t.Errorf("%s: frames\n%s\nwant, as Java has written them,\n%s", w.name, strings.Join(got, "\n"),
				strings.Join(w.frames, "\n"))
		}
		compared++
		kinds.add("virtual-", len(w.frames))
	}
	if compared < 7 { // one of them may have got its lock and ended
		t.Errorf("%d virtual threads are compared, want 7", compared)
	}
}
