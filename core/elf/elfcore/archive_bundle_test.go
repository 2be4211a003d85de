package elfcore_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/bundle/pack"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/find"
)

// TestArchiveInBundle packs a core whose libraries are in an archive. The bundle alone must have them
// again.
func TestArchiveInBundle(t *testing.T) {
	for _, dumped := range []bool{false, true} {
		scene := newArchiveScene(t)
		data, archive, path := scene.core(dumped), scene.whole, scene.path
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, path), archive, 0o644); err != nil {
			t.Fatal(err)
		}
		disk := elf.Disk{Disk: find.Disk{Sysroot: dir}}
		p, err := elfcore.Open(core.Bytes(data), "core", elfcore.Options{Files: disk})
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		opt := pack.Options{Files: disk, Text: pack.All, PCs: []core.Addr{0x402000}}
		if err := pack.Write(t.Context(), &packed, p, core.Bytes(data), opt); err != nil {
			t.Fatal(err)
		}
		b, err := bundle.Open(core.Bytes(packed.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		q, err := elfcore.Open(b.Core(), "core", elfcore.Options{Files: b})
		if err != nil {
			t.Fatal(err)
		}
		if len(q.Modules) != len(p.Modules) {
			t.Fatalf("%d modules, want %d", len(q.Modules), len(p.Modules))
		}
		for i, m := range q.Modules {
			was, is := p.Modules[i].Facts(), m.Facts()
			if m.Path != p.Modules[i].Path || is.Image == nil || is.InMemory || is.Err != nil || is.Bias != was.Bias ||
				!bytes.Equal(is.BuildID, was.BuildID) {
				t.Errorf("%s: %+v, want %+v", m.Path, is, was)
			}
		}
		var got [1]byte
		if _, err := q.Space.ReadAt(got[:], 0x402000); err != nil || got[0] != 0xcc {
			t.Errorf("code reads %#x, %v", got[0], err)
		}
		if err := q.Close(); err != nil {
			t.Error(err)
		}
		p.Close()
	}
}
