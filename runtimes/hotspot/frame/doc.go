// Package frame knows the threads of HotSpot and walks their stacks: frames of the interpreter, of code of C1 and C2, of
// wrappers of native methods, of stubs, and those by which C enters Java.
//
//	ThreadsSMRSupport::_java_thread_list → ThreadsList: _length JavaThreads at _threads; before JDK 10
//	  Threads::_thread_list and JavaThread._next
//	JavaThread._osthread → OSThread._thread_id: the kernel's id
//	JavaThread._anchor: JavaFrameAnchor: the last frame of Java before the thread called C; null while Java runs
//	an entry frame's JavaCallWrapper._anchor: the one before C called Java
//
// Frames of the interpreter are those of frame pointers (cpu/x86/frame_x86.hpp, cpu/aarch64/frame_aarch64.hpp; words from the
// frame pointer on):
//
//	 1 return address   0 frame pointer of the caller   -1 its stack pointer
//	-2 last_sp          -3 Method*                      -8 bytecode pointer, -7 before JDK 9, -9 on aarch64 since 20
//
// Frames of compiled code and most stubs have the size that their blob says, below it the return address and the frame
// pointer of the caller. A method that is to be deoptimised has its return address replaced; the old one is kept in the
// frame. The stub that C enters Java by has a JavaCallWrapper at frame::entry_frame_call_wrapper_offset, and on x86-64 the
// registers that C keeps at -7 to -11 (cpu/x86/stubGenerator_x86_64.cpp).
//
// Files:
//
//	threads.go  threads
//	threadobject.go  what a thread is called; threads of the virtual machine's own
//	decoder.go  Decoder; what a frame of a machine stands for
//	unwind.go   the caller of a frame
//	interp.go   frames of the interpreter
//
// LIMITATIONS. Virtual threads that no thread carries are not there. Stubs in which a thread was interrupted, and
// compiled code on its way into or out of its frame, are left by their instructions.
package frame
