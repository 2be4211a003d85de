package walk

import "coredbg/core"

// applyARM64 does to o what the instruction does to the stack. It reports false
// if the stack pointer is not known after it, or where a register came from. Its
// cases are those of arm64Frame.apply.
func applyARM64(o *wayOut, code []byte) bool {
	w := core.ARM64.Order.Uint32(code)
	if o.values == nil {
		return o.moveStackARM64(w)
	}
	writes := o.evaluateARM64(w)
	return o.write(writes, o.moveStackARM64(w))
}

// moveStackARM64 is applyARM64 for what the instruction says of the stack by itself.
func (o *wayOut) moveStackARM64(w uint32) bool {
	rn, rt := int(w>>5&31), int(w&31)
	base, onStack := o.baseARM64(rn)
	switch {
	case w&0xbf800000 == 0x91000000 && rt == arm64SP, w&0xbf800000 == 0x91000000 && rt == arm64FP: // add, sub of an immediate
		n := immARM64(w)
		if w>>30&1 != 0 {
			n = -n
		}
		if rt == arm64SP {
			o.sp = base.plus(n)
			return onStack
		}
		o.fp, o.fpKnown = base.plus(n), onStack
	case w&0xff800000 == 0x92000000 && rt == arm64SP, w&0xbfe00000 == 0x8b200000 && rt == arm64SP: // and; add, sub of a register
		return false
	case w&0xffe0ffe0 == 0xaa0003e0 && (rt == arm64FP || rt == core.ARM64.LR): // mov of a register
		o.fpKnown = o.fpKnown && rt != arm64FP
		return rt != core.ARM64.LR
	case w>>27&7 == 5 && w>>25&1 == 0: // ldp, stp
		return o.pairARM64(w, base, onStack)
	case w>>27&7 == 7 && w>>24&3 == 0 && w>>21&1 == 0 && w>>10&1 == 1: // ldr, str with writeback
		return o.singleARM64(w, base, onStack)
	case w>>22&^1 == 0x3e4: // ldr, str with an offset
		return o.accessARM64(rt, base.plus(int64(w>>10&0xfff)*8), onStack, w>>22&1 != 0)
	}
	return true
}

// baseARM64 returns the place that a register points to.
func (o *wayOut) baseARM64(reg int) (stackPlace, bool) {
	switch {
	case reg == arm64SP:
		return o.sp, true
	case reg == arm64FP && o.fpKnown:
		return o.fp, true
	}
	return stackPlace{}, false
}

// accessARM64 is a load or a store of a 64-bit register.
func (o *wayOut) accessARM64(reg int, at stackPlace, onStack, load bool) bool {
	if reg >= arm64SP || !o.kept(reg) {
		return true
	}
	switch {
	case load && !onStack:
		o.fpKnown = o.fpKnown && reg != arm64FP
		return reg != core.ARM64.LR
	case load:
		o.load(reg, at)
	case onStack:
		o.store(reg, at)
	}
	return true
}

// pairARM64 is ldp and stp.
func (o *wayOut) pairARM64(w uint32, base stackPlace, onStack bool) bool {
	words := w>>30 == 2 && w>>26&1 == 0
	off := int64(int32(w<<10)>>25) << pairScale(w)
	at := base.plus(off)
	mode, load := w>>23&3, w>>22&1 != 0
	if mode == 1 { // post-index
		at = base
	}
	if mode&1 != 0 {
		o.writeback(w, base.plus(off))
	}
	return !words || o.accessARM64(int(w&31), at, onStack, load) && o.accessARM64(int(w>>10&31), at.plus(8), onStack, load)
}

// singleARM64 is ldr and str with writeback.
func (o *wayOut) singleARM64(w uint32, base stackPlace, onStack bool) bool {
	off := int64(int32(w<<11) >> 23)
	at := base
	if w>>11&1 != 0 { // pre-index
		at = base.plus(off)
	}
	o.writeback(w, base.plus(off))
	return w>>30 != 3 || w>>26&1 != 0 || o.accessARM64(int(w&31), at, onStack, w>>22&3 == 1)
}

// writeback sets the base register of a load or store.
func (o *wayOut) writeback(w uint32, to stackPlace) {
	switch int(w >> 5 & 31) {
	case arm64SP:
		o.sp = to
	case arm64FP:
		o.fp = to
	}
}
