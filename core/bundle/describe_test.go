package bundle

import (
	"strings"
	"testing"
)

// TestDescribeLines: a path with newlines does not make lines that say something else.
func TestDescribeLines(t *testing.T) {
	main := &plannedCore{plannedPart: &plannedPart{path: "core\nfiles: 0"}}
	plan := &Plan{parts: []*plannedPart{main.plannedPart}}
	plan.describe(nil, main, []string{"/bin/a\nwrote b.cdb"})
	if got := Describe(plan); strings.Count(got, "\n") != 4 || !strings.Contains(got, `core core\nfiles: 0: `) || !strings.Contains(got, `not there: /bin/a\nwrote b.cdb`) {
		t.Errorf("got %q", got)
	}
}
