package embedded

import (
	"coredbg/core"
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

// byPadding finds the only stretch of an image's text that has padding in all of the gaps.
func (d *description) byPadding(p *core.Process, m *core.Module) (found core.Addr, ok bool) {
	gaps := d.gaps()
	img := m.Facts().Image
	if len(gaps) < FewestBuiltins/2 || d.size > maxSpan || img == nil || !m.Facts().BiasKnown {
		return 0, false
	}
	buf := make([]byte, int(d.size)+textChunk)
	for _, s := range img.Segments() {
		if s.Prot&core.Exec == 0 {
			continue
		}
		start := core.Addr(s.Addr) + m.Facts().Bias
		end := start + core.Addr(s.FileSize)
		for at := start.Align(builtinAlign); at+d.size <= end; at += textChunk {
			n, _ := Peek(p.Space, buf[:min(core.Addr(len(buf)), end-at)], at)
			for i := 0; i+int(d.size) <= n && i < textChunk; i += builtinAlign {
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

// suits reports whether the code that d describes may begin at a: where its gaps can be read there is padding in
// them, and known says that some can be.
func (d *description) suits(p *core.Process, a core.Addr) (ok, known bool) {
	var b [maxGap]byte
	gaps := d.gaps()
	for i, g := range gaps {
		at, b := a+core.Addr(g.at), b[:min(g.end-g.at, maxGap)]
		n, _ := Peek(p.Space, b, at)
		if i < padded {
			n, _ = p.Space.ReadAt(b, at) // a copy of the process is to have it
		}
		if n == len(b) {
			known = true
			if !hasPadding(b, []gap{{0, n}}) {
				return false, true
			}
		}
	}
	return true, known
}

// gaps returns the gaps between the builtins that d describes.
func (d *description) gaps() (list []gap) {
	for _, e := range d.entries {
		end := e.end()
		if next := end.Align(builtinAlign); next > end && next < d.size {
			list = append(list, gap{int(end), int(next)})
		}
	}
	return list
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
