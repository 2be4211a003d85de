package e2e

import (
	"path/filepath"
	"slices"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveUcontext: crash.c has left main's stack by swapcontext for one that it dies on. The context
// that swapcontext saved leads back. The context that makecontext has prepared has not begun.
func TestLiveUcontext(t *testing.T) {
	for _, file := range coretest.Live(t) {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			s := openValues(t, file)
			type thread struct {
				Frames []struct {
					Name string
					Line int
				}
			}
			for line, want := range map[string][]string{
				"caller::stack":              {"mode_coroutine", "leaf", "middle", "outer", "main"},
				"caller::ucontext | ::stack": {"mode_coroutine", "leaf", "middle", "outer", "main"},
				"routine::stack":             {"routine_body"},
			} {
				var got []string
				for _, th := range records[thread](t, s, line) {
					for _, f := range th.Frames {
						if f.Line > 0 {
							got = append(got, f.Name)
						}
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: %v, not %v", line, got, want)
				}
			}
		})
	}
}
