package hotspot_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// A leakTruth is a leak as sources/hotspot/Leaks.java makes it: how many objects leak, the rule that knows
// it, and words that name what holds them.
type leakTruth struct {
	rule    string
	objects int
	says    []string
}

// leakModes are the leaks of Leaks.java. Nodes of maps are fewer than entries: some share a place of the table.
var leakModes = map[string]leakTruth{
	"statics": {"statics", 2500, []string{"2500 objects of byte[]", "held by Leaks$Audit.entries",
		"a collection in static field Leaks$Audit.entries"}},
	"locals":  {"threadlocals", 8, []string{"the values of ThreadLocal Leaks$Formatter.buffer on 8 threads (\"render\""}},
	"loaders": {"loaders", 15, []string{"15 class loaders of Leaks$Deployment that have each loaded a class Leaks$Plugin", "static field Leaks.hooks"}},
	"listeners": {"observers", 2500, []string{"2500 objects of Leaks$View",
		"2500 listeners that were never removed, in field Leaks$Bus.listeners"}},
	"cache":      {"caches", 0, []string{"a cache of 2500 entries, in field Leaks$Catalog.priceCache: a java.util.HashMap has no limit"}},
	"finalizers": {"finalizers", 2500, []string{"2500 of Leaks$Connection that wait to be finalized"}},
	"streams": {"", 1000, []string{"1000 objects of java.io.BufferedInputStream",
		"1000 of java.io.FileInputStream that are open", "Leaks.main"}},
	"queue":    {"queues", 2499, []string{"2499 tasks wait in the queue of an executor with 1 thread", "mailer"}},
	"interned": {"statics", 0, []string{"held by Leaks$Words.seen"}},
	"sessions": {"", 0, []string{"held by Leaks$Sessions.ALL"}},
	"inner":    {"queues", 100, []string{"100 objects of Leaks$Screen$1", `100 tasks of a timer, thread "refresher"`}},
	"keys":     {"statics", 0, []string{"held by Leaks$Registry.byKey"}},
	"deleted":  {"statics", 30000, []string{"held by java.io.DeleteOnExitHook.files"}},
}

// modeOf returns the entry for a core whose folder is named after its program, a release of Java and a mode:
// "javaleak-17-cache".
func modeOf[M any](t *testing.T, dir string, modes map[string]M) M {
	t.Helper()
	mode := dir[strings.LastIndexByte(dir, '-')+1:]
	m, ok := modes[mode]
	if !ok {
		t.Fatalf("mode %q is not known", mode)
	}
	return m
}

// TestLiveLeaks: the first suspect of programs that leak is the leak as their source has it, and its rule
// finds nothing else.
func TestLiveLeaks(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := modeOf(t, dir, leakModes)
			var text bytes.Buffer
			s := openJVM(t, dir, coredbg.Options{Stdout: &text})
			g := graphIn(t, s)
			r, ok := commands.RuntimeOf[runtimes.LeakRuler](s)
			if !ok {
				t.Fatal("the process has no rules")
			}
			list, err := g.Suspects(t.Context(), r.LeakRules()...)
			if err != nil || len(list) == 0 {
				t.Fatalf("%d suspects, %v", len(list), err)
			}
			if x := &list[0]; x.Rule != want.rule || want.objects != 0 && x.Objects != want.objects {
				t.Errorf("the first suspect is %d objects of rule %q, want %d of %q", x.Objects, x.Rule,
					want.objects, want.rule)
			}
			if want.rule != "" && len(list) > 1 {
				t.Errorf("%d suspects, want one", len(list))
			}
			if err := s.Run(t.Context(), "::leaks"); err != nil {
				t.Fatal(err)
			}
			for _, part := range want.says {
				if !strings.Contains(text.String(), part) {
					t.Errorf("::leaks does not say %q:\n%s", part, text.String())
				}
			}
			for _, twice := range []string{"a thread of thread", "java.lang.Object[] java.lang.Object[",
				"java.util.HashMap$Node[] java.util.HashMap$Node["} {
				if strings.Contains(text.String(), twice) {
					t.Errorf("::leaks says %q:\n%s", twice, text.String())
				}
			}
		})
	}
}

