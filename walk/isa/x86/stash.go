package x86

// A stash is a frame pointer on the stack; below is how far below the CFA it
// lies, 0 if there is none.
type stash struct {
	below int64
	fp    bool
	fpOff int64
}

// moveFP is mov of the frame pointer to or from memory.
func (w *flow) moveFP(f *frame, in *insn) {
	var below int64
	switch {
	case in.modrm&7 == 4 && in.sib == 0x24 && in.rex&3 == 0 && f.spKnown:
		below = f.sp - in.disp
	case in.modrm&7 == 5 && in.modrm >= 0x40 && in.rex&1 == 0 && f.fp:
		below = f.fpOff - in.disp
	}
	switch store := in.op == 0x89; {
	case store && below > 0:
		f.stash = stash{below, f.fp, f.fpOff}
		if !f.fp && f.saved[regBP] == 0 && below < 1<<30 {
			f.saved[regBP] = int32(below)
		}
	case store:
	case below > 0 && below == int64(f.saved[regBP]):
		f.fp, f.saved[regBP] = false, 0
	case below > 0 && below == f.stash.below:
		f.fp, f.fpOff = f.stash.fp, f.stash.fpOff
	default:
		f.fp = false
	}
}
