package pymalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Offsets in an arena_object.
const (
	arenaPools = 8  // pool_address: where the next new pool begins
	arenaFree  = 16 // nfreepools
	arenaTotal = 20 // ntotalpools
	arenaNext  = 32 // nextarena
	arenaSize  = 48
)

const (
	pools     = 64 // of an arena whose memory begins with a pool
	maxData   = 64 << 20
	maxArenas = 1 << 20
	addrBits  = 47 // of addresses of programs
)

// poolSizes are the sizes of pools: 16 KiB since 3.10, 4 KiB before.
var poolSizes = []core.Addr{16 << 10, 4 << 10}

// An arena is memory that is divided into pools.
type arena struct {
	start core.Addr
	next  core.Addr // where the next new pool begins
	index uint32    // in the array
	pool  core.Addr // bytes of a pool
	total uint32    // pools
}

func (a *arena) end() core.Addr { return a.start + pools*a.pool }

// first returns where the first pool begins.
func (a *arena) first() core.Addr { return a.start.Align(uint64(a.pool)) }

// arenasOf returns the array of arena_objects that the data of a module leads to, and the arenas in order of address.
func arenasOf(ctx context.Context, p *core.Process, m *core.Module) (at core.Addr, found []arena) {
	c := p.Cursor()
	n := 0
	for _, g := range block.Data(p) {
		if block.ModuleOf(p, g.Start) != m {
			continue
		}
		block.Words(p, g.Start, min(g.End, g.Start+maxData), func(_, v core.Addr) bool {
			if n++; n&4095 == 0 && ctx.Err() != nil {
				return false
			}
			if v%16 == 0 && v>>addrBits == 0 && v > 1<<16 {
				at, found = v, array(ctx, p, c, v)
			}
			return len(found) == 0
		})
		if len(found) > 0 {
			break
		}
	}
	return at, block.Separate(found, func(a arena) block.Span { return block.Span{Start: a.start, End: a.end()} })
}

// array returns the arenas of an array of arena_objects. It has at least one, and a pool of one bears it out.
func array(ctx context.Context, p *core.Process, c *core.Cursor, at core.Addr) []arena {
	var out []arena
	proven := false
	for i := range uint32(maxArenas) {
		if i&1023 == 0 && ctx.Err() != nil {
			return nil
		}
		a, used, ok := arenaAt(p, c, at+core.Addr(i)*arenaSize, i)
		if !ok || i >= 16 && len(out) == 0 {
			break
		}
		if used {
			out = append(out, a)
			proven = proven || bornOut(c, &a)
		}
	}
	c.Reset()
	if !proven {
		return nil
	}
	return out
}

// arenaAt reads an arena_object, with its number in the array. One that is not used has no memory.
func arenaAt(p *core.Process, c *core.Cursor, at core.Addr, i uint32) (a arena, used, ok bool) {
	start, next := c.Pointer(at), c.Pointer(at+arenaPools)
	free, total, link := c.U32(at+arenaFree), c.U32(at+arenaTotal), c.Pointer(at+arenaNext)
	switch {
	case c.Reset() != nil || link%8 != 0 || link>>addrBits != 0:
		return a, false, false
	case start == 0:
		return a, false, true
	case start%4096 != 0 || start>>addrBits != 0 || total != pools && total != pools-1 || free > total || next < start:
		return a, false, false
	}
	for _, size := range poolSizes {
		a = arena{start: start, next: next, index: i, pool: size, total: total}
		if next <= a.end() && next%size == 0 && (total == pools) == (start%size == 0) &&
			block.Mapped(p, start, a.end()) && a.headers(c) {
			return a, true, true
		}
	}
	return a, false, false
}

// headers reports whether the first pool of an arena has a header that fits; an arena without pools fits.
func (a *arena) headers(c *core.Cursor) bool {
	if a.next == a.first() {
		return true
	}
	_, ok := poolAt(c, a, a.first())
	return ok
}

// bornOut reports whether an arena has a pool, whose header has the number of the arena.
func bornOut(c *core.Cursor, a *arena) bool {
	x, ok := poolAt(c, a, a.first())
	return ok && a.next > a.first() && x.arena == a.index
}
