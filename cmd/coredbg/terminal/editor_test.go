package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/commands"
	"github.com/peterh/liner"
)

func TestHistoryIsTrimmed(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	path, err := historyPath(commands.OS{})
	if err != nil || filepath.Base(filepath.Dir(path)) != "coredbg" {
		t.Fatalf("%q, %v", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{10, 2*liner.HistoryLimit + 10} {
		if err := os.WriteFile(path, []byte(strings.Repeat("old\n", n-1)+"new\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := trimHistory(path); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(b), "\n"); got != min(n, liner.HistoryLimit) ||
			!strings.HasSuffix(string(b), "new\n") {
			t.Errorf("of %d lines %d are left, the last of %q", n, got, b[len(b)-4:])
		}
	}
}
