package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
	"coredbg/stack"
)

// An embedded is what embedded.mjs said of itself before it was killed; see
// testdata/cores/make.d/embedders.sh.
type embedded struct {
	Exe    string
	Frames []jsTruth
	Made   map[string]int
	Values []struct{ Name, Printed string }
}

// TestLiveEmbedders: stacks, values and counts of embedders other than Node, whose images
// have no debugging constants, are what the program says, V8's own call sites among it.
func TestLiveEmbedders(t *testing.T) {
	for _, path := range coretest.Live(t, "embedded-*/core") {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var truth embedded
			text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "truth.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &truth); err != nil {
				t.Fatal(err)
			}
			s, err := coredbg.Open(path, coredbg.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Process.Close() })
			checkEmbedded(t, s, path, &truth)
		})
	}
}

func checkEmbedded(t *testing.T, s *commands.Session, path string, truth *embedded) {
	t.Helper()
	v, err := v8.Of(s.Process, s.Runtimes())
	if err != nil {
		t.Fatal(err)
	}
	if test := v.SelfTest(); test.Sound != test.Functions || test.Coded == 0 {
		t.Errorf("self-test: %v", test)
	}
	want := make([]jsTruth, 0, len(truth.Frames)+1)
	want = append(want, jsTruth{Name: "spin", Printed: "spin"})
	want = append(want, truth.Frames...)
	compared := false
	for st := range s.Stacks.All(context.Background(), s.Process.Threads, stack.Options{}) {
		got := jsFrames(st, want)
		if len(got) == 0 || compared {
			continue
		}
		compared = true
		for i, w := range want {
			switch {
			case i >= len(got):
				t.Errorf("frame %d is missing: %s", i, w.Printed)
			case i == 0 && got[0].Name != "spin":
				t.Errorf("the innermost frame is %s", got[0].Name)
			case i > 0:
				if diff := differ(&got[i], w); diff != "" {
					t.Errorf("frame %d: %s; want %s", i, diff, w.Printed)
				}
			}
		}
		if len(got) > len(want) {
			t.Errorf("%d frames too many", len(got)-len(want))
		}
	}
	if !compared {
		t.Error("no thread has frames of JavaScript")
	}
	var lines []string
	for _, x := range truth.Values {
		lines = append(lines, "::jsprint -b -d 4 globalThis.T."+x.Name)
	}
	for class := range truth.Made {
		lines = append(lines, "::findjsobjects -c "+class)
	}
	out, stderr := drive(t, path, nil, lines...)
	for _, x := range truth.Values {
		if one := strings.Join(strings.Fields(out), " "); !strings.Contains(one, strings.Join(strings.Fields(x.Printed), " ")) {
			t.Errorf("%s: %s is not printed", x.Name, x.Printed)
		}
	}
	for class, n := range truth.Made {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), fmt.Sprintf(" %d ", n)) {
			t.Errorf("not %d objects of %s", n, class)
		}
	}
	if t.Failed() {
		t.Logf("%s\n%s", out, stderr)
	}
}
