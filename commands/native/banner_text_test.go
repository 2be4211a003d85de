package native

import (
	"errors"
	"strings"
	"testing"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/crash/bugs"
	"coredbg/runtimes"
)

// screen returns the text of a banner.
func screen(b *banner) string {
	var s strings.Builder
	w := out.NewWriter(&s)
	b.Text(w)
	w.Flush()
	return s.String()
}

// full returns a banner with more of everything than a screen has room for, and with names that a hostile
// core may have.
func full() *banner {
	long := strings.Repeat("word and ", 40) + "\x1b[31m"
	b := &banner{status: &statusRecord{Argv: long, Arch: "x86-64", Threads: 3,
		words:   "process terminated by SIGSEGV (" + long + "), CODE (" + long + ")",
		Verdict: &shortVerdict{Cause: bugs.NullDereference, Title: long, Confidence: bugs.Certain},
		Causes: []runtimes.Cause{{Kind: runtimes.RustPanic, Message: long},
			{Kind: runtimes.AbortMessage, Message: long}},
		Warnings: []string{long, long}, nameless: true},
		thread: "7 (" + long + ")", more: 5, facts: []string{long}, next: []string{"::locals", "::stack", "::help"},
		scene: &commands.Scene{Frame: 3, File: "a.c", Line: 11, Values: []string{"a = " + long, "b = 1", "c = 2",
			"d = " + long}}}
	for i := range 5 {
		b.scene.Lines = append(b.scene.Lines, commands.SourceLine{Number: 9 + i, Text: "\t" + long})
	}
	for i := range bannerAll {
		b.top = append(b.top, bannerLine{index: i, name: "f" + long, place: long})
	}
	return b
}

// TestBannerFits: whatever a core has, its first screen has 24 lines of 80 columns at most, with the time and
// the prompt, and writes no control characters.
func TestBannerFits(t *testing.T) {
	raised := full()
	for range 20 {
		raised.raised = append(raised.raised, "f (/a/"+strings.Repeat("long/", 40)+"file.js:1:2)")
	}
	for name, b := range map[string]*banner{"frames": full(), "an error": raised,
		"nothing": {status: &statusRecord{}}} {
		text := screen(b)
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) > bannerLines {
			t.Errorf("%s: %d lines", name, len(lines))
		}
		for _, l := range lines {
			if out.Width(l) > bannerColumns || strings.ContainsRune(l, '\x1b') {
				t.Errorf("%s: %d columns: %q", name, out.Width(l), l)
			}
		}
	}
}

// TestBannerSource: the line is marked, the values are below it, and the way on comes last.
func TestBannerSource(t *testing.T) {
	b := &banner{status: &statusRecord{}, scene: &commands.Scene{Line: 2, Values: []string{"p = NULL", "n = 3"},
		Lines: []commands.SourceLine{{Number: 1, Text: "{"}, {Number: 2, Text: "\t*p = n;"}}},
		next: []string{"::locals", "::stack", "::help"}}
	const want = "   1  {\n>  2      *p = n;\n      p = NULL   n = 3\nnext: ::locals   ::stack   ::help\n"
	if got := screen(b); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s, want at its end\n%s", got, want)
	}
	b.scene = &commands.Scene{Frame: 4, Why: errors.New("a.c: the file is not there")}
	if got := screen(b); !strings.Contains(got, "\nno source of #4: a.c: the file is not there\n") {
		t.Errorf("no reason in\n%s", got)
	}
}

func TestShortened(t *testing.T) {
	const line = "died of SIGSEGV (segmentation fault), SEGV_MAPERR (address not mapped to object) at 0x8: a null pointer"
	for columns, want := range map[int]string{200: line,
		80: "died of SIGSEGV (segmentation fault), SEGV_MAPERR at 0x8: a null pointer",
		20: "died of SIGSEGV (se…"} {
		if got := shortened(line, columns); got != want {
			t.Errorf("%d: %q, want %q", columns, got, want)
		}
	}
}

func TestFolded(t *testing.T) {
	for _, c := range []struct {
		columns, lines, more int
		want                 string
	}{
		{40, 2, 0, "one two three four"},
		{10, 2, 0, "one two|    three…"},
		{10, 3, 0, "one two|    three|    four"},
		{20, 2, 8, "one two three|    four"},
	} {
		if got := strings.Join(folded("one two three four", c.columns, c.lines, c.more), "|"); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
