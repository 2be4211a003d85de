package wait

import (
	"context"
	"strings"

	"coredbg/core"
	"coredbg/crash/kernel"
)

// Fields of glibc's pthread_barrier_t around its futex, in bytes (sysdeps/nptl/internaltypes.h). The
// number of threads that have come in all is before the futex, which counts the threads that have left
// with their round. The number that makes a round is after it, then the flag for use by other
// processes.
const (
	barrierCame   = -4
	barrierRound  = 4
	barrierShared = 8
)

// Fields of musl's pthread_barrier_t (src/thread/pthread_barrier_wait.c, src/internal/pthread_impl.h),
// in bytes: the number of threads that have to come in addition to the last one, with the sign if other
// processes may come; the number that have come then; and, in pointers, the instance on the stack of
// the first thread. This thread waits for the instance's last word to go on from 1, the others for its
// second one to become 1; the first counts them.
const (
	muslGateLimit    = 8
	muslGateCount    = 12
	muslGateInstance = 3 // in pointers
	muslLast         = 4
	muslFinished     = 12
	muslShared       = 1 << 31
)

// barrierReach bounds in bytes the memory that is searched for a barrier of musl.
const barrierReach = 512 << 20

// barriers finds barriers. It finds musl's by references to the place that their threads wait for,
// which it remembers.
type barriers struct {
	ctx    context.Context
	p      *core.Process
	firsts map[core.Addr]bool      // what may be instances: on the stack of a thread that waits for its end
	found  map[core.Addr]core.Addr // by the address of an instance
	left   uint64                  // bytes that may be searched still
}

// newBarriers takes all threads that wait, with their futexes.
func newBarriers(ctx context.Context, p *core.Process, all map[*core.Thread]kernel.Futex) *barriers {
	b := &barriers{ctx: ctx, p: p, firsts: map[core.Addr]bool{}, found: map[core.Addr]core.Addr{}, left: barrierReach}
	for t, f := range all {
		inst := f.At.Add(-muslFinished)
		if sp, ok := t.Regs.Get(p.Arch.SP); ok && inst >= core.Addr(sp) && inst < core.Addr(sp)+condStack {
			b.firsts[inst] = true
		}
	}
	return b
}

// of returns the barrier whose futex a thread waits for.
func (b *barriers) of(t *core.Thread, f kernel.Futex) (core.Addr, bool) {
	if at, ok := b.musl(t, f); ok {
		return at, true
	}
	c := b.p.Cursor()
	word, came, round, shared := c.U32(f.At), c.U32(f.At.Add(barrierCame)), c.U32(f.At.Add(barrierRound)),
		c.U32(f.At.Add(barrierShared))
	ok := c.Err() == nil && word == f.Val && came-word > 0 && came-word < round &&
		(shared == condPrivate || shared == condShared)
	return f.At.Add(barrierCame), ok
}

// musl does the same as of for musl.
func (b *barriers) musl(t *core.Thread, f kernel.Futex) (core.Addr, bool) {
	c := b.p.Cursor()
	word := c.U32(f.At)
	if c.Err() != nil || f.Op != kernel.FutexWait {
		return 0, false
	}
	if gate := f.At.Add(-muslGateCount); !f.Own { // of several processes
		limit := c.U32(gate + muslGateLimit)
		return gate, c.Err() == nil && limit&muslShared != 0 && f.Val > 0 && f.Val <= word && word <= limit&^muslShared
	}
	for _, w := range []struct {
		off int64
		val uint32
	}{{muslLast, 0}, {muslFinished, 1}} {
		if inst := f.At.Add(-w.off); f.Val == w.val && word == w.val && b.firsts[inst] {
			if at, ok := b.refersTo(t, inst); ok {
				return at, true
			}
		}
	}
	return 0, false
}

// isGate reports whether a barrier of musl is at an address whose instance is another.
func (b *barriers) isGate(at, inst core.Addr) bool {
	c := b.p.Cursor()
	lock, limit, came := c.U32(at), c.U32(at+muslGateLimit), c.U32(inst)
	instance := c.Pointer(at.Add(muslGateInstance * int64(b.p.Arch.PtrSize)))
	return c.Err() == nil && instance == inst && lock <= 1 && limit > 0 && limit&muslShared == 0 && came < limit
}

// refersTo returns the barrier that has an instance. A waiting thread may have its address at hand;
// otherwise memory is searched for the instance's address.
func (b *barriers) refersTo(t *core.Thread, inst core.Addr) (at core.Addr, ok bool) {
	if at, ok = b.found[inst]; ok {
		return at, at != 0
	}
	try := func(word core.Addr) bool {
		if word%4 == 0 && b.isGate(word, inst) {
			at, ok = word, true
		}
		return !ok
	}
	for i := range core.MaxRegs {
		if v, known := t.Regs.Get(i); known && !ok {
			try(core.Addr(v))
		}
	}
	if !ok {
		stackWords(b.p, t, func(_, word core.Addr) bool { return try(word) })
	}
	if !ok {
		gate := -muslGateInstance * int64(b.p.Arch.PtrSize)
		b.search(inst, func(place core.Addr) bool { return try(place.Add(gate)) })
	}
	b.found[inst] = at
	return at, ok
}

// search yields the places in memory that can be written where an address is, until yield
// returns false.
func (b *barriers) search(a core.Addr, yield func(place core.Addr) bool) {
	size := b.p.Arch.PtrSize
	for _, m := range b.p.Mappings {
		if m.Prot&core.Write == 0 || m.Dumped == 0 {
			continue
		}
		for at := m.Start; at < m.Start.Add(int64(m.Dumped)) && b.left > 0 && b.ctx.Err() == nil; {
			w, err := b.p.Space.Window(at)
			if err != nil || len(w) < size {
				break
			}
			w = w[:min(uint64(len(w)), b.left, uint64(m.End-at))]
			b.left -= uint64(len(w))
			for i := 0; i+size <= len(w); i += size {
				word := uint64(0)
				if size == 8 {
					word = b.p.Arch.Order.Uint64(w[i:])
				} else {
					word = uint64(b.p.Arch.Order.Uint32(w[i:]))
				}
				if core.Addr(word) == a && !yield(at.Add(int64(i))) {
					return
				}
			}
			at = at.Add(int64(len(w)))
		}
	}
}

// isBarrier reports whether a function of the C library, whose name begins at "pthread_", waits at a
// barrier.
func isBarrier(called string) bool { return strings.HasPrefix(called, "pthread_barrier_") }
