package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/native"
	"coredbg/commands/out"
)

// firstScreen returns the text of the first screen of a core that ships, with the corpus's sources.
func firstScreen(t *testing.T, core string) string {
	t.Helper()
	var stdout bytes.Buffer
	s, err := coredbg.Open(core, coredbg.Options{Stdout: &stdout,
		Search: []string{"../../testdata/cores/sources/native"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	native.Banner(t.Context(), s).Text(s.Out)
	s.Out.Flush()
	return stdout.String()
}

// corpusCores returns the bundles of the corpus; a quarter of them with -short.
func corpusCores(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../../testdata/cores/*.cdb")
	if err != nil || len(list) < 30 {
		t.Fatalf("%d cores, %v", len(list), err)
	}
	if testing.Short() {
		list = list[:len(list)/4]
	}
	return list
}

// TestFirstScreens: the first screen of each core that ships fits a terminal, with the time, the prompt and a warning,
// and says how to go on.
func TestFirstScreens(t *testing.T) {
	for _, core := range corpusCores(t) {
		t.Run(filepath.Base(core), func(t *testing.T) {
			t.Parallel()
			text := firstScreen(t, core)
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if len(lines) > 22 || !strings.HasSuffix(lines[len(lines)-1], "   ::help") {
				t.Errorf("%d lines:\n%s", len(lines), text)
			}
			for _, l := range lines {
				if out.Width(l) > 80 {
					t.Errorf("%d columns: %s", out.Width(l), l)
				}
			}
		})
	}
}

// TestFirstScreenAnswers: the first screen shows the source and the values that the corpus's sources have there.
func TestFirstScreenAnswers(t *testing.T) {
	for core, want := range map[string][]string{
		"segv": {"    #0 poke (p=NULL, v=4) ",
			"\n>  42  FRAME int poke(volatile int *p, int v) { *p = v; return v + 1; }\n",
			"\n      p = NULL   v = 4\nnext: ::locals   ::stack   ::help\n"},
		"goroutines": {"thread 29283\n   #13 main.main  goroutines.go:249\n",
			"\n>  249          p.name = \"nobody\"\n", "\n      p = nil\n"},
		"node-16-fatal": {"thrown at\n    refuse (/opt/corpus/live/node-16.20.2-fatal/fatal.js:23:9)\n",
			"\n>  23    throw new Refusal('nobody catches this', 'E_REFUSED');\n", "next: ::jsstack -v   ::jserror"},
		"node-24": {"    #6 die (tag='bottom')", "\n>  25    process.abort();\n"},
	} {
		text := firstScreen(t, "../../testdata/cores/"+core+".cdb")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in\n%s", core, w, text)
			}
		}
	}
}
