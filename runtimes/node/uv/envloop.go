package uv

import (
	"slices"

	"coredbg/core"
)

// A BaseObject leads to its Environment, from Node 20 on by way of its Realm (src/base_object.h, src/node_realm.h). The
// Environment has handles of its own in itself, such as that of the timers, which the loop has in its queue. So
// the loop is known where the image has no symbol for it and no object of JavaScript stands for a handle.

// Limits for the search.
const (
	maxEnvironments = 64      // that are looked at, or Realms
	maxEnvBytes     = 8 << 10 // of one, up to its handles
	maxRealmBytes   = 256     // of a Realm, up to the address of its Environment
)

// An envSearch looks for the loops of Environments.
type envSearch struct {
	*Reader
	seen map[core.Addr]bool
	buf  [maxEnvBytes]byte
}

// envLoops returns the loops of the Environments that the objects of C++ at bases belong to.
func (r *Reader) envLoops(bases []core.Addr) (list []core.Addr) {
	x := &envSearch{Reader: r, seen: map[core.Addr]bool{}}
	for _, base := range bases {
		owner, ok := r.Word(base + core.Addr(r.uv.BaseObject.PersistentHandle) + 8)
		if !ok || x.seen[core.Addr(owner)] {
			continue
		}
		if len(x.seen) == maxEnvironments {
			break
		}
		x.seen[core.Addr(owner)] = true
		if loop, ok := x.loopOf(core.Addr(owner)); ok && !slices.Contains(list, loop) {
			list = append(list, loop)
		}
	}
	return list
}

// loopOf returns the loop of the Environment at a, or of that of the Realm at a.
func (x *envSearch) loopOf(a core.Addr) (core.Addr, bool) {
	if loop, ok := x.handleIn(a); ok {
		return loop, true
	}
	for off := core.Addr(8); off < maxRealmBytes; off += 8 {
		env, ok := x.Word(a + off)
		if !ok {
			break
		}
		if loop, ok := x.handleIn(core.Addr(env)); ok {
			return loop, true
		}
	}
	return 0, false
}

// handleIn returns the loop of the first uv_handle_t in the object at a.
func (x *envSearch) handleIn(a core.Addr) (core.Addr, bool) {
	if a < core.TracePage || a&7 != 0 {
		return 0, false
	}
	n, _ := x.Space.ReadAt(x.buf[:], a)
	h := &x.uv.Handle
	for i := h.Loop; i+8 <= n; i += 8 {
		loop := core.Addr(x.Order.Uint64(x.buf[i:]))
		if loop == 0 || loop&7 != 0 {
			continue
		}
		at := a + core.Addr(i-h.Loop)
		if typ, ok := x.U32(at + core.Addr(h.Type)); !ok || typ == 0 || int(typ) >= len(handleTypes) {
			continue
		}
		if x.linked(at+core.Addr(h.Queue)) && x.linked(loop+core.Addr(x.uv.Loop.HandleQueue)) {
			if _, ok := x.loopAsync(loop); ok {
				return loop, true
			}
		}
	}
	return 0, false
}

// linked reports whether the neighbours of a node of a uv__queue link back to it.
func (x *envSearch) linked(a core.Addr) bool {
	next, ok1 := x.Word(a)
	prev, ok2 := x.Word(a + 8)
	if !ok1 || !ok2 || next == 0 || prev == 0 {
		return false
	}
	back, ok1 := x.Word(core.Addr(next) + 8)
	forth, ok2 := x.Word(core.Addr(prev))
	return ok1 && ok2 && core.Addr(back) == a && core.Addr(forth) == a
}
