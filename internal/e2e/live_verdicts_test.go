package e2e

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/crash"
)

// deaths are how the programs of testdata/cores/sources die, by the names of their cores:
// crash.c's modes by the function that main calls, main.js and the others by
// process.abort, artrun.c's die by abort or a null pointer. why.cc's cores say it
// themselves (truth.json, "verdict"). Those of processors whose instructions are not
// decoded have no verdict where the core records no address.
var deaths = []struct {
	name *regexp.Regexp
	want []crash.Cause
}{
	{regexp.MustCompile(`^(ppc64le|s390x|arm)(-|$)`), []crash.Cause{crash.Unknown, crash.NullDereference, crash.IllegalInstruction}},
	{regexp.MustCompile(`^node-.*-(fatal|uncaught)$`), []crash.Cause{crash.JSUncaught}},
	{regexp.MustCompile(`^node-.*-oom$`), []crash.Cause{crash.JSHeapLimit}},
	{regexp.MustCompile(`^node-.*-loop$`), []crash.Cause{crash.JSBlockedLoop}},
	// They are killed at a random moment, when their loop may be in the collector or wait.
	{regexp.MustCompile(`^node-.*-(constructs|scavenge|evacuate)$`), []crash.Cause{crash.JSBlockedLoop, crash.Killed}},
	{regexp.MustCompile(`^(a64-)?node-`), []crash.Cause{crash.JSAbort}},
	{regexp.MustCompile(`^jni-`), []crash.Cause{crash.JNIAbort}},
	{regexp.MustCompile(`^art-.*-locks-killed$`), []crash.Cause{crash.JavaDeadlock}},
	{regexp.MustCompile(`^art-.*-uncaught$`), []crash.Cause{crash.JavaUncaught}},
	{regexp.MustCompile(`^art-.*-filled$`), []crash.Cause{crash.JavaOutOfMemory}},
	{regexp.MustCompile(`^art-.*-anr$`), []crash.Cause{crash.ANR}},
	{regexp.MustCompile(`^art-.*-segv$`), []crash.Cause{crash.NullDereference}},
	{regexp.MustCompile(`^art-`), []crash.Cause{crash.Abort}},
	{regexp.MustCompile(`^(a64-)?(abort|otherlibc)$`), []crash.Cause{crash.Abort}},
	{regexp.MustCompile(`^values-`), []crash.Cause{crash.Abort}},
	{regexp.MustCompile(`^(a64-)?assert$`), []crash.Cause{crash.Assertion}},
	{regexp.MustCompile(`^(a64-)?cxx-(throw|throw-O0|noexcept)$`), []crash.Cause{crash.CXXException}},
	{regexp.MustCompile(`^rust-(index|expect|thread.*)$`), []crash.Cause{crash.RustPanic}},
	{regexp.MustCompile(`^go(-|$)`), []crash.Cause{crash.GoPanic}},
	{regexp.MustCompile(`^gcore-threads$`), []crash.Cause{crash.BusyLoop}}, // one of its workers is a loop
	{regexp.MustCompile(`^gcore`), []crash.Cause{crash.Snapshot}},
	{regexp.MustCompile(`^(rust-)?overflow$`), []crash.Cause{crash.StackOverflow}},
	{regexp.MustCompile(`^(a64-)?smash$`), []crash.Cause{crash.StackSmash}},
	{regexp.MustCompile(`^(a64-)?(wild|data)$`), []crash.Cause{crash.WildPointer}},
	{regexp.MustCompile(`(^|-)null(-O0)?$`), []crash.Cause{crash.NullCall}},
	{regexp.MustCompile(`(signal|siginfo|sigaltstack|overflowalt|nested|timer|a64-pac-leaf)(-O0|-static)?$`), []crash.Cause{crash.IllegalInstruction, crash.NullDereference}},
	// A thread of Interpreted.java is a loop, beside which main may still run.
	{regexp.MustCompile(`^java$`), []crash.Cause{crash.BusyLoop, crash.Killed}},
	{regexp.MustCompile(`^visualvm$`), []crash.Cause{crash.Killed}},
	{regexp.MustCompile(``), []crash.Cause{crash.NullDereference}},
}

// checkVerdict wants of a live core what its program does. Of damaged copies (cut-*) the
// verdict may be unknown, but not another one that is sure.
func checkVerdict(t *testing.T, s *commands.Session, name string, truth liveCore) {
	t.Helper()
	want := []crash.Cause{truth.Verdict}
	for i := 0; truth.Verdict == "" && len(want) > 0 && want[0] == ""; i++ {
		if deaths[i].name.MatchString(name) {
			want = deaths[i].want
		}
	}
	v := crash.Analyze(t.Context(), s.Subject())
	counted.add(name, want, v)
	if !slices.Contains(want, v.Cause) && (!strings.HasPrefix(name, "cut-") || v.Confidence >= crash.Likely) {
		t.Errorf("verdict: %s, %s: %s %q; want %v", v.Cause, v.Confidence, v.Title, v.Evidence, want)
	}
}
