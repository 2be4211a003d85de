package v8

import (
	"context"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/coretest"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// OpenCore opens a live core, or a bundle of one, and probes for V8.
func OpenCore(t testing.TB, path string) (*core.Process, *sym.Table, *V8) {
	t.Helper()
	src, err := file.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bundle.Is(src) {
		return openSource(t, src, path, elf.Disk{})
	}
	b, err := bundle.Open(src, filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	return openSource(t, b.Core(), path, b)
}

// eachLive runs a test on each live core of its kinds.
func eachLive(t *testing.T, check func(t *testing.T, path string)) {
	t.Helper()
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			check(t, path)
		})
	}
}

// openSource opens a core whose bytes are src.
func openSource(t testing.TB, src core.Source, path string, files find.Finder) (*core.Process, *sym.Table, *V8) {
	t.Helper()
	p, err := elfcore.Open(src, path, elfcore.Options{Files: files})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	symbols := sym.NewTable(p)
	r, err := Probe(context.Background(), runtimes.Target{Process: p, Symbols: symbols})
	if err != nil || r == nil {
		t.Fatalf("Probe: %v, %v", r, err)
	}
	return p, symbols, r.(*V8)
}
