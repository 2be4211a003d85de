// Package frame decodes the threads of a runtime and their frames of every kind,
// and unwinds managed code.
//
// The object chain: a ThreadList holds the Threads; a Thread's ManagedStack is a chain of fragments, each a
// list of ShadowFrames or a run of quick frames that begins at a stack address and ends at a null ArtMethod. A
// quick frame begins with its ArtMethod, whose code or kind gives its size and its saved registers.
//
// Files:
//
//	frame.go         Decoder; the frames of the source that an activation stands for
//	thread.go        ThreadReader, Thread: an art::Thread
//	threadstate.go   art::ThreadState by version
//	tracefacts.go    what traces of ART print of a thread besides
//	managedstack.go  Fragment: ManagedStack
//	shadowframe.go   ShadowFrame: methods that the switch interpreter or mterp executes
//	quickframe.go    Activation: quick frames
//	nterp.go         frames of the nterp interpreter, and where its code is
//	isa.go           what frames save on each architecture
//	vregs.go         registers of dex code in a frame
//	roots.go         references that frames and handle scopes hold
//	unwind.go        the walk's unwinder of managed code
//	whatiscode.go    whose code an address is in
//
// Upstream: runtime/thread.h, thread_state.h, managed_stack.h, stack.h,
// runtime/interpreter/shadow_frame.h, runtime/nterp_helpers.cc,
// runtime/interpreter/mterp/*ng/main.S, runtime/arch/*/callee_save_frame_*.h of AOSP's art
// repository.
//
// Versions: as package layout. Checked against real processes: SDK 29, 30 and 34 built with libstdc++.
//
// LIMITATIONS: values in floating-point registers are not recovered. Where
// compiled code was interrupted away from a safepoint its line is the nearest
// that is known.
package frame
