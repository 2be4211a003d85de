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
		"art-*-filled": {[]string{"262144 objects of filled.Event keep", "held by filled.Filled.events"},
			"java-out-of-memory | filled.Filled.record | filled.Filled.run | java.lang.Thread.run"},
		"art-*-anr": {[]string{"java.lang.Object held by thread ", ", saver, in anr.Anr.draw (Anr.java:26)",
			"is Sleeping, in lib.Start.pause (Start.java:10)"}, "anr | anr.Anr.draw | anr.Anr.main"},
		"art-*-uncaught": {[]string{"uncaught.Refused: account 42 is not known, at uncaught.Uncaught.pay(Uncaught.java:33)", "caused by java.lang.IllegalStateException: the ledger is closed"}, "java-uncaught | uncaught.Uncaught.pay | uncaught.Uncaught.run | java.lang.Thread.run"},
		"art-*-causes": {[]string{"causes.Undrawn: the screen was not drawn, at causes.Causes.draw(Causes.java:50)",
			"caused by java.lang.IllegalArgumentException: the presenter is closed, at app.Presenter.close(Presenter.java:12)",
			"caused by java.lang.NullPointerException: the view is null, at causes.Causes.bind(Causes.java:30)",
			"suppressed java.lang.IllegalStateException: the cursor was open, at causes.Causes.bind(Causes.java:31)"},
			"java-uncaught | causes.Causes.draw | causes.Causes.run | java.lang.Thread.run"},
		// For the wait of each see java/waits/Waits.java, by the number that make.d/artjava.sh gives
		// it.
		"art-*-waits-classes": {[]string{"the initialisation of java.lang.Class<waits.Waits$Second> by thread ",
			"the initialisation of java.lang.Class<waits.Waits$First> by thread "},
			"java-deadlock | waits.Waits$First.<clinit> | waits.Waits.inClasses | waits.Waits.run"},
		"art-*-waits-lazy": {[]string{"waits for the end of thread ",
			"the initialisation of java.lang.Class<waits.Waits$Lazy> by thread "},
			"java-deadlock | waits.Waits$Lazy.<clinit> | waits.Waits.inClasses | waits.Waits.run"},
		"art-*-waits-queue": {[]string{"a java.util.concurrent.FutureTask in the queue of an executor, for thread "},
			"java-deadlock | waits.Waits$Nested.call | java.util.concurrent.FutureTask.run | java.util.concurrent.ThreadPoolExecutor.runWorker"},
		"art-*-waits-latch": {[]string{"a java.util.concurrent.CountDownLatch$Sync that the stack of thread ",
			"a java.lang.Object held by thread ", "is inferred from the stacks"},
			"java-deadlock | waits.Waits.run | waits.Waits.main"},
		"art-*-waits-upgrade": {[]string{"a java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync held for reading by thread "}, "java-deadlock | waits.Waits$Upgrade.run | waits.Waits.run | waits.Waits.main"},
		"art-*-waits-task": {[]string{"a java.util.concurrent.FutureTask that is run by thread ",
			", pool-1-thread-1, in waits.Waits.run (Waits.java:", "is Sleeping, in waits.Waits.pause (Waits.java:"},
			"anr | waits.Waits.run | waits.Waits.main"},
		"art-*-waits-counted": {[]string{"a java.util.concurrent.CountDownLatch$Sync that the stack of thread ",
			", counter leads to, in waits.Waits.run"}, "anr | waits.Waits.run | waits.Waits.main"},
		// Those of art/faults, by the numbers in make.d/artjava.sh.
		"art-*-thrown-proxy":  {[]string{"caused by java.io.IOException: the disk is full, at thrown.Thrown$Failing.invoke("}, "java-uncaught | thrown.Thrown$Failing.invoke | java.lang.reflect.Proxy.invoke | thrown.Thrown.thrower"},
		"art-*-thrown-getter": {[]string{"caused by java.io.FileNotFoundException: /a (No such file or directory), at thrown.Thrown$Presenter.open("}, "java-uncaught | thrown.Thrown.thrower | thrown.Thrown$Worker.run | java.lang.Thread.run"},
		"art-*-thrown-tangled": {[]string{"caused by java.util.concurrent.TimeoutException: late, at ",
			"suppressed java.lang.Error: below s"},
			"java-uncaught | thrown.Thrown.thrower | thrown.Thrown$Worker.run | java.lang.Thread.run"},
		"art-*-thrown-wrapped": {[]string{"caused by java.lang.NullPointerException: ",
			"at thrown.Thrown$Presenter.bind("},
			"java-uncaught | thrown.Thrown$Presenter.bind | thrown.Thrown$1.get | java.util.concurrent.CompletableFuture$AsyncSupply.run"},
		"art-*-traced-foreign": {[]string{"IllegalStateException: the ledger is closed, at server.Api.call(Api.java:77)"}, "java-uncaught | server.Api.call | server.Main.main"},
		"art-*-traced-untraced": {[]string{"uncaught Java exception traced.Traced$Light: light"},
			"java-uncaught | traced.Traced$Light"},
		"art-*-traced-stripped": {[]string{"at a.B.n(Native method)"},
			"java-uncaught | a.B.n | a.B.unknown | a.B$1.<init>"},
		"art-*-traced-finalizer": {[]string{"TimeoutException: traced.Traced$Cursor.finalize() timed out after 10 seconds, at traced.Traced.pause("}, "java-uncaught | java.lang.Thread.sleep | traced.Traced.pause | traced.Traced$Cursor.close"},
		"art-*-traced-locked":    {[]string{"TimeoutException: traced.Traced$Session.finalize() timed out after 10 seconds, at traced.Traced$Session.detach("}, "java-uncaught | traced.Traced$Session.detach | traced.Traced$Session.finalize | java.lang.Daemons$FinalizerDaemon.doFinalize"},
		"art-*-stuck-three": {[]string{"the initialisation of java.lang.Class<stuck.Stuck$Green> by thread ",
			"the initialisation of java.lang.Class<stuck.Stuck$Blue> by thread ",
			"the initialisation of java.lang.Class<stuck.Stuck$Red> by thread "},
			"java-deadlock | stuck.Stuck$Red.<clinit> | stuck.Stuck.run | stuck.Stuck.main"},
		"art-*-stuck-async": {[]string{"a java.util.concurrent.CompletableFuture in the queue of an executor, for thread "}, "java-deadlock | stuck.Stuck$Get.get | java.util.concurrent.CompletableFuture$AsyncSupply.run | java.util.concurrent.ThreadPoolExecutor.runWorker"},
		"art-*-stuck-phaser": {[]string{"a java.util.concurrent.Phaser that the stack of thread "},
			"java-deadlock | stuck.Stuck.run | stuck.Stuck.main"},
		"art-*-stuck-barrier": {[]string{"a java.util.concurrent.CyclicBarrier that the stack of thread "},
			"java-deadlock | stuck.Stuck.run | stuck.Stuck.main"},
		"art-*-stuck-dependent": {[]string{"a java.util.concurrent.CompletableFuture that the stack of thread "},
			"java-deadlock | stuck.Stuck.run | stuck.Stuck.main"},
		"art-*-stuck-stamped": {[]string{"a java.util.concurrent.locks.StampedLock that the stack of thread "},
			"java-deadlock | stuck.Stuck.run | stuck.Stuck.main"},
		"art-*-hung-timed": {[]string{"a thread waits (TimedWaiting), in hung.Hung$Mail.fetch ("},
			"killed | hung.Hung$Mail.fetch | hung.Hung.start | hung.Hung.main"},
		"art-*-hung-nap": {[]string{"a thread waits (Sleeping), in hung.Hung.pause ("},
			"killed | hung.Hung.pause | hung.Hung$Retry.backoff | hung.Hung.start"},
		"art-*-hung-constructor": {[]string{"a thread waits (Native), in hung.Hung.parkNative"},
			"killed | hung.Hung.parkNative | hung.Hung$Binder.transact | hung.Hung$Service.<init>"},
		"art-*-hung-initialiser": {[]string{"a thread waits (Native), in hung.Hung.parkNative"},
			"killed | hung.Hung.parkNative | hung.Hung$Binder.transact | hung.Hung$Prefs.<clinit>"},
		"art-*-hung-queue": {[]string{"a thread waits (Waiting), in hung.Hung$Queue1.next ("},
			"killed | hung.Hung$Queue1.next | hung.Hung.start | hung.Hung.main"},
		"art-*-hung-again": {[]string{"a thread waits (Waiting), in hung.Hung$Queue1.next ("},
			"killed | hung.Hung$Queue1.next | hung.Hung.start | hung.Hung$1.again"},
		"art-*-hung-task": {[]string{"a java.util.concurrent.FutureTask that is run by thread ",
			", pool-1-thread-1, in hung.Hung$Ui.show ("}, "anr | hung.Hung$Ui.show | hung.Hung.start | hung.Hung.main"},
		"art-*-demo-killed*": {[]string{" runs in demo.Worker.spin (Worker.java:61), while the other "},
			"busy-loop | demo.Worker.spin | demo.Worker.run | java.lang.Thread.run"},
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
