package hotspot_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// TestLiveThrown: exceptions that ended processes, with the lines of testdata/cores/sources/hotspot/Thrown.java.
func TestLiveThrown(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var text bytes.Buffer
			s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Stdout: &text})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Run(t.Context(), "::javaexception"); err != nil {
				t.Fatal(err)
			}
			want := []string{"uncaught in \"server\"",
				": Thrown$Refused: order 7\n    at Thrown.refuse(Thrown.java:17)\n    at Thrown.refuse(Thrown.java:12)\n",
				"    at Thrown.serve(Thrown.java:24)\n    at Thrown.lambda$main$1(Thrown.java:30)\n    at java.lang.Thread.run(Thread.java:",
				"\nCaused by: java.lang.IllegalStateException: no more\n    at Thrown.refuse(Thrown.java:15)\n"}
			if strings.HasSuffix(dir, "-pending") {
				want = []string{"pending in \"server\"",
					": java.lang.IllegalArgumentException: in C\n    at Thrown.raise(Native method)\n    at Thrown.serve(Thrown.java:23)\n"}
			}
			for _, w := range want {
				if !strings.Contains(text.String(), w) {
					t.Errorf("no %q in\n%s", w, text.String())
				}
			}
		})
	}
}
