package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core/coretest"
)

// TestMachOV8 compares the stacks and values of Node in cores that were rewritten for macOS with the
// programs' output: the decoder must not depend on the format of a core and its images.
func TestMachOV8(t *testing.T) {
	for _, file := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { checkMachOV8(t, filepath.Dir(file)) })
	}
}

func checkMachOV8(t *testing.T, dir string) {
	var truth liveCore
	text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err == nil {
		err = json.Unmarshal(text, &truth)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := coredbg.Open(filepath.Join(dir, truth.Core), liveOptions(t, dir, truth.Args))
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	path := newRewrite(t, s.Process, to).core()
	s.Process.Close()
	if len(truth.JS) > 0 {
		checkCore(t, path, coredbg.Options{Search: []string{to}}, truth)
	}
	answers := func(path string, o coredbg.Options, format string) map[string]string {
		var stdout bytes.Buffer
		o.Stdout = &stdout
		s, err := coredbg.Open(path, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Process.Close()
		if s.Process.Format != format {
			t.Fatalf("the core is a %s, want %s", s.Process.Format, format)
		}
		out := map[string]string{}
		for _, line := range machoLines {
			stdout.Reset()
			_ = s.Run(context.Background(), line)
			out[line] = stdout.String()
		}
		if strings.HasSuffix(dir, "-deep") {
			for _, c := range jsCases {
				stdout.Reset()
				_ = s.Run(context.Background(), c.line)
				got := stdout.String()
				whole, exact := strings.CutPrefix(c.want, "=")
				if exact && got != whole || !exact && !strings.Contains(got, c.want) {
					t.Errorf("%s shows\n%swant\n%s", c.line, got, whole)
				}
			}
		}
		return out
	}
	want := answers(filepath.Join(dir, truth.Core), liveOptions(t, dir, truth.Args), "ELF core")
	got := answers(path, coredbg.Options{Search: []string{to}}, "Mach-O core")
	for _, line := range machoLines {
		got, want := withoutUV(line, got[line]), withoutUV(line, want[line])
		if got != want || want == "" && line == "::jsstack" {
			t.Errorf("%s shows\n%swant\n%s", line, got, want)
		}
	}
}

// withoutUV leaves out what is read from libuv's structures. They differ between systems, and the rewritten core has
// Linux's. TestMachOLibuv is about macOS.
func withoutUV(line, text string) string {
	var out strings.Builder
	details := strings.Index(text, "DETAILS")
	for row := range strings.Lines(text) {
		switch f := strings.Fields(row); {
		case line == "::handles" && details > 0:
			row = row[:min(details, len(row))]
		case line == "::timers" && len(f) > 3:
			row = strings.Join(append(f[:2:2], f[3:]...), " ")
		}
		out.WriteString(strings.TrimRight(row, " \n") + "\n")
	}
	return out.String()
}

// machoLines are commands whose answers the rewriting must not change. Other tests compare the answers
// on Linux with the programs' output.
var machoLines = []string{"::jsstack", "::jsstack -v", "::v8version", "::v8heap", "::findjsobjects", "::promises",
	"::handles", "::timers"}
