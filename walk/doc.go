// Package walk turns the registers of a dead thread into its frames. A walk
// asks a chain of unwinders in order; the first that does not decline finds the
// caller, and the frame says which one it was. A walk always ends, and says why.
//
// The chain: a signal trampoline, known by its instructions, by augmentation S of
// its frame description, or (macOS) by what the kernel has put above its frame,
// leads to the registers that the kernel saved; a managed runtime's unwinder knows
// its own frames; a call through a null or wild pointer is taken back; call frame
// information (walk/cfi, walk/compact) is followed as long as the registers it
// needs are known, but in an interrupted function whose information holds in the
// body only its instructions come first, as a return does before any information
// that disagrees with it; without it the function's instructions are: in an
// interrupted one those that lead to its return, with the link register where
// they do not show it, else those that lead there from its start, or, where that is
// not known, the rest of the function up to its return; then the frame-pointer
// chain or the ABI's back chain, whose records count also where no call precedes a return address if those
// further out bear them out. At last the stack is searched for return addresses:
// those first that the code they called confirms, then those whose call leads to the
// function, directly or by tail jumps and stubs; where a call is indirect, the frames
// beyond must bear it out, and else there is no caller. Registers that a step does
// not recover are unknown in the caller, never stale.
// Runtimes whose code has no such information find the caller of an interrupted frame
// with Leave, which follows the instructions with the frame's registers.
//
// What is found so is merged with the records that runtimes keep of their frames:
// the walk goes on with whichever is nearer on the stack, and ends where there is
// neither.
//
// What must be true of every caller is checked in one place: it lies further
// out on the stack (but for the frame below a signal handler, once, and the
// caller of a leaf), and it returns to executable memory. So loops and
// overwritten stacks end where they begin to lie.
//
// The rooms below, each of which names only those before it:
//
//	frame     what a frame is, how it was found, why a walk ended
//	cfi, compact, ehabi  what images say about the frames of functions, as rows
//	isa       what instructions say: where control goes, the frame of a function, the way out of one
//	isa/x86, isa/arm64, isa/m68k, isa/track  the processors; isa/sets which there are
//	kernel    what kernels leave on stacks and in registers
//	tables    the rows and functions of each module
//	site      the code of a process: what is known of each place, which calls lead where
//	leave     out of an interrupted function, with its registers
//	step      what the steps of one walk share: its stack, the records on that
//	signal    out of signal handlers
//	function  out of functions, by their tables and instructions
//	scan      by words of the stack that look like return addresses
//	chain     by the records that frames are linked by
//
// An unwinder sees a step.Walk, and by that a site.Text; it knows none of the chain but
// those that it falls back on. Here, above them, is what knows all: the order of the
// chain, what is checked of its answers, the records of runtimes.
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
