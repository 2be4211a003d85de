package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveNames: names as their language writes them lead to the values that the program says (kinds.d, values.rs).
func TestLiveNames(t *testing.T) {
	d := map[string]string{"kinds.counter": "6", "kinds.counter + 1": "7", "*&kinds.counter": "6"}
	want := map[string]map[string]string{
		"kinds-gdc": d, "kinds-ldc": d,
		"values-rust": {"tuple.0": "1", "tuple.1": `"two"`, "tuple.2": "3.5", "tuple.0 + 1": "2"},
	}
	for _, file := range coretest.Live(t) {
		core := filepath.Base(filepath.Dir(file))
		t.Run(core, func(t *testing.T) {
			family := core
			if strings.HasPrefix(core, "kinds-") {
				family = core[:strings.LastIndexByte(core, '-')]
			}
			s := openLive(t, file)
			if core == "values-rust" {
				printed(t, s, "::frame -f texts")
			}
			if len(want[family]) == 0 {
				t.Fatalf("no names are known for %s", family)
			}
			for name, value := range want[family] {
				if got := printed(t, s, "::print '"+name+"'"); !strings.HasSuffix(strings.TrimSpace(got), " = "+value) {
					t.Errorf("%s: %q, want %s", name, got, value)
				}
			}
		})
	}
}
