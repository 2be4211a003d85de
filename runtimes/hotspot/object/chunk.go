package object

import "coredbg/core"

// A Chunk is a jdk.internal.vm.StackChunk: frames of a continuation that no thread has on its stack.
type Chunk struct {
	Addr core.Addr
	// Stack is where the stack of the chunk begins, SP its innermost frame, and Bottom where its frames end.
	// There are no frames if SP is not below Bottom.
	Stack, SP, Bottom core.Addr
	// Parent is the chunk with the callers of its outermost frame; 0 if there is none.
	Parent core.Addr
}

// maxChunk bounds the words of a chunk's stack.
const maxChunk = 1 << 27

// Chunk returns the StackChunk at an address; ok is false if it is none or it cannot be read. Its stack
// follows its fields (share/oops/instanceStackChunkKlass.hpp of JDK 21 and 25). JDK 21 counts the words of
// stack arguments at the bottom, and two more if there are any; later releases have the bottom itself.
func (r *Reader) Chunk(at core.Addr) (c Chunk, ok bool) {
	o, err := r.Object(at)
	if err != nil || !o.Class.chunks {
		return c, false
	}
	size, ok1 := r.IntField(o, "size")
	sp, ok2 := r.IntField(o, "sp")
	bottom, ok3 := r.IntField(o, "bottom")
	if args, ok := r.IntField(o, "argsize"); ok && !ok3 {
		if bottom, ok3 = size-args, true; args > 0 {
			bottom -= metadataWords
		}
	}
	if !ok1 || !ok2 || !ok3 || size < 0 || size > maxChunk || sp < 0 || sp > size || bottom < 0 || bottom > size {
		return c, false
	}
	c.Addr, c.Stack = at, at+core.Addr(o.Class.size)
	c.SP, c.Bottom = c.Stack.Add(8*sp), c.Stack.Add(8*bottom)
	c.Parent, _ = r.RefField(o, "parent")
	return c, true
}

// metadataWords are the return address and the frame pointer between frames (frame::metadata_words).
const metadataWords = 2

// chunkSize returns the bytes of the StackChunk at an address: its fields, its stack, and a map with a bit
// for each place that can have a reference (InstanceStackChunkKlass::instance_size, ::bitmap_size_in_bits).
// It is 0 if that cannot be read.
func (r *Reader) chunkSize(k *Class, at core.Addr) uint64 {
	words, ok := r.IntField(Object{Addr: at, Class: k}, "size")
	if !ok || words < 0 || words > maxChunk {
		return 0
	}
	n := uint64(words)
	bits := n * 8 / r.RefSize()
	return k.size + 8*n + 8*((bits+63)/64)
}
