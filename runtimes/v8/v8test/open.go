package v8test

import (
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/elf"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/core/find"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// Open opens a live core, or a bundle of one, for a runtime to be probed in.
func Open(t testing.TB, path string) runtimes.Target {
	t.Helper()
	src, err := file.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bundle.Is(src) {
		return OpenSource(t, src, path, elf.Disk{})
	}
	b, err := bundle.Open(src, filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	return OpenSource(t, b.Core(), path, b)
}

// OpenSource opens a core whose bytes are src.
func OpenSource(t testing.TB, src core.Source, path string, files find.Finder) runtimes.Target {
	t.Helper()
	p, err := elfcore.Open(src, path, elfcore.Options{Files: files})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return runtimes.Target{Process: p, Symbols: sym.NewTable(p)}
}
