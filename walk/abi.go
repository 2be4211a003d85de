package walk

import "coredbg/core"

// An abi is what walking needs to know of an architecture beyond core.Arch:
// data, so that no unwinder asks for a name.
type abi struct {
	// call reports whether an instruction that ends after code is a call, and
	// of a direct one how far from there it goes. Code is up to callBytes bytes
	// before a return address.
	call func(code []byte) (to int64, direct, ok bool)
	// trampolines are the code sequences that return from signal handlers.
	trampolines []trampoline
	// record is set if the frame pointer points to a pair of the caller's
	// frame pointer and the return address.
	record bool
	// recordIsTop is set if the caller's stack pointer is right after that
	// pair; elsewhere it is unknown.
	recordIsTop bool
	// freeFP is set where code without frame records may keep anything in the register that
	// points to them: no null ends a chain.
	freeFP bool
	// chain is where frames are linked without a frame pointer; nil if they are not.
	chain *backChain
	// align is the alignment of such a pair in bytes.
	align core.Addr
	// mode are the low bits of a code address that say how to decode it.
	mode core.Addr
	// traps are signals that leave the program counter after the instruction
	// that raised them, which ends in code.
	traps []trap
	// cloning is how a thread that was just made looks; nil if that is not known.
	cloning *cloning
	// exits are instructions that end the thread with the status that a
	// function has returned, as C libraries have them in clone.
	exits [][]byte
	// prologue analyses a function up to the instruction at pc, following at
	// most so many instructions.
	prologue func(code []byte, pc, budget int) (frameShape, bool)
	// returns reports whether an instruction is a return, with the frame that is
	// left there.
	returns func(arch *core.Arch, code []byte) (frameShape, bool)
	// control says where control goes after the instruction that code begins with.
	control func(arch *core.Arch, code []byte) control
	// apply does to the way out of a function what an instruction does to the
	// stack, and reports whether the stack is known after it.
	apply func(o *wayOut, code []byte) bool
	// decide reports whether a conditional jump is taken, by the numbers and flags of
	// a way that has them; sure is false if they do not show it.
	decide func(o *wayOut, code []byte) (taken, sure bool)
	// setsLink reports whether an instruction changes the link register.
	setsLink func(code []byte) bool
	// slot returns where the pointer lies that the instruction at an offset of the
	// code at an address jumps by, if it is a stub's; else 0.
	slot func(p *core.Process, a core.Addr, code []byte, at int) core.Addr
	// callSlot returns what an indirect call before pc, which ends code, calls
	// if it is by a pointer that cannot have changed, else 0.
	callSlot func(p *core.Process, pc core.Addr, code []byte) core.Addr
	// begins reports whether code is what compilers put between functions or at
	// their start.
	begins func(code []byte) bool
	// entered recognises the first instructions of a function by the
	// bytes before and after an address.
	entered func(arch *core.Arch, before, after []byte) (frameShape, bool)
}

// A trap is a signal and the end of an instruction that raises it.
type trap struct {
	signal int
	code   []byte
}

// trapsX86 is int3 with SIGTRAP. trapsS390X are those program interruptions
// that complete or suppress the instruction, whichever it is: SIGILL, SIGTRAP,
// SIGFPE (z/Architecture Principles of Operation, "Program interruptions").
var (
	trapsX86   = []trap{{5, []byte{0xcc}}}
	trapsS390X = []trap{{4, nil}, {5, nil}, {8, nil}}
)

// callBytes is the length of the longest call instruction that abi.call knows.
const callBytes = 8

