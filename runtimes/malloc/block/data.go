package block

import (
	"strings"

	"coredbg/core"
)

// Data returns the writable memory of modules: their data, and the zeros after it, which have no name.
func Data(p *core.Process) []core.Mapping {
	var out []core.Mapping
	for _, g := range p.Mappings {
		if g.Prot&core.Write == 0 || strings.HasPrefix(g.Path, "[") {
			continue
		}
		for _, m := range p.Modules {
			if g.Path == m.Path && g.Path != "" || g.Path == "" && g.Start >= m.Start && g.Start <= m.End {
				out = append(out, g)
				break
			}
		}
	}
	return out
}

// ModuleOf returns the module whose data holds an address; nil if there is none.
func ModuleOf(p *core.Process, a core.Addr) *core.Module {
	g, ok := p.Mapping(a)
	if !ok {
		return nil
	}
	for _, m := range p.Modules {
		if g.Path == m.Path && g.Path != "" || g.Path == "" && g.Start >= m.Start && g.Start <= m.End {
			return m
		}
	}
	return nil
}

// Words calls visit for each word of a range that is in the core and is not zero, until it returns false.
func Words(p *core.Process, from, to core.Addr, visit func(at, v core.Addr) bool) {
	order, n := p.Words()
	w := core.Addr(n)
	for from = from.Align(uint64(w)); from+w <= to; {
		b, err := p.Space.Window(from)
		if err != nil || core.Addr(len(b)) < w {
			from = pastGap(p, from)
			continue
		}
		if core.Addr(len(b)) > to-from {
			b = b[:to-from]
		}
		for i := 0; i+n <= len(b); i += n {
			v := core.Addr(0)
			if n == 4 {
				v = core.Addr(order.Uint32(b[i:]))
			} else {
				v = core.Addr(order.Uint64(b[i:]))
			}
			if v != 0 && !visit(from+core.Addr(i), v) {
				return
			}
		}
		from += core.Addr(len(b)) &^ (w - 1)
	}
}

const pageSize = 4096

// pastGap returns where memory may be read again, after a place where it cannot.
func pastGap(p *core.Process, at core.Addr) core.Addr {
	next := (at + pageSize) &^ (pageSize - 1)
	g, ok := p.Space.Resolve(at)
	switch {
	case !ok:
		return next
	case g.Kind == core.SegGap && g.End > at:
		return g.End
	case g.Kind == core.SegCore && g.Src != nil && g.End > next:
		off := g.Off + int64(at-g.Start)
		if start, _ := core.SourceData(g.Src, off); start > off {
			return max(next, min(g.End, at+core.Addr(start-off)))
		}
	}
	return next
}

// Mapped reports whether the process has mapped a whole range of memory.
func Mapped(p *core.Process, from, to core.Addr) bool {
	for from < to {
		m, ok := p.Mapping(from)
		if !ok {
			return false
		}
		from = m.End
	}
	return true
}
