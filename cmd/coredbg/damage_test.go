package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"coredbg"
)

// TestSearchShortened shortens a core that is open: searches do not say that they found nothing.
func TestSearchShortened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be shortened there")
	}
	dir := t.TempDir()
	if err := writeTiny(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "core")
	var stdout, stderr bytes.Buffer
	s, err := coredbg.Open(path, coredbg.Options{Sysroot: filepath.Join(dir, "sysroot"), Stdout: &stdout,
		Stderr: &stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"::findstr HELLO", "::findstr -i hello", "0x1234567::ugrep"} {
		stderr.Reset()
		s.Run(t.Context(), line)
		if !strings.Contains(stderr.String(), "core was cut short while it was open") || !s.Partial {
			t.Errorf("%s: %s", line, &stderr)
		}
	}
}

// TestCutAnywhere cuts the tiny core every few bytes. A core that opens must answer ::status and ::stack, and
// say that it is truncated. One that does not open must say why in one line.
func TestCutAnywhere(t *testing.T) {
	dir := t.TempDir()
	if err := writeTiny(dir); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "core"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "cut")
	opened, step := 0, 101
	if testing.Short() {
		step = 1009
	}
	for n := 1; n < len(whole); n += step {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		s, err := coredbg.Open(path, coredbg.Options{Sysroot: filepath.Join(dir, "sysroot"), Stdout: &stdout,
			Stderr: &stderr})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("cut to %d bytes: %v", n, err)
			}
			continue
		}
		opened++
		for _, line := range []string{"::status -v", "::stacks -a", "$C", "::coverage", "::argv", "::notes -v",
			"::objects -v"} {
			s.Run(t.Context(), line)
		}
		if strings.Contains(stderr.String(), "internal error") {
			t.Errorf("cut to %d bytes: %s", n, &stderr)
		}
		if !strings.Contains(stdout.String(), "truncated") || exitCode(s, nil, false) != exitPartial {
			t.Errorf("cut to %d bytes: exit code %d\n%s", n, exitCode(s, nil, false), &stdout)
		}
		s.Process.Close()
	}
	if opened == 0 {
		t.Error("no cut core opened")
	}
}
