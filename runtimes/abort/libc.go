package abort

import (
	"strings"
	"unicode/utf8"

	"coredbg/core"
)

// maxMessage bounds a message in bytes.
const maxMessage = 4 << 10

// A libcFinder finds messages of C libraries.
type libcFinder struct{ reader }

// abortMessage returns what the C library was given to say before it raised
// SIGABRT, or "".
func (f libcFinder) abortMessage() string {
	if msg := f.glibcAbortMessage(); msg != "" {
		return msg
	}
	return bionicAbortMessage(f.p)
}

// glibcAbortMessage follows __abort_msg, a pointer to a length in 4 bytes and the
// text (assert/assert.c, sysdeps/posix/libc_fatal.c @ 2.36).
func (f libcFinder) glibcAbortMessage() string {
	y, ok := f.symbols.Find("", "__abort_msg")
	if !ok {
		return ""
	}
	c := f.p.Cursor()
	at := c.Pointer(y.Addr)
	if c.Err() != nil || at == 0 {
		return ""
	}
	n := c.U32(at)
	if c.Err() != nil || n < 4 {
		return ""
	}
	return strings.TrimSpace(c.Text(at+4, min(int(n), maxMessage)))
}

// isText reports whether a message can be what a library was given to say: it has no control
// characters but those of lines and of colours, and most of it is UTF-8.
func isText(msg string) bool {
	wrong := 0
	for _, r := range msg {
		switch {
		case r < ' ' && !strings.ContainsRune("\t\n\r\x1b", r):
			return false
		case r == utf8.RuneError:
			wrong++
		}
	}
	return 4*wrong <= len(msg)
}

// The words before a message of bionic, which has a mapping of its own; the
// length of all, as a size_t, and the text follow
// (libc/bionic/android_set_abort_message.cpp).
const (
	bionicMagic1 = 0xb18e40886ac388f0
	bionicMagic2 = 0xc6dfba755a1de0b5
)

func bionicAbortMessage(p *core.Process) string {
	for _, seg := range p.Space.Segments() {
		if seg.Kind != core.SegCore || seg.End-seg.Start < 64 {
			continue
		}
		c := p.Cursor()
		if c.U64(seg.Start) != bionicMagic1 || c.U64(seg.Start+8) != bionicMagic2 || c.Err() != nil {
			continue
		}
		head := core.Addr(16 + p.Arch.PtrSize)
		n := c.Word(seg.Start + 16)
		if c.Err() != nil || n <= uint64(head) {
			continue
		}
		if msg := c.Text(seg.Start+head, int(min(n-uint64(head), maxMessage))); msg != "" {
			return strings.TrimSpace(msg)
		}
	}
	return ""
}
