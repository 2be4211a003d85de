package kernel

import (
	"testing"

	"coredbg/core"
)

// TestCallName: truth: syscall(2)'s SYS_ constants as the system's own headers have them.
func TestCallName(t *testing.T) {
	for _, x := range []struct {
		arch   *core.Arch
		number uint64
		want   string
	}{
		{core.AMD64, 0, "read"}, {core.AMD64, 257, "openat"}, {core.AMD64, 435, "clone3"}, {core.AMD64, 9999, ""},
		{core.I386, 20, "getpid"}, {core.I386, 192, "mmap2"},
		{core.ARM64, 56, "openat"}, {core.ARM64, 222, "mmap"}, {core.ARM, 20, "getpid"}, {core.ARM, 322, "openat"},
		{core.S390X, 1, ""}, {nil, 1, ""},
	} {
		if got := CallName(x.arch, x.number); got != x.want {
			t.Errorf("%v %d: %q, want %q", x.arch, x.number, got, x.want)
		}
	}
	for i, names := range syscallNames() {
		if len(names) < 300 {
			t.Errorf("column %d has %d names", i, len(names))
		}
	}
}
