package embedded

import (
	"encoding/binary"

	"coredbg/core"
)

// An area is a stretch of addresses.
type area struct{ start, end core.Addr }

const (
	// page is the least that memory is mapped by, in bytes.
	page = 4096
	// Overlap is how many bytes the chunks that EachConstant visits have in common: more than the
	// length of any text that is looked for.
	Overlap = 128
	// constantChunk are the bytes that are visited at a time.
	constantChunk = 1<<20 + Overlap
	// maxConstants is more than the bytes of any image that cannot be written: what a damaged
	// header says may be anything.
	maxConstants = 2 << 30
	// wordsChunk are the bytes that EachWord reads at a time.
	wordsChunk = 64 << 10
	// maxVariables is more than the bytes of any image that can be written.
	maxVariables = 1 << 30
)

// EachConstant calls do with the bytes of an image that cannot be written, in chunks
// that overlap. It reports whether they could be read.
func EachConstant(p *core.Process, m *core.Module, do func(at core.Addr, data []byte)) bool {
	return eachByte(p, constantParts(m), do)
}

// eachByte calls do with the bytes of areas, in chunks that overlap. It reports whether they could
// be read.
func eachByte(p *core.Process, areas []area, do func(at core.Addr, data []byte)) bool {
	whole := true
	var buf []byte
	left := core.Addr(maxConstants)
	for _, r := range areas {
		if r.start > r.end || r.end-r.start > left {
			return false
		}
		left -= r.end - r.start
		for at := r.start; at < r.end; {
			want := int(min(r.end-at, core.Addr(constantChunk)))
			if w := window(p.Space, at); len(w) >= want {
				do(at, w[:want:want])
				if at += core.Addr(want); at < r.end {
					at -= Overlap
				}
				continue
			}
			if buf == nil {
				buf = make([]byte, constantChunk)
			}
			n, next := Peek(p.Space, buf[:want], at)
			do(at, buf[:n])
			switch {
			case n == want && at+core.Addr(n) < r.end:
				at += core.Addr(n - Overlap)
			case n == want:
				at = r.end
			default:
				whole = false
				at = next
			}
		}
	}
	return whole
}

// window returns the unmodified bytes from a on that are at hand, untraced, or nil.
func window(s *core.Space, a core.Addr) []byte {
	g, ok := s.Resolve(a)
	if !ok || g.Src == nil {
		return nil
	}
	w, err := g.Src.Window(g.Off + int64(a-g.Start))
	if err != nil {
		return nil
	}
	return w[:min(uint64(len(w)), uint64(g.End-a))]
}

// Peek reads the bytes at a as Space.ReadAt does, but untraced: what is only searched is
// not what a copy of the process needs. After what it could not read, next is where to
// go on.
func Peek(s *core.Space, p []byte, a core.Addr) (n int, next core.Addr) {
	for n < len(p) {
		at := a + core.Addr(n)
		g, ok := s.Resolve(at)
		switch {
		case !ok:
			return n, at.Align(page) + page
		case g.Src == nil:
			return n, max(g.End, at+1)
		}
		w, err := g.Src.Window(g.Off + int64(at-g.Start))
		if err != nil || len(w) == 0 {
			return n, (at + 1).Align(page)
		}
		n += copy(p[n:], w[:min(uint64(len(w)), uint64(g.End-at))])
	}
	return n, a + core.Addr(n)
}

// constantParts returns where the image has bytes that cannot be written.
func constantParts(m *core.Module) []area {
	var out []area
	if img := m.Facts().Image; img != nil && m.Facts().BiasKnown {
		for _, s := range img.Segments() {
			if s.Prot&core.Write == 0 {
				out = append(out, area{start: core.Addr(s.Addr) + m.Facts().Bias, end: core.Addr(s.Addr+s.FileSize) +
					m.Facts().Bias})
			}
		}
	}
	if len(out) == 0 {
		out = append(out, area{m.Start, m.End})
	}
	return out
}

// constantsFirst returns the read-only parts of the image, with parts that are not executable first.
func constantsFirst(m *core.Module) []area {
	var text []area
	var out []area
	img := m.Facts().Image
	for _, a := range constantParts(m) {
		code := false
		if img != nil {
			for _, s := range img.Segments() {
				code = code || s.Prot&core.Exec != 0 && core.Addr(s.Addr)+m.Facts().Bias == a.start
			}
		}
		if code {
			text = append(text, a)
		} else {
			out = append(out, a)
		}
	}
	return append(out, text...)
}

// variableParts returns the writable parts of the image, including parts that start as zero.
func variableParts(m *core.Module) []area {
	var out []area
	if img := m.Facts().Image; img != nil && m.Facts().BiasKnown {
		for _, s := range img.Segments() {
			if s.Prot&core.Write != 0 {
				start := core.Addr(s.Addr) + m.Facts().Bias
				out = append(out, area{start: start.Align(8), end: start + core.Addr(min(s.MemSize, maxVariables))})
			}
		}
	}
	return out
}

// EachWord visits the words of a core, 8 bytes each, in memory that can be written, but zeros.
// The reads are not traced: a copy of the process need not have all that is searched.
func EachWord(space *core.Space, order binary.ByteOrder, visit func(at core.Addr, w uint64)) {
	buf := make([]byte, wordsChunk)
	for _, s := range space.Segments() {
		if s.Kind != core.SegCore || s.Prot&core.Write == 0 {
			continue
		}
		for at := s.Start; at < s.End && at >= s.Start; {
			if at = s.NextData(at) &^ 7; at >= s.End {
				break
			}
			want := min(s.End-at, core.Addr(len(buf)))
			n, next := Peek(space, buf[:want], at)
			for i := 0; i+8 <= n; i += 8 {
				if w := order.Uint64(buf[i:]); w != 0 {
					visit(at+core.Addr(i), w)
				}
			}
			if at += core.Addr(n); core.Addr(n) < want {
				at = next
			}
		}
	}
}
