package frame

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
	"coredbg/walk"
)

// maxChunks bounds the chunks of one virtual thread.
const maxChunks = 1 << 12

// Chunks returns the chunks of a virtual thread that have frames, the chunk with the innermost frame first:
// VirtualThread.cont, Continuation.tail, StackChunk.parent.
func (d *Decoder) Chunks(virtual core.Addr) []object.Chunk {
	o, err := d.Object(virtual)
	if err != nil {
		return nil
	}
	at, _ := d.RefField(o, "cont")
	if o, err = d.Object(at); err != nil {
		return nil
	}
	return d.chunksOf(o)
}

// chunksOf is Chunks for a Continuation.
func (d *Decoder) chunksOf(o object.Object) (out []object.Chunk) {
	at, _ := d.RefField(o, "tail")
	for n := 0; at != 0 && n < maxChunks; n++ {
		c, ok := d.Chunk(at)
		if !ok {
			break
		}
		if c.SP+2*8 < c.Bottom {
			out = append(out, c)
		}
		at = c.Parent
	}
	return out
}

// top returns the innermost frame of a chunk. Its return address and the frame pointer of its caller are
// below its stack pointer, as they are for each other frame of a chunk
// (FreezeBase::set_top_frame_metadata_pd, stackChunkFrameStream.inline.hpp).
func (d *Decoder) top(c *object.Chunk) (walk.Frame, bool) {
	f, ok := d.linked(c.SP-16, c.SP)
	f.OtherStack = true
	return f, ok
}

// linked makes the frame of the stack pointer sp whose frame pointer and program counter are at an address of
// a chunk. A frame pointer of the interpreter is a distance from its own place, in words.
func (d *Decoder) linked(at, sp core.Addr) (f walk.Frame, ok bool) {
	c := d.Process.Cursor()
	fp, pc := c.Pointer(at), d.codeAddr(c.Pointer(at+8))
	if c.Err() != nil || pc == 0 {
		return f, false
	}
	if b := d.Find(pc - 1); b == nil {
		return f, false
	} else if b.Name == interpreter {
		fp = at.Add(8 * int64(fp))
	}
	return d.frame(fp, pc, sp), true
}

// frozen steps out of a frame that is in chunk n of a virtual thread. The outermost frame of a chunk is
// called by the innermost frame of its parent; the outermost frame of all has no caller.
func (d *Decoder) frozen(f *walk.Frame, chunks []object.Chunk, n int) *Activation {
	g := *f
	g.Point = walk.AfterCall
	q := d.activationIn(&g, &chunks[n])
	if q == nil || q.size == 0 {
		return q
	}
	if q.caller.SP+2*8 < chunks[n].Bottom {
		if q.caller.PC == 0 {
			q.size = 0
		}
		return q
	}
	q.caller, q.size, q.last = walk.Frame{}, 0, true
	if n+1 < len(chunks) {
		if top, ok := d.top(&chunks[n+1]); ok {
			q.caller, q.size, q.last = top, 8, false
		}
	}
	return q
}

// chunkOf returns the number of the chunk that a frame is in, -1 if it is in none.
func chunkOf(chunks []object.Chunk, f *walk.Frame) int {
	for i := range chunks {
		if f.SP >= chunks[i].Stack && f.SP < chunks[i].Bottom {
			return i
		}
	}
	return -1
}

// barrier reports whether frames that return to an address have the frames of a chunk as their callers: it is
// in the stubs of continuations, of which Java returns to the return barrier alone
// (StubRoutines::cont_returnBarrier).
func (d *Decoder) barrier(pc core.Addr) bool {
	b := d.Find(pc)
	return b != nil && strings.HasPrefix(b.Name, "StubRoutines") && strings.Contains(b.Name, "ontinuation")
}

// fetch makes the innermost frame of a chunk the caller of a frame that returns to the return barrier. Above
// that frame the stack has the ContinuationEntry, which names the continuation.
func (u *unwinder) fetch(q *Activation) {
	u.entry = q.caller.SP
	o, ok := u.d.continuation(u.entry)
	if !ok {
		q.size, q.Note = 0, "its callers are in the heap: the continuation is not known"
		return
	}
	u.chunks = u.d.chunksOf(o)
	if len(u.chunks) == 0 {
		u.carried(q)
		return
	}
	q.caller, _ = u.d.top(&u.chunks[0])
}

// entryWords is how many words of a ContinuationEntry are searched for its continuation
// (share/runtime/continuationEntry.hpp).
const entryWords = 4

// continuation returns the jdk.internal.vm.Continuation of a ContinuationEntry.
func (d *Decoder) continuation(entry core.Addr) (object.Object, bool) {
	c := d.Process.Cursor()
	for i := range int64(entryWords) {
		o, err := d.Object(c.Pointer(entry.Add(8 * i)))
		if err == nil && d.IsA(o.Class, continuationClass) {
			return o, true
		}
	}
	return object.Object{}, false
}

const continuationClass = "jdk.internal.vm.Continuation"

// carried makes the caller of the outermost frame of a virtual thread: where its carrier goes on, above the frame of
// Continuation.enterSpecial, whose code says how large that is.
func (u *unwinder) carried(q *Activation) {
	d := u.d
	q.size = 0
	o, ok := d.continuation(u.entry)
	if !ok {
		return
	}
	list := append([]*object.Class{o.Class}, d.Supers(o.Class)...)
	i := slices.IndexFunc(list, func(k *object.Class) bool { return k.Name == continuationClass })
	off, ok := d.Optional("Method._from_compiled_entry")
	if i < 0 || !ok {
		return
	}
	methods, _ := d.Methods(list[i])
	c := d.Process.Cursor()
	for _, m := range methods {
		if m.Name != "enterSpecial" {
			continue
		}
		b := d.Find(c.Pointer(m.Addr.Add(off)))
		if c.Err() != nil || b == nil || b.FrameSize < 16 {
			return
		}
		sp := u.entry + b.FrameSize
		q.caller = d.frame(c.Pointer(sp-16), d.codeAddr(c.Pointer(sp-8)), sp)
		q.caller.OtherStack = true
		if c.Err() == nil && d.Has(q.caller.PC) {
			q.size, q.last = 8, false
		}
		return
	}
}
