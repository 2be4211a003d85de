// Package walk turns the registers of a dead thread into its frames. A walk
// asks a chain of unwinders in order; the first that does not decline finds the
// caller, and the frame says which one it was. A walk always ends, and says why.
//
// The chain, in order:
//
//   - A signal trampoline leads to the registers that the kernel saved. It is known by its
//     instructions, by augmentation S of its frame description, or (macOS) by the kernel's data
//     above its frame.
//   - A managed runtime's unwinder knows its own frames.
//   - A call through a null or wild pointer is taken back.
//   - Call frame information (walk/cfi, walk/compact) is followed as long as the registers it
//     needs are known. In an interrupted function whose information holds in the body only, its
//     instructions come first, as does a return that the information disagrees with.
//   - The function's instructions come next: in an interrupted function the ones that lead to its
//     return, with the link register if they do not show it; else the ones from its start, or, if
//     the start is not known, the rest of the function up to its return.
//   - The frame-pointer chain or the ABI's back chain follows. Its records count also where no call
//     precedes a return address, if records further out corroborate them.
//   - At last the stack is searched for return addresses: first for addresses that the called code
//     confirms, then for addresses whose call leads to the function, directly or by tail jumps and
//     stubs. If a call is indirect, the frames beyond must corroborate it, and otherwise there is no
//     caller.
//
// Registers that a step does not recover are unknown in the caller, never stale. Runtimes whose code
// has no such information find the caller of an interrupted frame with Leave, which follows the
// instructions with the frame's registers.
//
// The frames so found are merged with the records that runtimes keep of their frames. The walk goes on
// with whichever is nearer on the stack, and ends where there is neither.
//
// One place checks the requirements for every caller: it is further out on the stack, and it returns to
// executable memory. The frame below a signal handler is exempt from the first, once, as is the caller
// of a leaf. So walks end where loops and overwritten stacks begin to lie.
//
// The rooms below, each of which imports only earlier ones:
//
//	frame     what a frame is, how it was found, why a walk ended
//	cfi, compact, ehabi  what images say about the frames of functions, as rows
//	isa       what instructions say: where control goes, the frame of a function, the way out of one
//	isa/x86, isa/arm64, isa/m68k, isa/track  the processors; isa/sets  their list
//	kernel    what kernels leave on stacks and in registers
//	tables    the rows and functions of each module
//	site      the code of a process: facts about each place, the targets of calls
//	leave     out of an interrupted function, with its registers
//	step      what the steps of one walk share: its stack, the records on that
//	signal    out of signal handlers
//	function  out of functions, by their tables and instructions
//	scan      by words of the stack that look like return addresses
//	chain     by the records that frames are linked by
//
// An unwinder sees a step.Walk, and through it a site.Text. It knows only the unwinders that it falls
// back on. This package knows all of them: it has the order of the chain, the checks of its answers,
// and the records of runtimes.
//
// Files:
//
//	target.go   Target, a process whose stacks are walked; what it can be given
//	walk.go     Walk and its like; the chain of unwinders; what must be true of a caller
//	merge.go    what the records of runtimes have around a step
//	probe.go    whether what lies beyond a frame bears it out
//	lost.go     why nothing found a caller; the first function of a coroutine
//	entered.go  calls that were half done
//	context.go  registers in a ucontext_t
//	frame.go    names of the rooms below for who walks; Leave
//
// Facts are from the System V ABI for x86-64 and i386, the AAPCS64, the Intel
// and Arm manuals for instructions, and Linux for signal frames (each named
// where it is used). x86-64, i386 and aarch64 have everything; 32-bit Arm, riscv64,
// ppc, ppc64, s390, s390x and mips have instructions up to where a frame is (isa/track), Arm
// exception tables (walk/ehabi) as well, PowerPC and s390 the back chain, sparc64 its windows; other architectures
// have call frame information, calls through wild pointers, and the link register.
//
// LIMITATIONS. Stacks in pieces (-fsplit-stack) end at the first piece.
// Instructions are followed along direct jumps only; a function that jumps
// through a table is taken to have the frame there that most of its calls are
// made in, unless it was interrupted on its way out. On aarch64 and Arm a frame
// pointer step leaves the stack pointer unknown where no frame description says
// it.
package walk
