package report

import (
	"strings"
	"testing"

	"coredbg/crash"
	"coredbg/runtimes"
)

// TestHeadlineOnce: the page's title is not said again above the error's own stack; another error's message
// is, unless the evidence has it and there is no stack.
func TestHeadlineOnce(t *testing.T) {
	thrown := runtimes.Cause{Kind: runtimes.UncaughtError, Type: "Error", Message: "no more",
		Stack: []string{"refuse (a.js:3:9)"}}
	other := runtimes.Cause{Kind: runtimes.UncaughtError, Type: "Error", Message: "closed",
		Stack: []string{"close (a.js:7:1)"}}
	again := thrown
	again.Stack = nil
	v := &crash.Verdict{Title: thrown.String() + ", at refuse (a.js:3:9)"}
	said := runtimes.Cause{Kind: runtimes.UncaughtError, Type: "Error", Message: "pending"}
	v.Evidence = []string{said.String() + ", at risky (a.js:9:1)"}
	v.Causes = append(v.Causes, thrown, other, again, said)
	list := errorsOf(v)
	if len(list) != 2 || list[0].Text != "" || len(list[0].Frames) != 1 || list[1].Text != other.String() {
		t.Errorf("%+v", list)
	}
}

// TestDrawingsScroll: on a narrow screen a drawing stays so wide that its labels can be read. Chromium was
// looked at, 390 pixels wide.
func TestDrawingsScroll(t *testing.T) {
	if !strings.Contains(pageText, `<div class="drawing" tabindex="0"><iframe`) ||
		!strings.Contains(styleText, ".drawing iframe { width: 1176px; }") ||
		!strings.Contains(styleText, ".drawing { overflow-x: auto; }") {
		t.Error("drawings shrink")
	}
}
