package pack

import (
	"strings"
	"testing"

	"coredbg/core/bundle"
)

// TestDescribeLines: a path with newlines does not make lines that say something else.
func TestDescribeLines(t *testing.T) {
	main := &bundle.Planned{Path: "core\nfiles: 0"}
	plan := &Plan{parts: []*bundle.Planned{main}}
	plan.describe(main, 0, []string{"/bin/a\nwrote b.cdb"})
	if got := Describe(plan); strings.Count(got, "\n") != 4 || !strings.Contains(got, `core core\nfiles: 0: `) ||
		!strings.Contains(got, `not there: /bin/a\nwrote b.cdb`) {
		t.Errorf("got %q", got)
	}
}