// stuckModes are parts of the lines of ::deadlock, by how sources/hotspot/Stuck.java hangs.
var stuckModes = map[string][]string{
	"monitors": {"deadlock of 2 threads", `"transfer-2"`, `waits to lock`, `held by "transfer-1"`},
	"locks":    {"deadlock of 2 threads", `"invoice"`, "is parked for", "ReentrantLock$NonfairSync) held by \"order\""},
	"mixed": {"deadlock of 2 threads", "(a java.lang.Object) held by \"caller\"",
		"ReentrantLock$NonfairSync) held by \"callback\""},
	"mutex": {"deadlock of 2 threads", "(a java.lang.Object) held by \"painter\"",
		"libstuck.so`codec) held by \"decoder\""},
	"upgrade": {"deadlock of 1 thread", `"upgrade"`, "ReentrantReadWriteLock$NonfairSync held for reading by"},
	"pool":    {`"pool-1-thread-1"`, "FutureTask in the queue of an executor, for", `and thread`, `"pool-1-thread-2"`},
	"future":  {`"pool-1-thread-1"`, "in the queue of an executor, for", `"pool-1-thread-2"`},
	"classes": {"deadlock of 2 threads", `waits for the initialisation of Stuck$Child by thread`, `"child"`,
		"waits for the initialisation of Stuck$Parent by thread", `"parent"`},
	"join": {"deadlock of 2 threads", "waits for the end of thread", `"saver"`, `"loader"`},
	"common": {"deadlock of 2 threads", "java.util.concurrent.CompletableFuture that the stack of",
		"ForkJoinPool.commonPool-worker-"},
	"semaphore": {"3 threads wait for", "Semaphore$NonfairSync, 0 permits)", `"request-1"`, `"request-3"`},
	"latch":     {"1 thread waits for", "CountDownLatch$Sync, count 1)", `"collector"`},
	"queue":     {"2 threads wait for", `"producer"`, `"consumer"`, "in Stuck.lambda$queue$"},
	"signal":    {"1 thread waits for", "(a java.lang.Object)", `"listener"`, "in Stuck.lambda$signal$"},
	"database":  {"3 threads wait for", `"http-1"`, `"http-3"`, "in Stuck$Pool.borrow (Stuck.java:"},
}

// TestLiveStuck: ::deadlock names the threads of a circle, and of waits that no thread is known to end.
func TestLiveStuck(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := modeOf(t, dir, stuckModes)
			var text bytes.Buffer
			s := openJVM(t, dir, coredbg.Options{Stdout: &text})
			if err := s.Run(t.Context(), "::deadlock"); err != nil {
				t.Fatal(err)
			}
			for _, part := range want {
				if !strings.Contains(text.String(), part) {
					t.Errorf("::deadlock does not say %q:\n%s", part, text.String())
				}
			}
			if n := strings.Count(text.String(), "deadlock of") + strings.Count(text.String(),
				"no thread is known"); n != 1 {
				t.Errorf("%d circles and groups, want one:\n%s", n, text.String())
			}
		})
	}
}

// TestLiveNoLeaks: programs that do not leak have no suspect of a rule, whatever else accumulates in them.
func TestLiveNoLeaks(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s := openJVM(t, dir, coredbg.Options{})
			r, _ := commands.RuntimeOf[runtimes.LeakRuler](s)
			list, err := graphIn(t, s).Suspects(t.Context(), r.LeakRules()...)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range list {
				if x.Class.Class == "java.lang.Class" {
					t.Errorf("the %d classes of the program are a suspect", x.Objects)
				}
				if x.Rule != "" {
					t.Errorf("%d objects of rule %s: %s", x.Objects, x.Rule, x.Evidence.Why)
				}
			}
		})
	}
}
