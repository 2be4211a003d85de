package kernel

import "coredbg/core"

// Offsets and sizes in bytes in struct user_ucontext64 and the structs next to it.
const (
	MCSizeAt      = 40      // the offset of uc_mcsize
	MContextAt    = 48      // the offset of uc_mcontext64
	UContextSize  = 56      // of the struct
	SigInfoSize   = 104     // of user64_siginfo_t
	ExceptionSize = 16      // of the exception state before a thread state
	MaxMContext   = 8 << 10 // more than any machine context has
)

// slotsMacAMD64 are the words of the thread state, after an exception state.
var slotsMacAMD64 = []int{0, 3, 2, 1, 5, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

// ThreadStateOf returns the registers in the order of a thread state of macOS, as words after an
// exception state. It returns nil if p is from another system or its machine is not known.
func ThreadStateOf(p *core.Process) []int {
	switch {
	case p.OS != "darwin":
		return nil
	case p.Arch == core.AMD64:
		return slotsMacAMD64
	case p.Arch == core.ARM64:
		return trampolinesARM64[0].Slots
	}
	return nil
}
