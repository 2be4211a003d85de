package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/crash"
	"coredbg/internal/liveset"
)

// TestLiveJavaVerdicts: the evidence of verdicts on Java programs names the class that filled the heap
// and its holder (app/filled), the thread that the main one waits for (app/anr), the place where an
// exception was thrown and its cause (app/uncaught, app/causes), and the method that does not end
// (app/demo), as in the programs' sources and whatever interpreter runs it.
func TestLiveJavaVerdicts(t *testing.T) {
	cases := map[string]struct {
		evidence  []string // each a part of a sentence
		signature string
	}{
		"art-*-filled":   {[]string{"262144 objects of filled.Event keep", "held by filled.Filled.events"}, "java-out-of-memory | filled.Filled.record | filled.Filled.run | java.lang.Thread.run"},
		"art-*-anr":      {[]string{"java.lang.Object held by thread ", ", saver, in anr.Anr.draw (Anr.java:26)", "is Sleeping, in lib.Start.pause (Start.java:10)"}, "anr | anr.Anr.draw | anr.Anr.main"},
		"art-*-uncaught": {[]string{"uncaught.Refused: account 42 is not known, at uncaught.Uncaught.pay(Uncaught.java:33)", "caused by java.lang.IllegalStateException: the ledger is closed"}, "java-uncaught | uncaught.Uncaught.pay | uncaught.Uncaught.run | java.lang.Thread.run"},
		"art-*-causes": {[]string{"causes.Undrawn: the screen was not drawn, at causes.Causes.draw(Causes.java:50)",
			"caused by java.lang.IllegalArgumentException: the presenter is closed, at app.Presenter.close(Presenter.java:12)",
			"caused by java.lang.NullPointerException: the view is null, at causes.Causes.bind(Causes.java:30)",
			"suppressed java.lang.IllegalStateException: the cursor was open, at causes.Causes.bind(Causes.java:31)"},
			"java-uncaught | causes.Causes.draw | causes.Causes.run | java.lang.Thread.run"},
		// For the wait of each see java/waits/Waits.java, by the number that make.d/artjava.sh gives
		// it.
		"art-*-waits-classes": {[]string{"the initialisation of java.lang.Class<waits.Waits$Second> by thread ", "the initialisation of java.lang.Class<waits.Waits$First> by thread "}, "java-deadlock | waits.Waits$First.<clinit> | waits.Waits.inClasses | waits.Waits.run"},
		"art-*-waits-lazy":    {[]string{"waits for the end of thread ", "the initialisation of java.lang.Class<waits.Waits$Lazy> by thread "}, "java-deadlock | waits.Waits$Lazy.<clinit> | waits.Waits.inClasses | waits.Waits.run"},
		"art-*-waits-queue":   {[]string{"a java.util.concurrent.FutureTask in the queue of an executor, for thread "}, "java-deadlock | waits.Waits$Nested.call | java.util.concurrent.FutureTask.run | java.util.concurrent.ThreadPoolExecutor.runWorker"},
		"art-*-waits-latch":   {[]string{"a java.util.concurrent.CountDownLatch$Sync that the stack of thread ", "a java.lang.Object held by thread ", "is inferred from the stacks"}, "java-deadlock | waits.Waits.run | waits.Waits.main"},
		"art-*-waits-upgrade": {[]string{"a java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync held for reading by thread "}, "java-deadlock | waits.Waits$Upgrade.run | waits.Waits.run | waits.Waits.main"},
		"art-*-waits-task":    {[]string{"a java.util.concurrent.FutureTask that is run by thread ", ", pool-1-thread-1, in waits.Waits.run (Waits.java:", "is Sleeping, in waits.Waits.pause (Waits.java:"}, "anr | waits.Waits.run | waits.Waits.main"},
		"art-*-waits-counted": {[]string{"a java.util.concurrent.CountDownLatch$Sync that the stack of thread ", ", counter leads to, in waits.Waits.run"}, "anr | waits.Waits.run | waits.Waits.main"},
		"art-*-demo-killed*":  {[]string{" runs in demo.Worker.spin (Worker.java:61), while the other "}, "busy-loop | demo.Worker.spin | demo.Worker.run | java.lang.Thread.run"},
	}
	for _, dir := range coretest.Live(t) {
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			s, err := coredbg.Open(filepath.Join(dir, "core"), liveOptions(t, dir, nil))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			subject := s.Subject()
			subject.Heap = true
			v := crash.Analyze(t.Context(), subject)
			for kind, c := range cases {
				if !liveset.Is(name, kind) {
					continue
				}
				for _, want := range c.evidence {
					if !slices.ContainsFunc(v.Evidence, func(e string) bool { return strings.Contains(e, want) }) {
						t.Errorf("%q, want %q", v.Evidence, want)
					}
				}
				if v.Signature == nil || v.Signature.Name != c.signature {
					t.Errorf("signature %+v, want %s", v.Signature, c.signature)
				}
			}
		})
	}
}
