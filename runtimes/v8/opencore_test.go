package v8

import (
	"context"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/embedder"
	"coredbg/runtimes/v8/v8test"
)

// OpenCore opens a live core, or a bundle of one, and probes for V8 and its embedders.
func OpenCore(t testing.TB, path string, embedders ...embedder.Probe) (*core.Process, *sym.Table, *V8) {
	t.Helper()
	return probed(t, v8test.Open(t, path), embedders...)
}

// probed returns the V8 of an opened core.
func probed(t testing.TB, target runtimes.Target, embedders ...embedder.Probe) (*core.Process, *sym.Table, *V8) {
	t.Helper()
	r, err := Probe(context.Background(), target, embedders...)
	if err != nil || r == nil {
		t.Fatalf("Probe: %v, %v", r, err)
	}
	return target.Process, target.Symbols, r.(*V8)
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
