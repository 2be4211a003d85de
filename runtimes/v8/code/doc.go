// Package code reads the machine code of V8: the code objects of the heap, where the code of builtins lies, and which
// function of the embedder a callback runs. It finds the isolate that a thread has entered, too, as builtins do.
//
// The object chain: a program counter is in the embedded builtins, in a copy of them, or in executable memory without
// a file. There the word that is the map of a code object is looked for, back from the program counter. An
// InstructionStream leads to its Code, which has its size, its kind, and the data of the deoptimizer.
//
// Files: code.go (code objects), place.go (what a program counter is in), blobcopy.go (copies of the builtins),
// isolate.go, callback.go, refers.go (texts that instructions refer to).
//
// Upstream: objects/code.h, objects/instruction-stream.h, heap/code-range.cc, objects/templates.tq.
// Versions: V8 7.4 to 14.6.
//
// LIMITATIONS: the isolate of a thread is known only if the image has a symbol for it, and on Linux. The function of
// a callback that has neither a symbol nor a place in an image is not found.
package code
