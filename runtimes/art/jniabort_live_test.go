package art_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/core/coretest"
	"coredbg/crash"
	"coredbg/runtimes/art"
	"coredbg/runtimes/art/heap"
)

var (
	overflowed = regexp.MustCompile(`JNI ERROR \(app bug\): ((global|weak global) reference table overflow \(max=\d+\))`)
	summedUp   = regexp.MustCompile(` {4,}(\d+ of \S+.*)$`)
	onlyOnce   = regexp.MustCompile(`^1 of (.*?)( \(1 unique instances\))?$`)
)

// summary returns what ART wrote of a table that was full: its words, which table it is, and the
// sums by class.
func summary(t *testing.T, path string) (words, table string, sums []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	inside := false
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if m := overflowed.FindStringSubmatch(line); m != nil {
			words, table = m[1], m[2]
		}
		m := summedUp.FindStringSubmatch(line)
		switch {
		case words == "" || strings.Contains(line, "DALVIK THREADS"):
		case strings.Contains(line, "  Summary:"):
			inside, sums = true, nil
		case inside && m != nil:
			sums = append(sums, onlyOnce.ReplaceAllString(m[1], "1 of $1"))
		default:
			inside = false
		}
	}
	return words, table, sums
}

// TestLiveJNITables: ART counted the same references in a table that is full before it
// aborted, and the cause says so.
func TestLiveJNITables(t *testing.T) {
	found := 0
	for _, dir := range liveCores(t) {
		words, table, want := summary(t, filepath.Join(dir, "log.txt"))
		if words == "" {
			continue
		}
		found++
		t.Run(filepath.Base(dir), func(t *testing.T) {
			_, a := openLive(t, dir)
			refs, err := a.JNIGlobals()
			if err != nil {
				t.Fatal(err)
			}
			kind := heap.JNIGlobal
			if table == "weak global" {
				kind = heap.JNIWeak
			}
			refs = slices.DeleteFunc(refs, func(r heap.JNIRef) bool { return r.Kind != kind })
			var got []string
			for _, x := range a.JNITotals(refs) {
				got = append(got, x.String())
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s\nART says\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			causes := causesOf(t, dir)
			if len(causes) == 0 || !strings.HasPrefix(causes[0], "JNI error: "+words+", ") {
				t.Errorf("causes %q, want %q", causes, words)
			}
		})
	}
	if found == 0 && coretest.OpenLive(t).Whole() {
		t.Error("no live core has a table of references that is full")
	}
}

// causesOf returns the causes of a core as ::status finds them.
func causesOf(t *testing.T, dir string) (out []string) {
	t.Helper()
	s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Search: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	for _, c := range s.Causes(context.Background()) {
		out = append(out, c.String())
	}
	return out
}

// artOf returns the decoder of a session.
func artOf(t *testing.T, s *commands.Session) *art.ART {
	t.Helper()
	for _, r := range s.Runtimes() {
		if a, ok := r.(*art.ART); ok {
			return a
		}
	}
	t.Fatal("no ART")
	return nil
}

// TestLiveBugs: the stack of a process that a native method has ended has that method on top of the
// frames that ART saw, and the verdict is one line, with ART's words of a call that is wrong, or the
// method that called a recursion of native code.
func TestLiveBugs(t *testing.T) {
	title := map[string]string{
		"globals": "JNI error: global reference table overflow (max=51200), ",
		"weak":    "JNI error: weak global reference table overflow (max=51200), ",
		"fatal":   "JNI error: FatalError: the disk is full, in Java_bugs_Bugs_fatal",
		"stale":   "JNI error: ", // 11 and 14 have other words
		"pending": "JNI error: JNI NewStringUTF called with pending exception java.lang.IllegalStateException: closed ",
		"deep":    "stack overflow: dig calls itself, called by bugs.Bugs.deep at bugs.Bugs$Job.run (Bugs.java:",
		"thread":  "stack overflow: dig calls itself, called by bugs.Bugs.deep at bugs.Bugs$Job.run (Bugs.java:",
	}
	for _, dir := range liveCores(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Search: []string{dir}})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			twin := dump(t, filepath.Join(dir, "twin.txt")) // of a run that wrote its stacks instead
			which := dir[strings.LastIndexByte(dir, '-')+1:]
			subject := s.Subject()
			subject.Limit = 400 // frames: fewer than the recursions have
			v := crash.Analyze(context.Background(), subject)
			if !strings.HasPrefix(v.Title, title[which]) || title[which] == "" {
				t.Errorf("title %q, want %q", v.Title, title[which])
			}
			got, _, _, _ := javaFrames(s.Process, artOf(t, s), commands.Crashed(s.Process))
			thread := map[bool]string{true: "digger", false: "main"}[which == "thread"]
			want := slices.IndexFunc(twin, func(d *dumped) bool { return d.name == thread })
			if want < 0 || !slices.Equal(got, twin[want].frames) {
				t.Errorf("the stack is\n%s", strings.Join(got, "\n"))
			}
			if strings.Contains(v.Title, "\n") || strings.Contains(v.Title, " at bugs.Bugs.main") ||
				strings.Count(v.Title, "IllegalStateException") > 1 {
				t.Errorf("title %q has a stack in it", v.Title)
			}
		})
	}
}
