package redact

import (
	"context"
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/bundle/span"
)

// Floating-point and vector registers in signal frames. On x86 the kernel puts
// what XSAVE wrote there, with FP_XSTATE_MAGIC1 and sizes in the bytes that are
// for software (Linux, arch/x86/include/uapi/asm/sigcontext.h, struct
// _fpx_sw_bytes); on arm64 records with a magic number and a size (Linux,
// arch/arm64/include/uapi/asm/sigcontext.h).
const (
	xstateMagic1  = 0x46505853
	xstateSW      = 464 // offset of the software's bytes in the state
	xstateHeader  = 512
	xstateHigh    = 576
	fxRegisters   = 32 // offset of st0 in the state
	maxXState     = 16 << 10
	fpsimdMagic   = 0x46508001
	sveMagic      = 0x53564501
	zaMagic       = 0x54366345
	ztMagic       = 0x5a544e01
	maxSVEContext = 1 << 20
)

// signalStates returns where signal frames in the memory that is taken have such
// registers, as ranges of the core file.
func (w *work) signalStates() []span.Range {
	p := w.p
	var out []span.Range
	if p.Arch == nil || p.OS != "linux" {
		return nil
	}
	add := func(lo, hi core.Addr) { out = append(out, w.mem.Ranges(lo, hi)...) }
	taken := around(w.c, 0)
	for i := range w.mem.Segments {
		seg := &w.mem.Segments[i]
		if seg.Kind != core.SegCore || seg.Prot&core.Write == 0 && !seg.ProtUnknown {
			continue
		}
		w.eachPiece(context.Background(), taken, span.Between(seg.Off, seg.Off+int64(seg.Size())),
			func(off int64, b []byte) {
				at := seg.Start + core.Addr(off-seg.Off)
				for j := int((16 - at%16) % 16); j+16 <= len(b); j += 16 {
					switch magic, n := binary.LittleEndian.Uint32(b[j:]), binary.LittleEndian.Uint32(b[j+4:]); {
					case magic == 0:
					case p.Arch.Name == core.ARM64.Name:
						if known := magic == fpsimdMagic || magic == sveMagic || magic == zaMagic ||
							magic == ztMagic; known && n > 16 && n <= maxSVEContext {
							add(at+core.Addr(j+8), at+core.Addr(j)+core.Addr(n))
						}
					case magic == xstateMagic1 && n >= xstateHigh && n <= maxXState:
						state := at + core.Addr(j) - xstateSW
						add(state+fxRegisters, state+xstateSW)
						add(state+xstateHigh, state+core.Addr(n)-4) // FP_XSTATE_MAGIC2 ends it
					}
				}
			})
	}
	return out
}