func abiOf(arch *core.Arch) *abi {
	switch arch {
	case core.AMD64:
		return &abi{call: callX86, trampolines: trampolinesAMD64, record: true, recordIsTop: true,
			align: 8, prologue: prologueAMD64, entered: enteredX86, returns: returnsX86, control: controlX86, apply: applyX86, decide: decideX86,
			callSlot: callSlotAMD64, begins: beginsX86, slot: stubSlotX86, traps: trapsX86, cloning: cloningAMD64,
			exits: [][]byte{
				{0x48, 0x89, 0xc7, 0xb8, 60, 0, 0, 0, 0x0f, 0x05}, // mov %rax,%rdi; mov $60,%eax; syscall
				{0x89, 0xc7, 0x31, 0xc0, 0xb0, 60, 0x0f, 0x05},    // mov %eax,%edi; xor %eax,%eax; mov $60,%al; syscall
				{0x89, 0xc7, 0xb8, 60, 0, 0, 0, 0x0f, 0x05},       // mov %eax,%edi; mov $60,%eax; syscall
			}}
	case core.I386:
		return &abi{call: callX86, trampolines: trampolinesI386, record: true, recordIsTop: true,
			align: 4, prologue: prologueI386, entered: enteredX86, returns: returnsX86, control: controlX86, apply: applyX86, decide: decideX86,
			begins: beginsX86, slot: stubSlotX86, traps: trapsX86,
			exits: [][]byte{
				{0x89, 0xc3, 0x31, 0xc0, 0x40, 0xcd, 0x80},                      // mov %eax,%ebx; xor %eax,%eax; inc %eax; int $0x80
				{0x89, 0xc3, 0xb8, 1, 0, 0, 0, 0x65, 0xff, 0x15, 0x10, 0, 0, 0}, // mov %eax,%ebx; mov $1,%eax; call *%gs:0x10
				{0x89, 0xc3, 0xb8, 1, 0, 0, 0, 0xcd, 0x80},                      // mov %eax,%ebx; mov $1,%eax; int $0x80
			}}
	case core.ARM64:
		return &abi{call: callARM64, trampolines: trampolinesARM64, record: true, align: 8,
			prologue: prologueARM64, returns: returnsARM64, control: controlARM64, apply: applyARM64, decide: decideARM64,
			setsLink: setsLinkARM64, begins: beginsARM64, slot: stubSlotARM64, cloning: cloningARM64,
			exits: [][]byte{{0xa8, 0x0b, 0x80, 0xd2, 0x01, 0, 0, 0xd4}}} // mov x8,#93; svc #0
	case core.ARM:
		// The mode bit is Thumb's. In Arm state r11 points to records, where
		// frame pointers are kept; Thumb code uses r7.
		return &abi{mode: 1, call: callARM, trampolines: trampolinesARM, record: true, freeFP: true, align: 4, returns: returnsARM,
			prologue: prologueARM}
	case core.PPC64LE, core.PPC64, core.PPC:
		a := &abi{call: callPPC(arch), trampolines: trampolinesPPC64LE, returns: returnsWord(0x4e800020), // blr
			chain: &backChain{link: 16}}
		switch arch {
		case core.PPC64:
			a.trampolines = trampolinesPPC64
		case core.PPC:
			a.trampolines, a.chain.link = trampolinesPPC, 4
		}
		return a.tracks(trackerPPC(arch))
	case core.S390X, core.S390:
		a := &abi{call: callS390, trampolines: trampolinesS390X, traps: trapsS390X, returns: returnsWord(0x07fe), // br %r14
			chain: &backChain{link: 112, optional: true}}
		if arch == core.S390 {
			a.trampolines, a.chain.link, a.mode = trampolinesS390, 56, 1<<31
		}
		return a.tracks(trackerS390(arch))
	case core.RISCV64:
		a := &abi{call: callRISCV, trampolines: trampolinesRISCV64, returns: returnsWord(0x00008067, 0x8082)} // ret, c.jr ra
		return a.tracks(trackerRISCV)
	case core.MIPS, core.MIPSEL, core.MIPSN32, core.MIPSN32EL, core.MIPS64, core.MIPS64EL:
		a := &abi{call: callMIPS(arch), trampolines: trampolinesMIPS(arch)}
		a.prologue = trackerMIPS(arch).prologue
		return a
	case core.M68K:
		return &abi{call: callM68K, prologue: prologueM68K, returns: returnsM68K}
	case core.SPARC64:
		return &abi{call: callSPARC}
	}
	return &abi{}
}

