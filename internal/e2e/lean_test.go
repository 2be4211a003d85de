package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"coredbg"
	"coredbg/core/bundle"
	"coredbg/core/elf"
	"coredbg/core/file"
	"coredbg/core/find"
)

// TestLeanBundle: a lean bundle has less of the unwind tables than the one that it was
// made of, which has them whole, and the same stacks.
func TestLeanBundle(t *testing.T) {
	path := filepath.Join("../../testdata/cores", "exception.cdb")
	for _, row := range corpus(t) {
		if row.File != filepath.Base(path) {
			continue
		}
		o := coredbg.Options{Sysroot: t.TempDir(), DebugDirs: []string{t.TempDir()}}
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
		checkCore(t, lean, o, row.Truth)
		const name = "libc.so.6"
		if before, now := frameGaps(t, path, name), frameGaps(t, lean, name); before != 0 || now == 0 {
			t.Errorf("the unwind tables of %s have %d gaps, and had %d", name, now, before)
		}
	}
}

// frameGaps returns how many gaps .eh_frame of a file in a bundle has.
func frameGaps(t *testing.T, path, name string) int {
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
	frames, err := image.Section(".eh_frame")
	if err != nil {
		t.Fatal(err)
	}
	return len(frames.Gaps)
}
