package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// liveQuestions are about kinds of cores that the repository's own do not have. The truth is the program's source in
// testdata/cores/sources, named with each, or what it has printed.
var liveQuestions = []question{
	// java/Leaks.java: the bus keeps 2,500 listeners
	{"who holds the memory of the Java heap?", "javaleak-21-listeners", [][2]string{{"heap", ""}},
		[]string{"2500 objects of Leaks$View", "never removed", "Leaks$Bus.listeners"}},
	// native/leaky.cc: 66 requests without an owner, each with a string of 104 bytes
	{"which blocks of the C heap are lost, and what are they?", "leaky-O2", [][2]string{{"heap", ""}},
		[]string{"8448 Request", "are lost"}},
	// out.txt of the program: the address of a Session, which obmalloc keeps
	{"what is this object of Python, and whose memory is it in?", "objects-bookworm",
		[][2]string{{"value", `"address":"{object (0x[0-9a-f]+) Session}"`}, {"heap", ""}},
		[]string{"Session", "(pymalloc, arena", "most is pymalloc"}},
	// native/hang.cc: two threads take first and second in two orders
	{"why does it hang, and who holds which lock?", "hang-two-killed-O0", [][2]string{{"verdict", ""}, {"locks", ""}},
		[]string{"deadlock, certain", "deadlock of 2 threads", "hang`first", "hang`second",
			"hang_take (hang.cc:29:13)"}},
	// v8/leaks.js: the cache keeps 30,000 sessions, the idle one none
	{"what grew since the older core?", "node-24.21.0-leak-cache",
		[][2]string{{"open", `"path":"node-24.21.0-leak-idle/core"`}, {"compare", `"core":"c1","older":"c2"`}},
		[]string{"+30000", "Session", "leaks.js:18", "held by sessions"}},
	// native/seeds.cc: the folder has ten builds of each bug
	{"which bugs does the folder have, and how often?", "seeds", [][2]string{{"triage", `"folder":"seeds","most":40`}},
		[]string{"10 of divide-by-zero | average", "blob_copy", "Cache::get", "seeds.cc:58"}},
	// java/Virtual.java and its output: "one" and "two" cross two locks, "blocked" waits for the monitor of "holder"
	{"which virtual threads wait for each other, and for what?", "virtual-21",
		[][2]string{{"locks", ""}, {"stacks", `"language":"java","all":true`}},
		[]string{`"one" {(virtual #[0-9]+) "one"}`, `"two" {(virtual #[0-9]+) "two"}`, "ReentrantLock$NonfairSync",
			`held by "holder" {(virtual #[0-9]+) "holder"}`}},
	// native/circles.go: the two circles that its comments describe
	{"which goroutines are in a deadlock, and who took which lock where?", "circles-local", [][2]string{{"locks", ""}},
		[]string{"main.keep (circles.go:24)", "main.journal", "main.ledger", "main.(*box).take (circles.go:58)"}},
	// java/Scene.java, all of which C2 compiles (-Xcomp -XX:-TieredCompilation)
	{"where are the threads in compiled code, and which compiler made it?", "hotspot-17-c2",
		[][2]string{{"verdict", ""}, {"stacks", `"language":"java","all":true`}},
		[]string{"java-deadlock, certain", "Scene.cross", `"tier":"c2"`, `"inlined":true`}},
	// the program was ended by kill -SEGV (made.txt)
	{"why was the minidump written, by whom?", "crashpad-chromium-SEGV", [][2]string{{"verdict", ""}, {"stacks", ""}},
		[]string{"(minidump)", "SIGSEGV sent by pid", "killed, likely", "ChromeMain"}},
}

// TestLiveQuestions: each answer has its facts within three calls, open included.
func TestLiveQuestions(t *testing.T) {
	dirs := coretest.Live(t)
	for _, q := range liveQuestions {
		i := slices.IndexFunc(dirs, func(dir string) bool { return filepath.Base(dir) == q.core })
		if i < 0 {
			continue // the set lacks it, or is a part
		}
		t.Run(q.core+": "+q.asked, func(t *testing.T) {
			c, root := connect(t, filepath.Dir(dirs[i])), filepath.Dir(dirs[i])
			said, calls := "", 0
			ask := func(tool, args string) {
				said += c.call(tool, "{"+args+"}").all
				calls++
			}
			if open := openingOf(root, q.core); open != "" {
				ask("open", open)
			}
			for _, call := range q.calls {
				ask(call[0], filled(t, call[1], filepath.Join(root, q.core, "out.txt")))
			}
			if calls > 3 {
				t.Errorf("%d calls", calls)
			}
			for _, fact := range q.facts {
				fact = filled(t, fact, filepath.Join(root, q.core, "out.txt"))
				quoted, _ := json.Marshal(fact)
				if !strings.Contains(said, fact) && !strings.Contains(said, strings.Trim(string(quoted), `"`)) {
					t.Errorf("no %q in %.1500s", fact, said)
				}
			}
		})
	}
}

// openingOf returns the arguments of open for a core of the live set; "" for a folder of cores.
func openingOf(root, core string) string {
	for _, name := range []string{"dump.dmp", "core"} {
		if st, err := os.Stat(filepath.Join(root, core, name)); err == nil && st.Mode().IsRegular() && core != "seeds" {
			open := fmt.Sprintf(`"path":%q`, core+"/"+name)
			if _, err := os.Stat(filepath.Join(root, core, "root")); err == nil {
				open += fmt.Sprintf(`,"search":[%q]`, core+"/root")
			}
			return open
		}
	}
	return ""
}

// filled replaces a pattern in braces by the group that it finds in what the program has printed.
func filled(t *testing.T, args, printed string) string {
	t.Helper()
	from, to := strings.Index(args, "{"), strings.LastIndex(args, "}")
	if from < 0 {
		return args
	}
	b, err := os.ReadFile(printed)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(args[from+1 : to]).FindSubmatch(b)
	if m == nil {
		t.Fatalf("%s has no %s", printed, args[from:to+1])
	}
	return args[:from] + string(m[1]) + args[to+1:]
}
