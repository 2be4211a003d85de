package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// thrownD matches the line that the runtime library of D prints for an exception: its class, its place and its message.
var thrownD = regexp.MustCompile(`(?m)^([a-z]+\.[\w.]+)@(.*)\((\d+)\)(?:: (.*))?$`)

// throwerD matches what sources/native/thrown.d prints: the function that throws.
var throwerD = regexp.MustCompile(`(?m)^thrown by (\S+)$`)

// TestLiveThrownD: the verdict about an exception of D that nothing handles has its class, its message and
// its place, and those chained to it, as D's runtime library printed them; the bug is named by the function
// that said that it throws. In a program without names it is named by the class and the place.
func TestLiveThrownD(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			said, err := os.ReadFile(filepath.Join(dir, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			s := openLive(t, filepath.Join(dir, "core"))
			var want []runtimes.Cause
			kind := runtimes.UncaughtD
			for _, m := range thrownD.FindAllStringSubmatch(string(said), -1) {
				want = append(want, runtimes.Cause{Kind: kind, Type: m[1], Message: m[4], At: m[2] + ":" + m[3]})
				kind = runtimes.Chained
			}
			thrower := throwerD.FindStringSubmatch(string(said))
			got := s.Causes(t.Context())
			if len(want) == 0 || thrower == nil || len(got) != len(want) {
				t.Fatalf("%v, want %v by %v", got, want, thrower)
			}
			own := strings.Contains(want[0].At, "thrown.d:")
			for i, w := range want {
				g := got[i]
				if g.Kind != w.Kind || g.Type != w.Type || g.Message != w.Message || own && g.At != w.At ||
					!own && (g.At != "" || w.At != ":0" && !slices.ContainsFunc(g.Details,
						func(s string) bool { return strings.HasSuffix(s, w.At) })) {
					t.Errorf("%v %q, want %v", &g, g.Details, &w)
				}
			}
			v := records[struct{ Title, Cause, Signature string }](t, s, "::analyze")
			if len(v) != 1 || v[0].Cause != "d-exception" || !strings.HasPrefix(v[0].Title, got[0].String()) &&
				!strings.Contains(name, "-static-") ||
				len(want) > 1 && !strings.Contains(v[0].Title, "; chained "+want[1].Type+": "+want[1].Message) {
				t.Errorf("verdict %+v", v)
			}
			names := "d-exception | " + thrower[1]
			if strings.Contains(name, "-static-") || strings.Contains(name, "-stripped-") {
				names = "d-exception | " + want[0].Type
			}
			if len(v) == 1 && v[0].Signature != names && !strings.HasPrefix(v[0].Signature, names+" | ") {
				t.Errorf("signature %q, want %q", v[0].Signature, names)
			}
		})
	}
}
