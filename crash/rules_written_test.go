package crash

import (
	"testing"

	"coredbg/crash/bugs"
)

// TestOfMessage: the C library's own words for a failed check of _FORTIFY_SOURCE
// (debug/fdelt_chk.c, debug/longjmp_chk.c, stdio-common/vfprintf-process-arg.c).
func TestOfMessage(t *testing.T) {
	for text, want := range map[string]bugs.Cause{
		"*** buffer overflow detected ***: terminated":                  bugs.Fortify,
		"*** bit out of range 0 - FD_SETSIZE on fd_set ***: terminated": bugs.Fortify,
		"*** %n in writable segment detected ***":                       bugs.Fortify,
		"*** invalid %N$ use detected ***":                              bugs.Fortify,
		"*** longjmp causes uninitialized stack frame ***: terminated":  bugs.Fortify,
		"*** stack smashing detected ***: terminated":                   bugs.StackSmash,
		"bit by bit, out of range":                                      bugs.AbortMessage,
		"double free or corruption (!prev)":                             bugs.DoubleFree,
		"program: main.c:3: main: Assertion `n > 0' failed.":            bugs.Assertion,
	} {
		if got := ofMessage(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
