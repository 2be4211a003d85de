package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveThreadLocals: errno and the thread-local variables of the program and its libraries have in each
// thread the value that the thread has written down (sources/native/local.c). In musl errno is no variable.
func TestLiveThreadLocals(t *testing.T) {
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s := openLive(t, file)
			text, err := os.ReadFile(filepath.Join(dir, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			threads, values := 0, 0
			for line := range strings.Lines(string(text)) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
				if name == "thread" {
					tid, err := strconv.Atoi(value)
					if s.Thread = s.Process.Thread(tid); err != nil || s.Thread == nil {
						t.Fatalf("no thread %s in the core, %v", value, err)
					}
					threads++
					continue
				}
				values++
				want := name + " = " + value + map[string]string{"errno 9": " (EBADF)",
					"errno 2": " (ENOENT)"}[name+" "+value]
				if got := strings.TrimSpace(printed(t, s, "::print "+name)); got != want {
					t.Errorf("%s of %v: %q, want %q", name, s.Thread, got, want)
				}
				if got := strings.TrimSpace(printed(t, s, name+"/D")); !strings.HasSuffix(got, " "+value) {
					t.Errorf("%s of %v in memory: %q, want %s", name, s.Thread, got, value)
				}
			}
			if threads != 2 || values != 12 {
				t.Errorf("%d values of %d threads, want 12 of 2", values, threads)
			}
		})
	}
}
