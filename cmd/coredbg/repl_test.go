package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/cmd/coredbg/terminal"
	"coredbg/commands/lang"
	"coredbg/commands/native"
)

// typed is a lineReader with its lines ready.
type typed struct {
	lines   []string
	history []string
}

func (r *typed) ReadLine(string) (string, error) {
	if len(r.lines) == 0 {
		return "", io.EOF
	}
	line := r.lines[0]
	r.lines = r.lines[1:]
	if line == "^C" {
		return "", terminal.ErrAborted
	}
	return line, nil
}
func (r *typed) AddHistory(line string) { r.history = append(r.history, line) }
func (r *typed) Close() error           { return nil }

func TestConverse(t *testing.T) {
	dir := t.TempDir()
	if err := writeTiny(dir); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{
		Sysroot: filepath.Join(dir, "sysroot"), Stdout: &stdout, Stderr: &stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	in := &typed{lines: []string{"1=X", "^C", "", "  ", "::nosuch", "1=X", "1=X", "greeting/s", "::quit", "2=X"}}
	if err := converse(s, nil, in, nil); err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(stdout.String()); !slices.Equal(got, []string{"1", "1", "1", "greeting:", "greeting:",
		"hello,", "world"}) {
		t.Errorf("stdout %q", got)
	}
	if !strings.Contains(stderr.String(), "nosuch") {
		t.Errorf("stderr %q", stderr.String())
	}
	if want := []string{"1=X", "::nosuch", "1=X", "greeting/s", "::quit"}; !slices.Equal(in.history, want) {
		t.Errorf("history %q, want %q", in.history, want)
	}
	if len(in.lines) != 1 {
		t.Errorf("::quit left %q", in.lines)
	}
	if code := exitCode(s, &lang.FailedError{Count: 1}, true); code != exitOK {
		t.Errorf("an interactive session ended in %d", code)
	}
}

// TestLogTyped: a log has the lines that were typed with their prompts, as mdb's ::log has.
func TestLogTyped(t *testing.T) {
	dir := t.TempDir()
	if err := writeTiny(dir); err != nil {
		t.Fatal(err)
	}
	s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Sysroot: filepath.Join(dir, "sysroot"),
		Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	s.Prompt = "tiny> "
	log := filepath.Join(dir, "log")
	if err := converse(s, nil, &typed{lines: []string{"1=X", "::log -e " + log, "greeting/s", "2=X\x1b[2J", "::log -d",
		"3=X"}}, nil); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	want := "tiny> greeting/s\ngreeting:\ngreeting:       hello, world\ntiny> 2=X\\x1b[2J\n"
	if text := string(got); !strings.HasPrefix(text, want) || !strings.HasSuffix(text, "\ntiny> ::log -d\n") ||
		strings.Contains(text, "3=X") {
		t.Errorf("%q, want %q first", text, want)
	}
}

func TestPrompt(t *testing.T) {
	for path, want := range map[string]string{
		"/tmp/core.1234": "core.1234> ", "core\x1b[31m": "core?[31m> ", "kern\n": "kern?> ",
	} {
		if got := promptFor(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestFlagsStandAnywhere(t *testing.T) {
	f, err := parseFlags(strings.Fields("-S prog -e ::status core -json -search a -search b -f file"),
		io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if f.executable != "prog" || f.core != "core" || !f.noRC || !f.json || len(f.search) != 2 ||
		!slices.Equal(f.work, []work{{command: "::status"}, {file: "file"}}) {
		t.Errorf("%+v", f)
	}
	for _, bad := range []string{"", "a b c", "-nosuch core", "-color pink core", "-e"} {
		if f, err := parseFlags(strings.Fields(bad), io.Discard, io.Discard); err == nil {
			t.Errorf("%q: %+v", bad, f)
		}
	}
	if f, err := parseFlags(strings.Fields("-- -core"), io.Discard, io.Discard); err != nil || f.core != "-core" {
		t.Errorf("after --: %+v, %v", f, err)
	}
}

// TestBannerWithoutPID: cores of macOS do not have the id of their process.
func TestBannerWithoutPID(t *testing.T) {
	for core, want := range map[string]string{"macos-arm64.cdb": "  aarch64, ", "segv.cdb": "  pid 30840, x86-64, "} {
		var stdout bytes.Buffer
		s, err := coredbg.Open("../../testdata/cores/"+core, coredbg.Options{Stdout: &stdout})
		if err != nil {
			t.Fatal(err)
		}
		native.Banner(t.Context(), s).Text(s.Out)
		s.Out.Flush()
		if first, _, _ := strings.Cut(stdout.String(), "\n"); !strings.Contains(first, want) {
			t.Errorf("%s: %q, want %q in it", core, first, want)
		}
		s.Process.Close()
	}
}
