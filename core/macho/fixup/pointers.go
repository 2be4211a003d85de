package fixup

// A pointerForm is how the pointers of a chain hold what is to be done to them, by
// DYLD_CHAINED_PTR_* (mach-o/fixup-chains.h of dyld-1284).
type pointerForm struct {
	size   int    // bytes
	stride uint64 // bytes of a step to the next pointer
	decode func(raw uint64) pointerBits
}

// pointerBits is a pointer of a chain.
type pointerBits struct {
	next    uint64 // steps
	bind    bool
	target  uint64 // of a bind the number of the import
	offset  bool   // target counts from the image's start, not from 0
	segment int    // the segment that target counts from; -1 if it does not
	high    uint64 // the top 8 bits of the pointer
	addend  int64
}

var pointerForms = map[uint16]pointerForm{
	1:  {8, 8, arm64e(false, 16)}, // ARM64E
	2:  {8, 4, ptr64(false)},      // 64
	3:  {4, 4, ptr32},             // 32
	4:  {4, 4, ptr32Cache},        // 32_CACHE
	5:  {4, 4, ptr32Firmware},     // 32_FIRMWARE
	6:  {8, 4, ptr64(true)},       // 64_OFFSET
	7:  {8, 4, arm64e(true, 16)},  // ARM64E_KERNEL
	8:  {8, 4, kernelCache},       // 64_KERNEL_CACHE
	9:  {8, 8, arm64e(true, 16)},  // ARM64E_USERLAND
	10: {8, 4, arm64e(false, 16)}, // ARM64E_FIRMWARE
	11: {8, 1, kernelCache},       // X86_64_KERNEL_CACHE
	12: {8, 8, arm64e(true, 24)},  // ARM64E_USERLAND24
	13: {8, 8, sharedCache},       // ARM64E_SHARED_CACHE
	14: {8, 4, segmented},         // ARM64E_SEGMENTED
}

// bits returns n bits of w from bit at on.
func bits(w uint64, at, n int) uint64 { return w >> at & (1<<n - 1) }

// signed returns a number of n bits with its sign.
func signed(v uint64, n int) int64 { return int64(v<<(64-n)) >> (64 - n) }

// arm64e decodes pointers that may be signed. The signature is left out: the key
// that makes it died with the process.
func arm64e(offset bool, ordinal int) func(uint64) pointerBits {
	return func(w uint64) pointerBits {
		p := pointerBits{next: bits(w, 51, 11), bind: bits(w, 62, 1) != 0, segment: -1}
		auth := bits(w, 63, 1) != 0
		switch {
		case p.bind:
			p.target = bits(w, 0, ordinal)
			if !auth {
				p.addend = signed(bits(w, 32, 19), 19)
			}
		case auth:
			p.target, p.offset = bits(w, 0, 32), true
		default:
			p.target, p.high, p.offset = bits(w, 0, 43), bits(w, 43, 8), offset
		}
		return p
	}
}

func ptr64(offset bool) func(uint64) pointerBits {
	return func(w uint64) pointerBits {
		if bits(w, 63, 1) != 0 {
			return pointerBits{next: bits(w, 51, 12), bind: true, target: bits(w, 0, 24),
				addend: int64(bits(w, 24, 8)), segment: -1}
		}
		return pointerBits{next: bits(w, 51, 12), target: bits(w, 0, 36), high: bits(w, 36, 8),
			offset: offset, segment: -1}
	}
}

func ptr32(w uint64) pointerBits {
	if bits(w, 31, 1) != 0 {
		return pointerBits{next: bits(w, 26, 5), bind: true, target: bits(w, 0, 20),
			addend: int64(bits(w, 20, 6)), segment: -1}
	}
	return pointerBits{next: bits(w, 26, 5), target: bits(w, 0, 26), segment: -1}
}

func ptr32Cache(w uint64) pointerBits {
	return pointerBits{next: bits(w, 30, 2), target: bits(w, 0, 30), offset: true, segment: -1}
}

func ptr32Firmware(w uint64) pointerBits {
	return pointerBits{next: bits(w, 26, 6), target: bits(w, 0, 26), segment: -1}
}

func kernelCache(w uint64) pointerBits {
	return pointerBits{next: bits(w, 51, 12), target: bits(w, 0, 30), offset: true, segment: -1}
}

func sharedCache(w uint64) pointerBits {
	p := pointerBits{next: bits(w, 52, 11), target: bits(w, 0, 34), offset: true, segment: -1}
	if bits(w, 63, 1) == 0 {
		p.high = bits(w, 34, 8)
	}
	return p
}

func segmented(w uint64) pointerBits {
	return pointerBits{next: bits(w, 51, 12), target: bits(w, 0, 28), segment: int(bits(w, 28, 4))}
}
