package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"coredbg"
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
	{regexp.MustCompile(`^node-.*-(loop|constructs|scavenge|evacuate)$`), []crash.Cause{crash.Killed}},
	{regexp.MustCompile(`^(a64-)?node-`), []crash.Cause{crash.JSAbort}},
	{regexp.MustCompile(`^art-.*-segv$`), []crash.Cause{crash.NullDereference}},
	{regexp.MustCompile(`^art-`), []crash.Cause{crash.Abort}},
	{regexp.MustCompile(`^(a64-)?(abort|otherlibc)$`), []crash.Cause{crash.Abort}},
	{regexp.MustCompile(`^(a64-)?assert$`), []crash.Cause{crash.Assertion}},
	{regexp.MustCompile(`^(a64-)?cxx-(throw|throw-O0|noexcept)$`), []crash.Cause{crash.CXXException}},
	{regexp.MustCompile(`^rust-(index|expect)$`), []crash.Cause{crash.RustPanic}},
	{regexp.MustCompile(`^go(-|$)`), []crash.Cause{crash.GoPanic}},
	{regexp.MustCompile(`^gcore`), []crash.Cause{crash.Snapshot}},
	{regexp.MustCompile(`^(rust-)?overflow$`), []crash.Cause{crash.StackOverflow}},
	{regexp.MustCompile(`^(a64-)?smash$`), []crash.Cause{crash.StackSmash}},
	{regexp.MustCompile(`^(a64-)?(wild|data)$`), []crash.Cause{crash.WildPointer}},
	{regexp.MustCompile(`(^|-)null(-O0)?$`), []crash.Cause{crash.NullCall}},
	{regexp.MustCompile(`(signal|siginfo|sigaltstack|overflowalt|nested|timer|a64-pac-leaf)(-O0|-static)?$`), []crash.Cause{crash.IllegalInstruction, crash.NullDereference}},
	{regexp.MustCompile(`^(java|visualvm)$`), []crash.Cause{crash.Killed}},
	{regexp.MustCompile(``), []crash.Cause{crash.NullDereference}},
}

// TestVerdicts wants of every live core what its program does. Damaged copies are among
// them (cut-*): a verdict of one may be unknown, but not another one.
func TestVerdicts(t *testing.T) {
	found := map[crash.Cause]int{}
	for _, file := range liveTruths(t) {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			got, want := verdictOf(t, dir, file)
			for _, w := range want {
				if got.Cause == w {
					found[w]++
					return
				}
			}
			if strings.HasPrefix(filepath.Base(dir), "cut-") && got.Confidence < crash.Likely {
				return
			}
			t.Errorf("%s, %s: %s %q; want %v", got.Cause, got.Confidence, got.Title, got.Evidence, want)
		})
	}
	t.Logf("%d causes: %v", len(found), found)
}

func verdictOf(t *testing.T, dir, file string) (*crash.Verdict, []crash.Cause) {
	t.Helper()
	var truth liveCore
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &truth)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := coredbg.Open(filepath.Join(dir, truth.Core), liveOptions(t, dir, truth.Args))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	v := crash.Analyze(t.Context(), s.Subject())
	if truth.Verdict != "" {
		return v, []crash.Cause{truth.Verdict}
	}
	for _, d := range deaths {
		if d.name.MatchString(filepath.Base(dir)) {
			return v, d.want
		}
	}
	return v, nil
}
