package frame

import (
	"testing"

	"coredbg/runtimes/v8/layout"
)

// TestHidesNew has the versions of V8 that process.versions.v8 of Node 26.8.0,
// 26.9.0 and 26.10.0 name, of which the last two hide it when they are run, and others.
func TestHidesNew(t *testing.T) {
	v := func(major, minor, build, patch int) layout.Version {
		return layout.Version{Major: major, Minor: minor, Build: build, Patch: patch}
	}
	for _, x := range []struct {
		version  layout.Version
		embedder string
		want     bool
	}{
		{v(13, 6, 233, 17), "-node.55", false},
		{v(14, 6, 202, 34), "-node.28", false},
		{v(14, 6, 202, 34), "-node.32", true},
		{v(14, 6, 202, 34), "-node.34", true},
		{v(14, 6, 202, 34), "-electron.0", false},
		{v(14, 6, 202, 33), "-node.40", false},
		{v(14, 8, 0, 1), "-node.1", true},
		{v(14, 8, 0, 1), "", false},
	} {
		if got := hidesNew(x.version, x.embedder); got != x.want {
			t.Errorf("%v%s: %v, want %v", x.version, x.embedder, got, x.want)
		}
	}
}
