package sets

import "coredbg/core"

// callSPARC knows call, and jmpl with %o7, before the instruction in the delay slot.
func callSPARC(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	if n < 8 {
		return 0, false, false
	}
	w := core.SPARC64.Order.Uint32(code[n-8:])
	if w>>30 == 1 {
		return int64(int32(w<<2)) - 8, true, true
	}
	return 0, false, w&0xfff80000 == 0x9fc00000
}
