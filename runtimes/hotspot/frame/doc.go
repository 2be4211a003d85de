// Package frame lists the threads of HotSpot and walks their stacks: frames of the interpreter, of
// C1 and C2 code, of native wrappers and stubs, and entry frames by which C enters Java.
//
//	ThreadsSMRSupport::_java_thread_list → ThreadsList: _length JavaThreads at _threads; before JDK 10
//	  Threads::_thread_list and JavaThread._next
//	JavaThread._osthread → OSThread._thread_id: the kernel's id
//	JavaThread._anchor: JavaFrameAnchor: the last frame of Java before the thread called C; null while Java runs
//	an entry frame's JavaCallWrapper._anchor: the one before C called Java
//
// Frames of the interpreter are those of frame pointers (cpu/x86/frame_x86.hpp,
// cpu/aarch64/frame_aarch64.hpp; words from the frame pointer on):
//
//	 1 return address   0 frame pointer of the caller   -1 its stack pointer
//	-2 last_sp          -3 Method*                      -8 bytecode pointer, -7 before JDK 9, -9 on aarch64 since 20
//
// Frames of compiled code and most stubs have the size that their blob says, below it the return address and
// the frame pointer of the caller. A method that is to be deoptimised has its return address replaced; the
// old one is kept in the frame. The stub that C enters Java by has a JavaCallWrapper at
// frame::entry_frame_call_wrapper_offset, and on x86-64 the registers that C keeps at -7 to -11
// (cpu/x86/stubGenerator_x86_64.cpp).
//
// A virtual thread that no thread has mounted has its frames in chunks of the heap: VirtualThread.cont →
// Continuation.tail → jdk.internal.vm.StackChunk, .parent. They are as they were on the stack, but frames of
// the interpreter have distances for places: from the frame pointer for the caller's stack pointer, from its
// own place for the caller's frame pointer, all in words. A thread fetches the frames of a chunk a few at a
// time: the outermost of them returns to the return barrier, and a ContinuationEntry follows on the stack.
// Below that the carrier goes on.
//
// Files:
//
//	threads.go  threads
//	threadobject.go  what a thread is called; threads of the virtual machine's own
//	decoder.go  Decoder; what a frame of a machine stands for
//	unwind.go   the caller of a frame
//	interp.go   frames of the interpreter
//	variables.go  values of variables
//	frozen.go   frames in the heap
//	virtual.go  virtual threads
//
// Sources for virtual threads: share/runtime/{continuationFreezeThaw,continuationEntry}.cpp and .hpp,
// share/oops/stackChunkOop.hpp, java.base/java/lang/VirtualThread.java of JDK 21 and 25.
//
// LIMITATIONS. The frame of Continuation.enterSpecial is left out if frames of its thread are in the heap.
// Stubs in which a thread was interrupted, and compiled code on its way into or out of its frame, are left by
// their instructions.
package frame
