package abort

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes"
)

// The hook of a panic is given a PanicHookInfo (until Rust 1.80 a PanicInfo) by its address: the
// payload, which is a pointer to data and one to a vtable, and the Location, in an order that the
// compiler chooses; PanicInfo has the words' fmt::Arguments besides (library/std/src/panic.rs,
// library/core/src/panic/panic_info.rs). It is on the stack until the process ends.

// payloadAt are where the payload may be from the Location on, in words.
var payloadAt = []int{-2, 1, -3, 2}

// A vtable has the address of the function that drops a value, its size and alignment, and functions.
const (
	maxAlign   = 4096
	sizeOfStr  = 2 // words of a &str
	sizeOfText = 5 // words of a type with a String in it, at most
)

// panickedByShape returns the panic that ended a program without names.
func (f rustFinder) panickedByShape(ctx context.Context, c *runtimes.Crash) (runtimes.Cause, bool) {
	sp, ok := c.Thread.Regs.Get(f.p.Arch.SP)
	if !ok {
		return runtimes.Cause{}, false
	}
	cause := runtimes.Cause{Kind: runtimes.RustPanic, TID: c.Thread.TID, Note: shaped}
	w := f.stackWords(ctx, core.Addr(sp), core.Addr(sp)+maxStack)
	for i := range w {
		place, ok := f.place(w[i])
		if !ok {
			continue
		}
		for _, off := range payloadAt {
			j := i + off
			if j < 0 || j+1 >= len(w) {
				continue
			}
			size, ok := f.vtable(w[j+1])
			if !ok {
				continue
			}
			text, ok := f.payload(w[j], size)
			if ok {
				cause.At, cause.Message = place, text
				return cause, true
			}
			if cause.At == "" {
				cause.At = place
			}
		}
	}
	return cause, cause.At != ""
}

// vtable returns the size in bytes of the values whose vtable is at an address.
func (f rustFinder) vtable(at core.Addr) (size uint64, ok bool) {
	w := f.word()
	if m, ok := f.p.Mapping(at); !ok || m.Prot&core.Write != 0 || at%w != 0 {
		return 0, false
	}
	cur := f.p.Cursor()
	drop, size, align, first := cur.Pointer(at), cur.Word(at+w), cur.Word(at+2*w), cur.Pointer(at+3*w)
	ok = cur.Err() == nil && (drop == 0 || f.p.Executable(drop)) && size <= maxPanic && align > 0 &&
		align <= maxAlign && align&(align-1) == 0 &&
		size%align == 0 && f.p.Executable(first)
	return size, ok
}

// payload returns the text of a panic's value: a &str, a String, or a type that makes one of them.
func (f rustFinder) payload(at core.Addr, size uint64) (string, bool) {
	w := f.word()
	words := f.stackWords(context.Background(), at, at+core.Addr(min(size, uint64(sizeOfText*w))))
	if size == uint64(sizeOfStr*w) && len(words) == sizeOfStr {
		return f.text(words[0], uint64(words[1]), maxPanic)
	}
	for i := 0; i+3 <= len(words); i++ {
		if text, ok := f.owned(words[i : i+3]); ok {
			return text, true
		}
	}
	return "", false
}
