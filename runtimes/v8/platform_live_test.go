package v8_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg/core/coretest"
	"coredbg/runtimes/v8/inspect"
)

// withoutComputed leaves the properties of process and performance out that C++ computes when they are
// asked for.
func withoutComputed(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		if !slices.Contains([]string{"env", "ppid", "debugPort", "duration", "idleTime"}, name) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// TestPlatform compares each value under the global P with the output of util.inspect in the process itself
// (platform.json; testdata/cores/sources/v8/platform.js). Most values have Node's own functions that format
// them, some have functions of the program.
func TestPlatform(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(dir, "platform.json"))
			if err != nil {
				t.Fatal(err)
			}
			var wants map[string]string
			if err := json.Unmarshal(data, &wants); err != nil {
				t.Fatal(err)
			}
			v, _ := openNode(t, filepath.Join(dir, "core"))
			root := global(t, v, "P")
			if _, ok := v.Objects.InspectSource(); !ok {
				t.Error("the source of util.inspect is not found")
			}
			form := inspect.FormatOptions{Exact: true, Dialect: v.Values.Dialect()}
			raw := inspect.DefaultInspect()
			raw.Custom = false
			right := 0
			for _, name := range slices.Sorted(maps.Keys(wants)) {
				s, err := v.Objects.Member(root, []string{name})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				want := wants[name]
				got := v.Values.InspectSlot(s, inspect.DefaultInspect()).Format(form)
				performance := name == "performance" && (strings.HasPrefix(want, "Performance {") ||
					strings.HasPrefix(got, "{\n  nodeTiming"))
				if name == "performance" && !performance {
					want = v.Values.InspectSlot(s, raw).Format(form) // until Node 14 it has another kind
				}
				if performance && !strings.Contains(got, "duration: <not in the core: ") {
					t.Errorf("performance has a duration: %s", got)
				}
				if name == "process" || performance {
					got, want = withoutComputed(got), withoutComputed(want)
				}
				if got == want {
					right++
					continue
				}
				const longest = 1 << 11
				t.Errorf("%s:\ngot  %.*s\nwant %.*s", name, longest, got, longest, want)
			}
			t.Logf("%d of %d values right", right, len(wants))
		})
	}
}
