package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func printed(t *testing.T, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("coredbg", args...)
	cmd.Stderr = &stderr
	b, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%q: %v: %s", args, err, &stderr)
	}
	return string(b)
}

// TestCompletion: the scripts have each subcommand with its flags.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		text := printed(t, "completion", shell)
		for name := range subcommands {
			if !strings.Contains(text, name) {
				t.Errorf("%s: no %s", shell, name)
			}
		}
		for _, name := range []string{"redact", "sysroot", "max-size", "strict", "source"} {
			if !strings.Contains(text, name) {
				t.Errorf("%s: no flag %s", shell, name)
			}
		}
	}
	if err := exec.Command("coredbg", "completion", "nosuch").Run(); err == nil {
		t.Error("an unknown shell is no error")
	}
}

// TestBashCompletion: bash completes subcommands and flags with the script.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a core"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{"coredbg tria": "triage", "coredbg a": "a core",
		"coredbg mcp --str": "--strict", "coredbg --sysr": "--sysroot", "coredbg report --red": "--redact"} {
		script := `source <(coredbg completion bash); COMP_WORDS=(` + line +
			`); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _coredbg; IFS='|'; echo "${COMPREPLY[*]}"`
		cmd := exec.Command(bash, "--norc", "-c", script)
		cmd.Dir = dir
		got, err := cmd.CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("%s: %q, %v", line, got, err)
		}
	}
}

// TestMan: the manual page has each subcommand.
func TestMan(t *testing.T) {
	text := printed(t, "man")
	for name := range subcommands {
		if !strings.Contains(text, "\n.SH COREDBG "+strings.ToUpper(name)+"\n") {
			t.Errorf("no section of %s", name)
		}
	}
	if !strings.HasPrefix(text, ".TH COREDBG 1\n") {
		t.Errorf("%.100s", text)
	}
}
