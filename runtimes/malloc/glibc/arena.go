package glibc

import (
	"context"
	"path"
	"strings"

	"coredbg/core"
)

// Bounds of what is believed of arenas.
const (
	maxArenas   = 4096
	maxRings    = 1024     // places in a mapping that look like bins and may have a ring
	maxDataSize = 16 << 20 // bytes of data in which main_arena is looked for
)

// mainArena returns the address of main_arena, the data that it is in, and sets top.
func (l *layout) mainArena(ctx context.Context,
	p *core.Process) (at core.Addr, data core.Mapping, of *core.Module, ok bool) {
	for _, m := range p.Modules {
		if !m.Exe && !isLibc(m.Name()) {
			continue
		}
		for _, g := range p.Mappings {
			// The zeros after a module's data are a mapping without a name.
			near := g.Path == m.Path || g.Path == "" && g.Start >= m.Start && g.Start <= m.End
			if !near || g.Prot&core.Write == 0 || ctx.Err() != nil {
				continue
			}
			if at, ok := l.search(ctx, p, g); ok {
				return at, g, m, true
			}
		}
	}
	// Where the core lacks the beginning of the library, there is no module.
	for _, g := range p.Mappings {
		if isLibc(path.Base(g.Path)) && g.Prot&core.Write != 0 && p.Module(g.Start) == nil && ctx.Err() == nil {
			if at, ok := l.search(ctx, p, g); ok {
				return at, g, nil, true
			}
		}
	}
	return 0, core.Mapping{}, nil, false
}

// isLibc reports whether a file is the C library, by what releases have called it.
func isLibc(name string) bool {
	return strings.HasPrefix(name, "libc.so") || strings.HasPrefix(name, "libc-2") ||
		strings.HasPrefix(name, "libc_malloc_debug")
}

// search looks for a malloc_state in a mapping: two words that refer to the place of a chunk's header
// before them are an empty bin, and the first bin's place is that of top.
func (l *layout) search(ctx context.Context, p *core.Process, g core.Mapping) (core.Addr, bool) {
	data, _ := core.ReadBytes(p.Space, g.Start, min(uint64(g.End-g.Start), maxDataSize))
	w, rings := int(l.w), 0
	empty := func(i, bin int) bool {
		at := g.Start + core.Addr(i+2*w*bin)
		return l.word(data, i+2*w+2*w*bin) == at && l.word(data, i+3*w+2*w*bin) == at
	}
	for i := 0; i+int(l.nextAt())+5*w <= len(data) && rings < maxRings && ctx.Err() == nil; i += w {
		if !empty(i, 100) && !empty(i, 60) && !empty(i, 125) {
			continue
		}
		n := 0
		for bin := range bins {
			if empty(i, bin) {
				n++
			}
		}
		// The same words look like bins from every two words on: the ring shows which is first.
		if n < emptyBins || !l.plausible(l.word(data, i)) {
			continue
		}
		rings++
		if top, ok := l.ringed(p, g.Start+core.Addr(i)); ok {
			l.top, l.fast = top, 0
			l.fast = l.fastbins()
			return g.Start + core.Addr(i) - top, true
		}
	}
	return 0, false
}

// ringed returns the offset of top if what a top is said to be is in a ring.
func (l *layout) ringed(p *core.Process, at core.Addr) (core.Addr, bool) {
	for _, top := range l.topsAt() {
		if len(l.ring(p, at-top, top)) > 0 {
			return top, true
		}
	}
	return 0, false
}

// ring returns the beginnings of all arenas, main_arena's last; nil if they are in no ring.
func (l *layout) ring(p *core.Process, main, top core.Addr) []core.Addr {
	c := p.Cursor()
	var out []core.Addr
	at := main
	for len(out) < maxArenas && c.Reset() == nil {
		if at = c.Pointer(at + top + l.nextAt()); at == 0 || at%l.w != 0 {
			return nil
		}
		if out = append(out, at); at == main {
			return out
		}
	}
	return nil
}

// tell finds out whether an arena has attached_threads, which releases before 2.23 have not: a count is small,
// and what an arena has of the system is not.
func (l *layout) tell(p *core.Process, arena core.Addr) {
	c := p.Cursor()
	at := arena + l.top + l.nextAt() + afterRing*l.w
	first, second := c.Pointer(at), c.Pointer(at+l.w)
	l.sizes = l.nextAt() + (afterRing+1)*l.w
	if c.Err() == nil && first >= attachable && second >= first && first%pageSize == 0 {
		l.sizes -= l.w
	}
}

// system returns how much an arena says that it has of the system.
func (l *layout) system(c *core.Cursor, arena core.Addr) core.Addr {
	return c.Pointer(arena + l.top + l.sizes)
}
