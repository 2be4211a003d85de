package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands/out"
	"coredbg/core/coretest"
)

// TestLiveUntyped: variables without debugging information are integers, or bytes, as the program has written them down
// (sources/native/untyped.c), and say that their type is not known. errno has a type and a name.
func TestLiveUntyped(t *testing.T) {
	for _, file := range coretest.Live(t) {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s := openLive(t, file)
			text, err := os.ReadFile(filepath.Join(dir, "out.txt"))
			if err != nil {
				t.Fatal(err)
			}
			values := 0
			for line := range strings.Lines(string(text)) {
				values++
				words := strings.Fields(line)
				name := words[0]
				got := strings.Join(strings.Fields(printed(t, s, "::print "+name)), " ")
				var record struct {
					Untyped string
					LeftOut int64 `json:"left_out"`
				}
				var b bytes.Buffer
				s.JSON, s.Out = true, out.NewBuffered(&b)
				if err := errors.Join(s.Run(t.Context(), "::print "+name),
					json.Unmarshal(b.Bytes(), &record)); err != nil || (record.Untyped == "") != (name == "errno") {
					t.Errorf("%s: %v, untyped %q", name, err, record.Untyped)
				}
				if cut := name == "large"; (record.LeftOut == 16) != cut || !cut && record.LeftOut != 0 {
					t.Errorf("%s: %d bytes left out", name, record.LeftOut)
				}
				if want := untypedText(words); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			if values != 10 {
				t.Errorf("%d values, want 10", values)
			}
			// A bundle leaves out the library's relocations, which say where its thread-local block lies.
			bundled := openLive(t, bundleOf(t, file))
			if got := strings.TrimSpace(printed(t, bundled, "::print errno")); got != "errno = 2 (ENOENT)" {
				t.Errorf("in a bundle: %q", got)
			}
		})
	}
}

// bundleOf writes a bundle of a core.
func bundleOf(t *testing.T, core string) string {
	b, err := coredbg.PlanBundle(t.Context(), core, coredbg.Options{}, coredbg.BundleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	path := filepath.Join(t.TempDir(), "b.cdb")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := b.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	return path
}

// untypedText is the answer for a line that the program has written down.
func untypedText(words []string) string {
	name, size, rest := words[0], words[1], words[2:]
	switch {
	case name == "errno":
		return fmt.Sprintf("errno = %s (%s)", size, rest[0])
	case size == "1":
		return fmt.Sprintf("%s = %s (%s) (1 byte, type not known)", name, rest[0], rest[1])
	case name == "three":
		return fmt.Sprintf("three = [ %s ] (3 bytes, type not known)", strings.Join(rest, ", "))
	case name == "large":
		return fmt.Sprintf("large = [ %s, … 16 more ] (48 bytes, type not known)", strings.Join(rest, ", "))
	}
	return fmt.Sprintf("%s = %s (%s) (%s bytes, type not known)", name, rest[0], rest[1], size)
}
