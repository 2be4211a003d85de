package v8

import (
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// Where the variables of an image are not in the dump, the embedded builtins are found in its text by the
// padding between them, which is where their description says that they end
// (snapshot/embedded/embedded-data.cc: EmbeddedData::NewFromIsolate fills the code with 0xcc first).

const (
	paddingByte = 0xcc
	// padded is how many stretches of padding are looked at first.
	padded = 8
	// textChunk are the bytes of text that are searched at a time.
	textChunk = 16 << 20
)

// A gap is padding after a builtin, by where in the code it is.
type gap struct{ at, end int }

// blobByPadding returns where the embedded builtins of an image are, of which the constants and the text
// are there.
func (u *Undecoded) blobByPadding(t runtimes.Target) layout.Area {
	return u.blobBy(t, func(first, size core.Addr) (core.Addr, bool) {
		if size > maxBuiltinsSpan {
			return 0, false
		}
		return u.textWith(t, paddings(t, first, size), size)
	})
}

// paddings returns the gaps between the builtins whose description begins at first.
func paddings(t runtimes.Target, first, size core.Addr) (list []gap) {
	order := t.Process.Arch.Order
	var b [builtinEntry]byte
	metadata := uint32(0)
	for range maxBuiltins {
		if n, _ := peek(t.Process.Space, b[:], first); n < len(b) {
			break
		}
		first += builtinEntry
		at, n, own := order.Uint32(b[:]), order.Uint32(b[4:]), order.Uint32(b[8:])
		end := core.Addr(at) + core.Addr(n)
		if at%builtinAlign != 0 || own < metadata || end > size {
			break
		}
		metadata = own
		if next := end.Align(builtinAlign); next > end && next < size {
			list = append(list, gap{int(end), int(next)})
		}
	}
	return list
}

// textWith finds the only stretch of an image's text that has padding in all of the gaps.
func (u *Undecoded) textWith(t runtimes.Target, gaps []gap, size core.Addr) (found core.Addr, ok bool) {
	img := u.module.Facts().Image
	if len(gaps) < fewestBuiltins/2 || img == nil || !u.module.Facts().BiasKnown {
		return 0, false
	}
	buf := make([]byte, int(size)+textChunk)
	for _, s := range img.Segments() {
		if s.Prot&core.Exec == 0 {
			continue
		}
		start := core.Addr(s.Addr) + u.module.Facts().Bias
		end := start + core.Addr(s.FileSize)
		for at := start.Align(builtinAlign); at+size <= end; at += textChunk {
			n, _ := peek(t.Process.Space, buf[:min(core.Addr(len(buf)), end-at)], at)
			for i := 0; i+int(size) <= n && i < textChunk; i += builtinAlign {
				if !hasPadding(buf[i:], gaps[:padded]) || !hasPadding(buf[i:], gaps) {
					continue
				}
				if ok {
					return 0, false
				}
				found, ok = at+core.Addr(i), true
			}
		}
	}
	return found, ok
}

// hasPadding reports whether all gaps of the code that text begins with are padding.
func hasPadding(text []byte, gaps []gap) bool {
	for _, g := range gaps {
		for _, c := range text[g.at:g.end] {
			if c != paddingByte {
				return false
			}
		}
	}
	return true
}
