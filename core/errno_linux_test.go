package core_test

import (
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"coredbg/core"
)

// TestErrnoName: the names are those of Go's x/sys/unix, which prefers three newer ones. Linux has generic
// numbers on the processors that Go tests run on.
func TestErrnoName(t *testing.T) {
	linux, darwin, mips := &core.Process{OS: "linux", Arch: core.AMD64}, &core.Process{OS: "darwin", Arch: core.ARM64},
		&core.Process{OS: "linux", Arch: core.MIPS}
	older := map[string]string{"ENOTSUP": "EOPNOTSUPP", "EFSCORRUPTED": "EUCLEAN", "EFTYPE": ""}
	for n := int64(-1); n <= 140; n++ {
		want := unix.ErrnoName(syscall.Errno(max(n, 0)))
		if was, ok := older[want]; ok {
			want = was
		}
		if got := linux.ErrnoName(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for _, c := range []struct {
		p    *core.Process
		n    int64
		want string
	}{{darwin, 2, "ENOENT"}, {darwin, 11, ""}, {darwin, 35, ""}, {mips, 11, "EAGAIN"}, {mips, 45, ""}} {
		if got := c.p.ErrnoName(c.n); got != c.want {
			t.Errorf("%d of %s, %s: %q, want %q", c.n, c.p.OS, c.p.Arch.Name, got, c.want)
		}
	}
}
