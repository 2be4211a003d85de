package e2e

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/crash"
	"coredbg/crash/bugs"
)

// deaths are how the programs of testdata/cores/sources die, by the names of their cores:
// crash.c's modes by the function that main calls, main.js and the others by
// process.abort, artrun.c's die by abort or a null pointer. why.cc's cores say it
// themselves (truth.json, "verdict"). Those of processors whose instructions are not
// decoded have no verdict where the core records no address.
var deaths = []struct {
	name *regexp.Regexp
	want []bugs.Cause
}{
	{regexp.MustCompile(`^(ppc|ppc64|ppc64le|s390x|arm|m68k|mips|mips64el)(-|$)`),
		[]bugs.Cause{bugs.Unknown, bugs.NullDereference, bugs.IllegalInstruction}},
	// neither the address nor the code is in them
	{regexp.MustCompile(`^lldb-x86-.*-netbsd-`), []bugs.Cause{bugs.Unknown}},
	// by raise(SIGABRT) in a handler; some do not say who sent it
	{regexp.MustCompile(`^elfutils-`), []bugs.Cause{bugs.Unknown, bugs.Killed, bugs.Abort}},
	{regexp.MustCompile(`^node-.*-(fatal|uncaught)$`), []bugs.Cause{bugs.JSUncaught}},
	{regexp.MustCompile(`^node-.*-oom$`), []bugs.Cause{bugs.JSHeapLimit}},
	{regexp.MustCompile(`^node-.*-loop$`), []bugs.Cause{bugs.JSBlockedLoop}},
	// They are killed at a random moment, when their loop may be in the collector or wait.
	{regexp.MustCompile(`^node-.*-(constructs|scavenge|evacuate)$`), []bugs.Cause{bugs.JSBlockedLoop, bugs.Killed}},
	// Before it aborts, Node prints a stack, and a check of V8 11 fails at functions without text.
	{regexp.MustCompile(`^pkg-.*-bundle$`), []bugs.Cause{bugs.JSAbort, bugs.JSFatal}},
	{regexp.MustCompile(`^(a64-)?(node|pkg|stripped)-`), []bugs.Cause{bugs.JSAbort}},
	{regexp.MustCompile(`^jni-.*-(deep|thread)$`), []bugs.Cause{bugs.StackOverflow}},
	{regexp.MustCompile(`^jni-`), []bugs.Cause{bugs.JNIAbort}},
	{regexp.MustCompile(`^art-.*-locks-killed$`), []bugs.Cause{bugs.JavaDeadlock}},
	{regexp.MustCompile(`^art-.*-(uncaught|causes)$`), []bugs.Cause{bugs.JavaUncaught}},
	{regexp.MustCompile(`^art-.*-filled$`), []bugs.Cause{bugs.JavaOutOfMemory}},
	{regexp.MustCompile(`^art-.*-(anr|waits-task|waits-counted|hung-task)$`), []bugs.Cause{bugs.ANR}},
	{regexp.MustCompile(`^art-.*-hung-`), []bugs.Cause{bugs.Killed}},
	{regexp.MustCompile(`^art-.*-stuck-`), []bugs.Cause{bugs.JavaDeadlock}},
	{regexp.MustCompile(`^art-.*-(thrown|traced)-`), []bugs.Cause{bugs.JavaUncaught}},
	{regexp.MustCompile(`^art-.*-waits-`), []bugs.Cause{bugs.JavaDeadlock}},
	{regexp.MustCompile(`^art-.*-demo-killed(-switch)?$`), []bugs.Cause{bugs.BusyLoop}}, // its thread "spinner"
	{regexp.MustCompile(`^art-.*-segv$`), []bugs.Cause{bugs.NullDereference}},
	{regexp.MustCompile(`^art-`), []bugs.Cause{bugs.Abort}},
	{regexp.MustCompile(`^(a64-)?(abort|otherlibc)$`), []bugs.Cause{bugs.Abort}},
	{regexp.MustCompile(`^values-(fpc|gnat)$`), []bugs.Cause{bugs.Killed}}, // by signals of their own
	{regexp.MustCompile(`^values-`), []bugs.Cause{bugs.Abort}},
	{regexp.MustCompile(`^(kinds-(fpc|gnat)-.*|names-ocaml)$`), []bugs.Cause{bugs.Killed}},
	{regexp.MustCompile(`^kinds-`), []bugs.Cause{bugs.Abort}},
	{regexp.MustCompile(`^(a64-)?assert$`), []bugs.Cause{bugs.Assertion}},
	{regexp.MustCompile(`^(a64-)?cxx-(throw|throw-O0|noexcept)$`), []bugs.Cause{bugs.CXXException}},
	{regexp.MustCompile(`^rust-(index|expect|thread.*)$`), []bugs.Cause{bugs.RustPanic}},
	{regexp.MustCompile(`^go(-|$)`), []bugs.Cause{bugs.GoPanic}},
	{regexp.MustCompile(`^gcore-threads$`), []bugs.Cause{bugs.BusyLoop}}, // one of its workers is a loop
	{regexp.MustCompile(`^gcore`), []bugs.Cause{bugs.Snapshot}},
	{regexp.MustCompile(`^(rust-)?overflow$`), []bugs.Cause{bugs.StackOverflow}},
	{regexp.MustCompile(`^(a64-)?smash$`), []bugs.Cause{bugs.StackSmash}},
	{regexp.MustCompile(`^(a64-)?(wild|data)$`), []bugs.Cause{bugs.WildPointer}},
	{regexp.MustCompile(`(^|-)null(-O0)?$`), []bugs.Cause{bugs.NullCall}},
	{regexp.MustCompile(`(signal|siginfo|sigaltstack|overflowalt|nested|timer|a64-pac-leaf)(-O0|-static)?$`),
		[]bugs.Cause{bugs.IllegalInstruction, bugs.NullDereference}},
	// A thread of Interpreted.java is a loop, beside which main may still run.
	{regexp.MustCompile(`^java$`), []bugs.Cause{bugs.BusyLoop, bugs.Killed}},
	// Goroutines of collect.go run all the time, on one thread or on several.
	{regexp.MustCompile(`^collecting-`), []bugs.Cause{bugs.BusyLoop, bugs.Killed}},
	{regexp.MustCompile(`^visualvm$`), []bugs.Cause{bugs.Killed}},
	{regexp.MustCompile(``), []bugs.Cause{bugs.NullDereference}},
}

// checkVerdict expects a live core's verdict to match its program. The verdict on a damaged copy
// (cut-*) may be unknown, but not another one that is sure.
func checkVerdict(t *testing.T, s *commands.Session, name string, truth liveCore) {
	t.Helper()
	want := []bugs.Cause{truth.Verdict}
	for i := 0; truth.Verdict == "" && len(want) > 0 && want[0] == ""; i++ {
		if deaths[i].name.MatchString(name) {
			want = deaths[i].want
		}
	}
	v := crash.Analyze(t.Context(), s.Subject())
	counted.add(name, want, v)
	if !slices.Contains(want, v.Cause) && (!strings.HasPrefix(name, "cut-") || v.Confidence >= bugs.Likely) {
		t.Errorf("verdict: %s, %s: %s %q; want %v", v.Cause, v.Confidence, v.Title, v.Evidence, want)
	}
}
