package block

import (
	"regexp"
	"strings"

	"coredbg/core"
)

// Data returns the writable memory of modules: their data, and the zeros after it, which have no name.
func Data(p *core.Process) []core.Mapping {
	var out []core.Mapping
	for _, g := range p.Mappings {
		if g.Prot&core.Write != 0 && !strings.HasPrefix(g.Path, "[") && moduleOf(p, g) != nil {
			out = append(out, g)
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
	return moduleOf(p, g)
}

func moduleOf(p *core.Process, g core.Mapping) *core.Module {
	for _, m := range p.Modules {
		if g.Path == m.Path && g.Path != "" || g.Path == "" && g.Start >= m.Start && g.Start <= m.End {
			return m
		}
	}
	return nil
}

// maxConst bounds the bytes of a part of a module that Banner reads.
const maxConst = 64 << 20

// Banner returns the first group of an expression's first match in the memory of a module; "" if there is no match.
func Banner(p *core.Process, m *core.Module, banner *regexp.Regexp) string {
	if m == nil {
		return ""
	}
	for _, part := range m.Parts {
		data, _ := core.ReadBytes(p.Space, part.Start, min(uint64(part.End-part.Start), maxConst))
		if found := banner.FindSubmatch(data); found != nil {
			return string(found[1])
		}
	}
	return ""
}

// Windows calls visit for the whole words of a range that the core has, a window at a time, until it returns
// false. It returns how many bytes it passed that cannot be read.
func Windows(p *core.Process, from, to core.Addr, visit func(at core.Addr, b []byte) bool) (missing uint64) {
	_, n := p.Words()
	w := core.Addr(n)
	for from = from.Align(uint64(w)); from+w <= to; {
		b, err := p.Space.Window(from)
		if err != nil || core.Addr(len(b)) < w {
			next := min(past(p, from), to)
			if next <= from {
				break // the end of the address space
			}
			missing += uint64(next - from)
			from = next
			continue
		}
		b = b[:min(core.Addr(len(b)), to-from)&^(w-1)]
		if !visit(from, b) {
			break
		}
		from += core.Addr(len(b))
	}
	return missing
}

// Words calls visit for each word of a range that is in the core and is not zero, until it returns false.
func Words(p *core.Process, from, to core.Addr, visit func(at, v core.Addr) bool) {
	order, n := p.Words()
	Windows(p, from, to, func(at core.Addr, b []byte) bool {
		for i := 0; i < len(b); i += n {
			v := core.Addr(0)
			if n == 4 {
				v = core.Addr(order.Uint32(b[i:]))
			} else {
				v = core.Addr(order.Uint64(b[i:]))
			}
			if v != 0 && !visit(at+core.Addr(i), v) {
				return false
			}
		}
		return true
	})
}

const pageSize = 4096

// past returns where memory may be read again after an address where it cannot.
func past(p *core.Process, at core.Addr) core.Addr {
	next := (at + pageSize) &^ (pageSize - 1)
	g, ok := p.Space.Resolve(at)
	switch {
	case !ok:
		return next
	case g.Kind == core.SegGap:
		return g.End
	}
	return max(next, g.NextData(at))
}

// DataFrom returns the first address from at to end whose byte is in the core; end if there is none.
func DataFrom(p *core.Process, at, end core.Addr) core.Addr {
	for at < end {
		g, ok := p.Space.Resolve(at)
		if !ok {
			break
		}
		if g.Kind != core.SegGap {
			if next := g.NextData(at); next < g.End {
				return min(next, end)
			}
		}
		at = g.End
	}
	return end
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
