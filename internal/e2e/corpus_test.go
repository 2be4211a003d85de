package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg"
	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/macho/machocore"
)

// A shipped is a row of testdata/cores/manifest.json.
type shipped struct {
	File, SHA256 string
	Bytes        int64
	Truth        liveCore
}

func corpus(t *testing.T) []shipped {
	t.Helper()
	text, err := os.ReadFile("../../testdata/cores/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []shipped
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	bundles, err := filepath.Glob("../../testdata/cores/*.cdb")
	if err != nil || len(rows) == 0 || len(bundles) != len(rows) {
		t.Fatalf("%d bundles, %d in the manifest, %v", len(bundles), len(rows), err)
	}
	return rows
}

// TestCorpus checks the stacks of the bundles in the repository against what their
// programs say, as TestLive does, with nothing else of this machine in reach.
func TestCorpus(t *testing.T) {
	for _, row := range corpus(t) {
		t.Run(strings.TrimSuffix(row.File, ".cdb"), func(t *testing.T) {
			if testing.Short() && row.Bytes > 4<<20 {
				t.Skip("a large core")
			}
			path := filepath.Join("../../testdata/cores", row.File)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != row.SHA256 {
				t.Errorf("the SHA-256 is %x, the manifest says %s", sum, row.SHA256)
			}
			o := coredbg.Options{Sysroot: t.TempDir(), DebugDirs: []string{t.TempDir()}}
			checkCore(t, path, o, row.Truth)
		})
	}
}

// TestCorpusShares: what the bundles share is all there, and nothing else is.
func TestCorpusShares(t *testing.T) {
	used := map[string]bool{}
	for _, row := range corpus(t) {
		src, err := file.Open(filepath.Join("../../testdata/cores", row.File), nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := bundle.Open(src)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range b.Shared() {
			used[name] = true
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	have, err := filepath.Glob("../../testdata/cores/files/*")
	if err != nil || len(have) == 0 {
		t.Fatalf("%d files, %v", len(have), err)
	}
	for _, path := range have {
		if name := "files/" + filepath.Base(path); !used[name] {
			t.Errorf("%s is of none of the bundles", path)
		} else {
			delete(used, name)
		}
	}
	for name := range used {
		t.Errorf("%s is not there", name)
	}
}

// A cutSource is a source that ends early.
type cutSource struct {
	core.Source
	size int64
}

func (c cutSource) Size() int64 { return c.size }

func (c cutSource) Window(off int64) ([]byte, error) {
	if off >= c.size {
		return core.Bytes(nil).Window(0)
	}
	w, err := c.Source.Window(off)
	return w[:min(int64(len(w)), c.size-off)], err
}

// TestCutCorpus cuts each core of the corpus at ten places. It opens, answers
// ::status, and says that it is truncated.
func TestCutCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens every core many times")
	}
	for _, row := range corpus(t) {
		path := filepath.Join("../../testdata/cores", row.File)
		src, err := file.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := bundle.Open(src, filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		whole := b.Core()
		for i := range int64(10) {
			cut := cutSource{whole, whole.Size() * (2*i + 1) / 20}
			p, err := elfcore.Open(cut, b.CorePath(), elfcore.Options{Files: b})
			if errors.Is(err, core.ErrUnknownFormat) {
				p, err = machocore.Open(cut, b.CorePath(), machocore.Options{})
			}
			if err != nil {
				t.Errorf("%s cut at %d of %d: %v", row.File, cut.size, whole.Size(), err)
				continue
			}
			if !p.Truncated {
				t.Errorf("%s cut at %d of %d does not say that it is truncated", row.File, cut.size, whole.Size())
			}
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		cutBundle(t, path)
	}
}

// oneChunk is less than the least bundle has that has a piece of its core in its
// first half, in bytes: what small bundles share is not in them.
const oneChunk = 80 << 10

// cutBundle cuts the bundle's own file in half.
func cutBundle(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(t.TempDir(), "half.cdb")
	if err := os.WriteFile(half, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	var out, talk bytes.Buffer
	s, err := coredbg.Open(half, coredbg.Options{Stdout: &out, Stderr: &talk})
	if gap := (*core.GapError)(nil); errors.As(err, &gap) && gap.Gap == core.Truncated && len(data) < oneChunk {
		return // the core is in one piece, and that was cut
	}
	if err != nil {
		t.Errorf("half of %s: %v", path, err)
		return
	}
	defer s.Process.Close()
	if err := s.Run(t.Context(), "::status"); err != nil || !strings.Contains(out.String(), "truncated") {
		t.Errorf("half of %s: %v\n%s%s", path, err, &out, &talk)
	}
}
