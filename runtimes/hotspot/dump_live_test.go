package hotspot_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
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

// A dumped is a thread of the thread dump that the JVM has printed of itself.
type dumped struct {
	name   string
	tid    int
	frames []string // "java.lang.Thread.run Thread.java:840", innermost first
	// carrier is set if it has a virtual thread mounted whose frames the JVM has not printed.
	carrier bool
}

var (
	dumpHead  = regexp.MustCompile(`^"(.*)" .*\bnid=(0x[0-9a-f]+|[0-9]+)|^"(.*)" #\d+ \[(\d+)\]`)
	dumpFrame = regexp.MustCompile(`^\tat ([^(]+)\((?:[^/)]+@[^/)]+/)?([^)]*)\)`)
)

// readDump reads the thread dump in a file, up to the parts after its threads, which repeat some frames. The
// dump has the frames of a mounted virtual thread after the frames of its carrier, which has no nid. In the
// carrier's stack they are inside.
func readDump(t *testing.T, path string) (all []dumped) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	mounted := -1
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if strings.HasPrefix(line, "JNI global ref") || strings.HasPrefix(line, "Found one Java-level deadlock") {
			return all
		}
		if m := dumpHead.FindStringSubmatch(line); m != nil {
			tid, err := strconv.ParseInt(m[2]+m[4], 0, 32)
			if err != nil {
				t.Fatal(err)
			}
			all, mounted = append(all, dumped{name: m[1] + m[3], tid: int(tid)}), -1
		}
		if strings.HasPrefix(line, "   Mounted virtual thread") {
			mounted, all[len(all)-1].carrier = 0, false
		}
		if strings.HasPrefix(line, "   Carrying virtual thread") {
			all[len(all)-1].carrier = true
		}
		if m := dumpFrame.FindStringSubmatch(line); m != nil {
			last, frame := &all[len(all)-1], frameAt(m[1], m[2])
			if mounted < 0 {
				last.frames = append(last.frames, frame)
				continue
			}
			last.frames = slices.Insert(last.frames, mounted, frame)
			mounted++
		}
	}
	return all
}

// frameAt returns a frame in the form of a dumped one.
func frameAt(method, place string) string {
	if place == "Native Method" || place == "Unknown Source" {
		return method
	}
	return strings.TrimSpace(method + " " + place)
}

// javaFrames returns the frames of Java of a stack in the form of a dumped one.
func javaFrames(s *stack.Stack) (out []string) {
	for i := range s.Frames {
		f := &s.Frames[i]
		if f.Kind != runtimes.Java {
			continue
		}
		place := f.File
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		out = append(out, strings.TrimSpace(f.Name+" "+place))
	}
	return out
}

// TestLiveThreadDump compares the frames of Java of all threads, in order and with their lines, with the
// thread dump that the JVM has printed of itself just before it died (SIGQUIT). A core that holds libjvm is
// compared without any file, too.
func TestLiveThreadDump(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) { checkDump(t, dir, coredbg.Options{}) })
		if strings.HasSuffix(dir, "-whole") {
			t.Run(filepath.Base(dir)+" alone",
				func(t *testing.T) { checkDump(t, dir, coredbg.Options{Sysroot: t.TempDir()}) })
		}
	}
}

// checkDump compares the stacks of a core with the thread dump beside it.
func checkDump(t *testing.T, dir string, o coredbg.Options) {
	var text bytes.Buffer
	o.Stdout = &text
	s, err := coredbg.Open(filepath.Join(dir, "core"), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checkJavaStack(t, s, &text)
	frames, threads := 0, 0
	for _, want := range readDump(t, filepath.Join(dir, "out.txt")) {
		native := s.Process.Thread(want.tid)
		if native == nil || len(want.frames) == 0 {
			continue // of the collector, or of the compilers
		}
		st := s.Stacks.Thread(context.Background(), native, stack.Options{})
		got := javaFrames(st)
		threads++
		frames += len(got)
		checkDumped(t, want, got)
		if o.Sysroot == "" && st.Stop != nil && st.Stop.Error() != "root" {
			t.Errorf("%s: the walk ended: %v", want.name, st.Stop)
		}
	}
	t.Logf("%d frames of Java in %d threads", frames, threads)
	if threads < 25 || frames < 1000 {
		t.Errorf("%d frames of %d threads are compared, want at least 1000 of 25", frames, threads)
	}
}

// checkJavaStack runs ::javastack on the thread of main, which sleeps in the last line of Scene.main.
func checkJavaStack(t *testing.T, s *coredbg.Session, text *bytes.Buffer) {
	t.Helper()
	for _, th := range s.Process.Threads {
		if err := s.Run(t.Context(), fmt.Sprintf("::javastack 0t%d", th.TID)); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"Scene.main", "blocked sysTid=", "native frames elided",
		"not attached to the runtime"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("::javastack shows no %q", want)
		}
	}
}

// checkDumped compares a thread's frames. "spinner" goes on while it is dumped: its innermost frames are what it calls.
func checkDumped(t *testing.T, want dumped, got []string) {
	t.Helper()
	if want.name != "spinner" {
		if !slices.Equal(got, want.frames) {
			t.Errorf("%s: frames\n%s\nwant, as the JVM has printed them,\n%s", want.name, strings.Join(got, "\n"),
				strings.Join(want.frames, "\n"))
		}
		return
	}
	outer := func(frames []string) []string {
		for i, f := range frames {
			if strings.HasPrefix(f, "Scene.spin ") {
				return frames[i+1:]
			}
			if !strings.HasPrefix(f, "Scene.medium ") && !strings.HasPrefix(f, "Scene.small ") {
				t.Errorf("spinner: it is in %s", f)
			}
		}
		return nil
	}
	if o := outer(got); len(o) == 0 || !slices.Equal(o, outer(want.frames)) {
		t.Errorf("spinner: frames\n%s", strings.Join(got, "\n"))
	}
}
