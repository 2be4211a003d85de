package abort

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
)

// A stripped program has no names for the functions of Rust's library, nor for any function that was
// linked statically. The data that such functions leave are known by their shape.

// namelessFrames is how many frames from the top are looked at for functions without names.
const namelessFrames = 8

// nameless reports whether functions near the top of the stack have no names.
func nameless(c *runtimes.Crash) bool {
	for i := range c.Frames[:min(len(c.Frames), namelessFrames)] {
		if c.Frames[i].Function == "" && c.Frames[i].PC != 0 {
			return true
		}
	}
	return false
}

// shaped is the note of a cause that was found so.
const shaped = "found by its shape: the functions have no names"

// terminated reports whether a handler of std::terminate has aborted: its code has the words that it
// writes (libstdc++-v3/libsupc++/vterminate.cc, libcxxabi/src/cxa_default_handlers.cpp).
func (f cxxFinder) terminated(c *runtimes.Crash) bool {
	for i := range c.Frames[:min(len(c.Frames), namelessFrames)] {
		if c.Frames[i].Function == "" && f.refersTo(c.Frames[i].PC, "terminate called ", "  what():  ",
			"terminating due to ", "terminating with ") {
			return true
		}
	}
	return false
}

// tlsReach is how far from the thread pointer thread-local memory is searched, in bytes.
const tlsReach = 16 << 10

// inTLS returns the last exception that a thread has begun to handle, by the words of its thread-local
// memory: a __cxa_eh_globals begins with the address of that exception's header.
func (f cxxFinder) inTLS(t *core.Thread) (exception, bool) {
	w := f.word()
	if t.TLS < tlsReach {
		return exception{}, false
	}
	cur := f.p.Cursor()
	for off := core.Addr(0); off < tlsReach; off += w {
		for _, at := range []core.Addr{t.TLS - w - off, t.TLS + off} {
			v := cur.Pointer(at)
			if cur.Reset() != nil || v%w != 0 || !f.onHeap(v) {
				continue
			}
			if x, ok := f.header(v); ok {
				return x, true
			}
		}
	}
	return exception{}, false
}

// maxData is how much of a module's data is searched for a pointer, in bytes.
const maxData = 16 << 20

// glibcByShape returns the message of an abort of glibc whose __abort_msg has no name: data of the
// C library or of the program refer to pages of their own that begin with their length, and have
// the text, and zeros (sysdeps/posix/libc_fatal.c, struct abort_msg_s).
func (f libcFinder) glibcByShape() string {
	if f.p.Arch.Order != binary.LittleEndian || f.p.Arch.PtrSize != 8 {
		return ""
	}
	seen := map[core.Addr]bool{}
	for _, m := range f.p.Modules {
		if !m.Exe && !strings.HasPrefix(m.Name(), "libc") {
			continue
		}
		for _, g := range f.p.Mappings {
			near := g.Path == m.Path || g.Path == "" && g.Start >= m.Start && g.Start <= m.End
			if !near || g.Prot&core.Write == 0 {
				continue
			}
			data, _ := core.ReadBytes(f.p.Space, g.Start, min(uint64(g.End-g.Start), maxData))
			for ; len(data) >= 8; data = data[8:] {
				at := core.Addr(binary.LittleEndian.Uint64(data))
				if at%4096 != 0 || at == 0 || seen[at] {
					continue
				}
				seen[at] = true
				if msg := f.abortPage(at); msg != "" {
					return msg
				}
			}
		}
	}
	return ""
}

// abortPage returns the text of an abort_msg_s at an address, "" if there is none.
func (f libcFinder) abortPage(at core.Addr) string {
	m, ok := f.p.Mapping(at)
	if !ok || m.Path != "" || m.Prot&core.Write == 0 {
		return ""
	}
	cur := f.p.Cursor()
	n := cur.U32(at)
	if cur.Err() != nil || n == 0 || n%4096 != 0 || uint64(n) > uint64(m.End-at) {
		return ""
	}
	msg := cur.CString(at+4, min(int(n)-4, maxMessage))
	rest, err := core.ReadBytes(f.p.Space, at+4+core.Addr(len(msg)), min(uint64(n)-4-uint64(len(msg)), 64))
	if err != nil || len(msg) < 4 || !isText(msg) || len(bytes.Trim(rest, "\x00")) > 0 {
		return ""
	}
	return strings.TrimSpace(msg)
}

// belowStack is how far below the stack pointer the remains of a call are searched, in bytes.
const belowStack = 2 << 10

// leftBelow is the note of a cause that was found there.
const leftBelow = "found in the remains of a call, below the stack"

// muslWords is what musl's assert writes (src/exit/assert.c @ 1.2.3).
var muslWords = regexp.MustCompile(`Assertion failed: [^\x00-\x1f]+ \([^\x00-\x1f]*: [^\x00-\x1f]*: \d+\)\n`)

// muslAssertion returns the words of musl's assert, which keeps no copy: standard error has no buffer, and so vfprintf
// has one on its stack, of 80 bytes (src/stdio/vfprintf.c). The call is over when abort is called, and the
// words are below the stack. Longer ones are lost.
func (f libcFinder) muslAssertion(c *runtimes.Crash) string {
	if len(c.Frames) == 0 {
		return ""
	}
	sp := c.Frames[0].SP
	stack, ok := f.p.Space.Find(sp)
	if !ok {
		return ""
	}
	from := max(stack.Start, sp-min(sp, belowStack))
	b, err := core.ReadBytes(f.p.Space, from, uint64(sp-from))
	if err != nil {
		return ""
	}
	said := muslWords.FindAll(b, -1)
	if len(said) == 0 {
		return ""
	}
	return strings.TrimSpace(string(said[len(said)-1]))
}
