package minidump

import "coredbg/core"

// Features of XSAVE, by their bits (winnt.h, XSTATE_CET_U), and where its area has what (Intel SDM
// volume 1, 13.4): the legacy region, which a CONTEXT has elsewhere, then a header.
const (
	cetU         = 11 // IA32_U_CET and IA32_PL3_SSP
	firstFeature = 2
	legacyRegion = 512
	xsaveHeader  = 64
	compacted    = 1 << 63
)

// features say where the area has each feature, in bytes. Those that are not there are zero.
type features [64]struct{ off, size uint32 }

// readFeatures reads from MiscInfo where the features are (MINIDUMP_MISC_INFO_5, XStateData).
func readFeatures(in *reader) (x features) {
	const at, size = 832, 528
	s, ok := in.find(miscInfo)
	if !ok {
		return x
	}
	d := in.data(s)
	if len(d) < at+size || le.Uint32(d[at:]) != size {
		return x
	}
	enabled := le.Uint64(d[at+8:])
	for i := range x {
		if enabled>>i&1 != 0 {
			e := d[at+16+8*i:]
			x[i].off, x[i].size = le.Uint32(e), le.Uint32(e[4:])
		}
	}
	return x
}

// shadowStack returns the registers of the shadow stack in a context of x86-64: its
// CONTEXT_EX says where the state of XSAVE is (winnt.h).
func (x *features) shadowStack(context []byte) []core.Register {
	const extended, state = 1232, 16 // offsets of CONTEXT_EX, and of XState in that
	if len(context) < extended+state+8 || le.Uint32(context[48:])&xsave == 0 {
		return nil
	}
	start := int64(extended) + int64(int32(le.Uint32(context[extended+state:])))
	size := int64(le.Uint32(context[extended+state+4:]))
	if start < extended || size < xsaveHeader || start+size > int64(len(context)) {
		return nil
	}
	area := context[start : start+size]
	off, ok := x.offset(cetU, le.Uint64(area), le.Uint64(area[8:]))
	if !ok || off+16 > uint64(len(area)) {
		return nil
	}
	return []core.Register{
		{Name: "ssp", Value: le.Uint64(area[off+8:]), Size: 8, Set: "general"},
		{Name: "u_cet", Value: le.Uint64(area[off:]), Size: 8, Set: "general"},
	}
}

// offset returns where a feature is in an area without legacy region whose header has
// these masks; false if it is not there.
func (x *features) offset(n int, mask, compaction uint64) (off uint64, ok bool) {
	if mask>>n&1 == 0 || x[n].size < 16 {
		return 0, false
	}
	if compaction&compacted == 0 {
		off = uint64(x[n].off)
		return off - legacyRegion, off >= legacyRegion+xsaveHeader
	}
	off = xsaveHeader
	for i := firstFeature; i < n; i++ {
		if compaction>>i&1 == 0 {
			continue
		}
		if x[i].size == 0 {
			return 0, false
		}
		off += uint64(x[i].size)
	}
	return off, true
}
