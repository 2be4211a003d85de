package e2e

import (
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/triage"
)

// TestLiveFullHeap: the bug of a full heap has the name of the class that fills it, in all versions of Node.
// oom.js keeps objects of its class Leaky in the variable all.
func TestLiveFullHeap(t *testing.T) {
	keys := map[string]string{}
	for _, file := range coretest.Live(t) {
		s, err := coredbg.Open(file, coredbg.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l := triage.NewLine(t.Context(), &s.Target)
		s.Close()
		keys[l.Coarse] = file
		if l.Signature != "js-heap-limit | Leaky oom.js in all" ||
			!strings.HasSuffix(l.Title, "of the heap, held by all") {
			t.Errorf("%s: %s, %s", file, l.Signature, l.Title)
		}
	}
	if len(keys) > 1 {
		t.Errorf("%v", keys)
	}
}

// TestLiveFullJava: the verdict on a JVM whose heap is full names what fills it: Full.java keeps arrays of a
// megabyte in the list kept.
func TestLiveFullJava(t *testing.T) {
	for _, file := range coretest.Live(t) {
		s, err := coredbg.Open(file, coredbg.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l := triage.NewLine(t.Context(), &s.Target)
		s.Close()
		if !slices.ContainsFunc(l.Evidence, func(e string) bool {
			return strings.Contains(e, " objects of byte[] keep 9") && strings.HasSuffix(e, "held by Full.kept")
		}) {
			t.Errorf("%s: %s, because %q", file, l.Title, l.Evidence)
		}
	}
}
