package site

import "coredbg/core"

// Target returns the address that the call before the return address pc leads to, through
// stubs and jumps; false if that is not known.
func (t *Text) Target(pc core.Addr) (core.Addr, bool) {
	to, ok, sure := t.Called(pc)
	if !ok || !sure || to == 0 {
		return 0, false
	}
	for range maxTailCall {
		r := t.reachedFrom(to)
		if r == nil || r.slot == 0 {
			break
		}
		c := t.Process.Cursor()
		to = t.Strip(c.Pointer(r.slot), false)
		if c.Reset() != nil {
			return 0, false
		}
	}
	return to, t.Executable(to)
}
