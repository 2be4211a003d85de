package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"coredbg/chart"
)

// TestFirstScreenPicture compares the picture of the README with the first screen of its core; -update writes it.
func TestFirstScreenPicture(t *testing.T) {
	const picture = "../../docs/first-screen.svg"
	text := firstScreen(t, "../../testdata/cores/server.cdb")
	lines := append([]string{"$ coredbg core.21312"}, strings.Split(strings.TrimSuffix(text, "\n"), "\n")...)
	var got bytes.Buffer
	s := chart.Screen{Title: "The first screen of coredbg for a server that died: the verdict, the program's frames, the source line and its values", Lines: lines}
	if err := s.WriteSVG(&got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(picture, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got.Bytes()) {
		t.Errorf("%s is not what the first screen shows; -run TestFirstScreenPicture -update writes it", picture)
	}
	page, err := os.ReadFile("../../README.md")
	if err != nil || !bytes.Contains(page[:min(len(page), 1000)], []byte("docs/first-screen.svg")) {
		t.Errorf("%v: the README does not show the picture on its first screen", err)
	}
}
