package v8_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/inspect"
)

// TestMedley compares each random value under the global R with the output of util.inspect in the process
// itself (medley.json; testdata/cores/sources/v8/medley.js): as it is, with hidden properties ("H name") and
// deeper ("D name"). It also compares the number of instances of its classes.
func TestMedley(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(dir, "medley.json"))
			if err != nil {
				t.Fatal(err)
			}
			var wants map[string]string
			if err := json.Unmarshal(data, &wants); err != nil {
				t.Fatal(err)
			}
			v, _ := openNode(t, filepath.Join(dir, "core"))
			root := global(t, v, "R")
			names := slices.Sorted(maps.Keys(wants))
			right := 0
			for _, name := range names {
				key, hidden := strings.CutPrefix(name, "H ")
				key, deep := strings.CutPrefix(key, "D ")
				s, err := v.Objects.Member(root, []string{key})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				o := inspect.DefaultInspect()
				o.ShowHidden = hidden
				if deep {
					o.Depth = 5
					o.Show(300)
				}
				got := v.Values.InspectSlot(s, o).Format(inspect.FormatOptions{ShowHidden: hidden, Exact: true,
					Dialect: v.Values.Dialect()})
				if got == wants[name] {
					right++
					continue
				}
				g, w := apart(got, wants[name])
				t.Errorf("%s:\ngot  %s\nwant %s", name, g, w)
			}
			t.Logf("%d of %d values right", right, len(names))
			checkCounts(t, dir, v)
		})
	}
}

// checkCounts compares how many instances of its classes the program made, and still holds, with
// what is reachable.
func checkCounts(t *testing.T, dir string, v *v8.V8) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth struct{ Counts map[string]int }
	if err := json.Unmarshal(b, &truth); err != nil {
		t.Fatal(err)
	}
	h, err := v.Heaps.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	g, err := h.Graph(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, p := range h.Part(h.Groups(), g, true) {
		if !p.Prototype && !p.Boilerplate {
			got[p.Constructor] += p.Count
		}
	}
	for name, n := range truth.Counts {
		if got[name] != n {
			t.Errorf("%d of class %s, want %d", got[name], name, n)
		}
	}
}

// apart cuts two texts to where they differ.
func apart(a, b string) (string, string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(i-160, 0)
	cut := func(s string) string { return s[from:min(len(s), i+300)] }
	return cut(a), cut(b)
}