// callX86 knows the direct near call, and the indirect ones by the length of
// their operand: ff /2 with ModRM, SIB and displacement (Intel SDM volume 2,
// CALL). A prefix before them does not matter.
func callX86(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	for length := 2; length <= 7 && length <= n; length++ {
		c := code[n-length:]
		if c[0] == 0xff && c[1]>>3&7 == 2 && length == modRMLength(c[1:])+1 {
			return 0, false, true
		}
	}
	if n >= 5 && code[n-5] == 0xe8 {
		return signedLE(code[n-4:]), true, true
	}
	return 0, false, false
}

// callSlotAMD64 knows call *disp(%rip), by which code calls other images without a
// stub. The pointers are read-only once the image is loaded (RELRO).
func callSlotAMD64(p *core.Process, pc core.Addr, code []byte) core.Addr {
	n := len(code)
	if n < 6 || code[n-6] != 0xff || code[n-5] != 0x15 {
		return 0
	}
	slot := pc.Add(signedLE(code[n-4:]))
	if seg, ok := p.Space.Find(slot); !ok || seg.Prot&core.Write != 0 {
		return 0
	}
	c := p.Cursor()
	callee := c.Pointer(slot)
	if c.Reset() != nil {
		return 0
	}
	return callee
}

// modRMLength returns the length of an operand in 32- and 64-bit code: the
// ModRM byte, SIB and displacement; 0 if it is cut short.
func modRMLength(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	mod, rm := b[0]>>6, b[0]&7
	if mod == 3 {
		return 1
	}
	n := 1
	if rm == 4 {
		if len(b) < 2 {
			return 0
		}
		if mod == 0 && b[1]&7 == 5 {
			n += 4
		}
		n++
	}
	switch {
	case mod == 1:
		n++
	case mod == 2, mod == 0 && rm == 5:
		n += 4
	}
	return n
}

// callARM64 knows BL, BLR and the authenticating forms BLRAA, BLRAB, BLRAAZ,
// BLRABZ (Arm ARM C6.2).
func callARM64(code []byte) (to int64, direct, ok bool) {
	if len(code) < 4 {
		return 0, false, false
	}
	w := core.ARM64.Order.Uint32(code[len(code)-4:])
	if w>>26 == 0x25 {
		return int64(int32(w<<6)>>6)*4 - 4, true, true
	}
	return 0, false, w&0xfffffc1f == 0xd63f0000 || w&0xfefff800 == 0xd63f0800
}

// callARM knows BL, BLX of an address and BLX of a register, in Arm and in Thumb
// state (Arm ARM A8.8.25, A8.8.26). Which of them a return address belongs to is not
// kept: where the bytes are a call in both, or the call changes the state, it is not
// told where it leads.
func callARM(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	if n >= 4 {
		w := core.ARM.Order.Uint32(code[n-4:])
		arm := w>>24&0xf == 0xb && w>>28 != 0xf // bl
		first, second := w&0xffff, w>>16
		thumb := first>>11 == 0x1e && second>>14 == 3
		switch {
		case arm && !thumb:
			return int64(int32(w<<8)>>6) + 4, true, true
		case thumb && !arm && second>>12&1 != 0: // bl
			return thumbOffset(first, second), true, true
		case arm, thumb, w>>25 == 0x7d, w&0x0ffffff0 == 0x012fff30: // blx
			return 0, false, true
		}
	}
	return 0, false, n >= 2 && core.ARM.Order.Uint16(code[n-2:])&0xff87 == 0x4780
}

// thumbOffset is how far BL in Thumb state goes from the end of the instruction (encoding T1).
func thumbOffset(first, second uint32) int64 {
	s, j1, j2 := first>>10&1, second>>13&1, second>>11&1
	imm := s<<24 | (1^j1^s)<<23 | (1^j2^s)<<22 | first&0x3ff<<12 | second&0x7ff<<1
	return int64(int32(imm<<7) >> 7)
}
