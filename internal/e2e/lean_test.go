package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/elf"
	"coredbg/core/file"
	"coredbg/core/find"
)

// TestLeanBundle: a lean bundle has less data for unwinding and naming code than its source, and the
// same stacks. The same holds for a lean bundle made from a lean one.
func TestLeanBundle(t *testing.T) {
	rows := map[string]shipped{}
	for _, r := range corpus(t) {
		rows[r.File] = r
	}
	o := coredbg.Options{Sysroot: t.TempDir(), DebugDirs: []string{t.TempDir()}}
	for _, test := range []struct {
		bundle  string
		lean    bool // it is already
		file    string
		section string
	}{
		{"exception.cdb", false, "libc.so.6", ".eh_frame"},
		{"exception.cdb", false, "shapes", ".strtab"},
		{"rust.cdb", true, "ranks", ".strtab"},
		{"rust.cdb", true, "ranks", ".debug_info"},
	} {
		t.Run(test.bundle+test.section, func(t *testing.T) {
			path := filepath.Join("../../testdata/cores", test.bundle)
			plan, err := coredbg.PlanBundle(t.Context(), path, o, coredbg.BundleOptions{Lean: true})
			if err != nil {
				t.Fatal(err)
			}
			defer plan.Close()
			var packed bytes.Buffer
			if _, err := plan.Write(t.Context(), &packed); err != nil {
				t.Fatal(err)
			}
			lean := filepath.Join(t.TempDir(), "lean.cdb")
			if err := os.WriteFile(lean, packed.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			checkCore(t, lean, o, rows[test.bundle].Truth)
			before, now := gaps(t, path, test.file, test.section), gaps(t, lean, test.file, test.section)
			if now == 0 || before != 0 != test.lean {
				t.Errorf("%s of %s has %d gaps, and had %d", test.section, test.file, now, before)
			}
		})
	}
}

// gaps returns how many gaps a section of a file in a bundle has, and of .strtab how many
// names.
func gaps(t *testing.T, path, name, section string) int {
	t.Helper()
	src, err := file.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(src, filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	image, err := elf.NewFile(b.Find(t.Context(), find.Want{Kind: find.Image, Path: name}).Source, name)
	if err != nil {
		t.Fatal(err)
	}
	if section == ".strtab" {
		n := 0
		if err := image.Symbols(false, func(s core.ImageSymbol) bool {
			if s.NameErr != nil {
				n++
			}
			return true
		}); err != nil {
			t.Error(err)
		}
		return n
	}
	s, err := image.Section(section)
	if err != nil {
		t.Fatal(err)
	}
	return len(s.Gaps)
}
