package e2e

import (
	"bytes"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// TestLiveAsleep: where Go's runtime ends a program because all its goroutines wait, the verdict and the
// bug's name are about their waits, not about the thread that noticed it. In sources/native/lapse.go,
// lapseWait receives from a channel that has no sender.
func TestLiveAsleep(t *testing.T) {
	for _, file := range coretest.Live(t) {
		var text bytes.Buffer
		s, err := coredbg.Open(file, coredbg.Options{Stdout: &text})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context(), "::analyze"); err != nil {
			t.Error(file, err)
		}
		s.Close()
		for _, want := range []string{
			"fatal error of Go: all goroutines are asleep - deadlock!, in main.lapseWait (",
			"cause: deadlock, certain\n",
			"because: a goroutine: chan receive, under main.lapseWait (",
			"signature: deadlock | main.lapseWait | main.main (",
		} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: no %q in\n%s", file, want, &text)
			}
		}
	}
}
