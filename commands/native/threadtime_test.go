package native

import (
	"strings"
	"testing"

	"coredbg/core"
)

// TestTimeless: why a core has no times, by who has written it.
func TestTimeless(t *testing.T) {
	for _, c := range []struct {
		p    *core.Process
		want string
	}{
		{&core.Process{Format: "ELF core", OS: "linux"}, "less than a tick"},
		{&core.Process{Format: "bundle of an ELF core", OS: "linux"}, "less than a tick"},
		{&core.Process{Format: "ELF core", OS: "linux", ByDebugger: true}, "a debugger wrote it"},
		{&core.Process{Format: "ELF core", OS: "freebsd"}, "only Linux"},
		{&core.Process{Format: "minidump", OS: "linux"}, "a minidump has no such times"},
		{&core.Process{Format: "Mach-O core", OS: "darwin"}, "a Mach-O core has no such times"},
	} {
		if got := timeless(c.p); !strings.Contains(got, c.want) {
			t.Errorf("%s of %s: %q, want %q", c.p.Format, c.p.OS, got, c.want)
		}
	}
}
