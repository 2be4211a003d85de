package step

import "coredbg/core"

// Links are how an ABI links frames on the stack: data, so that no unwinder asks for a
// name.
type Links struct {
	// Record is set if the frame pointer points to a pair of the caller's
	// frame pointer and the return address.
	Record bool
	// recordIsTop is set if the caller's stack pointer is right after that
	// pair; elsewhere it is unknown.
	recordIsTop bool
	// FreeFP is set where code without frame records may keep anything in the register that
	// points to them: no null ends a chain.
	FreeFP bool
	// Align is the alignment of such a pair in bytes.
	Align core.Addr
	// Back is where frames are linked without a frame pointer; nil if they are not.
	Back *BackChain
}

// A BackChain is how an ABI links frames by the stack pointer: it points to the caller's stack pointer,
// and the frame's return address is at a fixed place above that.
type BackChain struct {
	Link core.Addr // bytes above the caller's stack pointer
	// Optional is set if only code that was compiled for it has a chain.
	Optional bool
}

// LinksOf returns the links of an architecture.
func LinksOf(arch *core.Arch) Links {
	switch arch {
	case core.AMD64, core.X32:
		return Links{Record: true, recordIsTop: true, Align: 8}
	case core.I386:
		return Links{Record: true, recordIsTop: true, Align: 4}
	case core.ARM64:
		return Links{Record: true, Align: 8}
	case core.ARM:
		// In Arm state r11 points to records, where frame pointers are kept; Thumb
		// code uses r7.
		return Links{Record: true, FreeFP: true, Align: 4}
	case core.PPC64LE, core.PPC64:
		return Links{Back: &BackChain{Link: 16}}
	case core.PPC:
		return Links{Back: &BackChain{Link: 4}}
	case core.S390X:
		return Links{Back: &BackChain{Link: 112, Optional: true}}
	case core.S390:
		return Links{Back: &BackChain{Link: 56, Optional: true}}
	}
	return Links{}
}
