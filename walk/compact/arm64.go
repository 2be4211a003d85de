package compact

import (
	"fmt"

	"coredbg/core"
	"coredbg/walk/cfi"
)

// Modes of arm64 encodings.
const (
	arm64Frameless = 2
	arm64DWARF     = 3
	arm64Frame     = 4
)

// rowARM64 is the row of an arm64 encoding. Registers are saved in pairs; the first register of a pair
// has the higher address. The pairs follow downwards in the order of their bits: x19 to x28, then d8 to
// d15.
func rowARM64(enc uint32) (cfi.Row, error) {
	r := cfi.Row{RA: int8(core.ARM64.LR)}
	var at int64 // of the first pair's first register, from the CFA
	switch enc >> 24 & 0xf {
	case arm64Frameless:
		r.CFAReg, r.CFAOff = int8(core.ARM64.SP), int64(enc>>12&0xfff)*16
		at = -8
	case arm64Frame:
		r.CFAReg, r.CFAOff = int8(core.ARM64.FP), 16
		at = -24
	case arm64DWARF:
		return cfi.Row{}, &DWARFError{Off: enc & 0xffffff}
	default:
		return cfi.Row{}, fmt.Errorf("compact: unknown encoding %#x", enc)
	}
	for i := range 5 {
		if enc>>i&1 != 0 {
			r.Rules = append(r.Rules, saved(19+2*i, at), saved(20+2*i, at-8))
			at -= 16
		}
	}
	if r.CFAReg == int8(core.ARM64.FP) {
		r.Rules = append(r.Rules, saved(29, -16), saved(30, -8))
	}
	return r, nil
}
