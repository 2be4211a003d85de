package golang

import (
	"bytes"
	"slices"

	"coredbg/core"
	"coredbg/runtimes"
)

// Bounds for a search of a program, in bytes: the size of a window, the overlap of windows, which is
// the size of the longest pattern, and the total.
const (
	windowSize = 1 << 20
	overlap    = 64
	maxSearch  = 1 << 30
)

// A process is a process that has Go's runtime, before the runtime's records are read.
type process struct {
	t      runtimes.Target
	module *core.Module // the program, or the library; nil if its file is not available
	abi    *abi         // nil for other architectures
}

// A span is a range of addresses.
type span struct{ start, end core.Addr }

// spans returns where the segments of the program are that pass, as far as they hold what can be read.
func (p process) spans(pass func(core.Prot) bool) (out []span) {
	f := p.module.Facts()
	if f.Image == nil || !f.BiasKnown {
		return nil
	}
	for _, s := range f.Image.Segments() {
		if start := core.Addr(s.Addr) + f.Bias; pass(s.Prot) && start+core.Addr(s.MemSize) > start {
			out = append(out, span{start, start + core.Addr(s.MemSize)})
		}
	}
	return out
}

// windows yields the readable bytes of spans, piece by piece, with their address. Pieces overlap.
func (p process) windows(spans []span, yield func(b []byte, at core.Addr)) {
	left, space := uint64(maxSearch), p.t.Process.Space.Untraced()
	var buf []byte
	for _, s := range spans {
		if n := int(min(s.end-s.start, windowSize)); n > len(buf) {
			buf = make([]byte, n)
		}
		for at := s.start; at < s.end && left > 0; {
			b := buf[:min(windowSize, uint64(s.end-at))]
			n, err := space.ReadAt(b, at)
			yield(b[:n], at)
			left -= min(left, uint64(n)+core.TracePage)
			switch {
			case err != nil: // goes on after the page that cannot be read
				at = (at+core.Addr(n))&^(core.TracePage-1) + core.TracePage
			case len(b) < windowSize:
				at = s.end
			default:
				at += windowSize - overlap
			}
		}
	}
}

// texts returns where the program has each of some texts, at most a few times.
func (p process) texts(all ...string) [][]core.Addr {
	const most = 64
	out := make([][]core.Addr, len(all))
	p.windows(p.spans(readable), func(b []byte, at core.Addr) {
		for i, text := range all {
			for from := 0; len(out[i]) < most; {
				k := bytes.Index(b[from:], []byte(text))
				if k < 0 {
					break
				}
				if a := at + core.Addr(from+k); !slices.Contains(out[i], a) {
					out[i] = append(out[i], a)
				}
				from += k + 1
			}
		}
	})
	return out
}

func readable(p core.Prot) bool { return p&core.Read != 0 }
func writable(p core.Prot) bool { return p&core.Write != 0 }

// references yields the addresses of the words of the program that are one of some values.
func (p process) references(values []core.Addr, yield func(at, value core.Addr)) {
	if len(values) == 0 {
		return
	}
	order, size := p.t.Process.Words()
	low, high := slices.Min(values), slices.Max(values)
	last := core.Addr(0) // what was yielded, which the next piece may have as well
	p.windows(p.spans(readable), func(b []byte, at core.Addr) {
		for skip := int(-at & core.Addr(size-1)); skip+size <= len(b); skip += size {
			var w core.Addr
			if size == 8 {
				w = core.Addr(order.Uint64(b[skip:]))
			} else {
				w = core.Addr(order.Uint32(b[skip:]))
			}
			if w < low || w > high || !slices.Contains(values, w) {
				continue
			}
			if a := at + core.Addr(skip); a > last || last-a > overlap {
				yield(a, w)
				last = a
			}
		}
	})
}

// global returns the address of one of the runtime's variables by its symbol, and its size.
func (p process) global(name string) (core.Addr, uint64, bool) {
	s, ok := p.t.Symbols.Exact(p.module, "runtime."+name)
	return s.Addr, s.Size, ok && s.Addr != 0
}
