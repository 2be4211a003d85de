package wait

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/kernel"
)

// TestBarriers: the place of a barrier by the futex that its threads wait for. The layouts are glibc
// 2.36's and musl 1.2.3's; the live set has more cores of both.
func TestBarriers(t *testing.T) {
	const data, stack, heap = 0x60000, 0x80000, 0x90000
	type word struct {
		at  core.Addr
		val uint32
	}
	first, other := kernel.Futex{At: stack + 0x10c, Val: 1, Own: true}, kernel.Futex{At: stack + 0x104, Own: true}
	// Four have to come in addition to the last one, two have.
	instance := []word{{stack + 0x100, 2}, {stack + 0x104, 0}, {stack + 0x108, 2}, {stack + 0x10c, 1}}
	musl := func(at core.Addr, ptr int, limit uint32, inst core.Addr) []word {
		return append([]word{{at + 8, limit}, {at.Add(int64(3 * ptr)), uint32(inst)}}, instance...)
	}
	glibc := []word{{data + 0x10, 3}, {data + 0x14, 0}, {data + 0x18, 5}, {data + 0x1c, 0}}
	for _, c := range []struct {
		name  string
		arch  *core.Arch
		words []word
		f     kernel.Futex
		want  core.Addr // 0 if it is not known
	}{
		{"glibc", core.AMD64, glibc, kernel.Futex{At: data + 0x14, Own: true}, data + 0x10},
		{"glibc, of several processes", core.AMD64, append(glibc, word{data + 0x1c, 128}),
			kernel.Futex{At: data + 0x14}, data + 0x10},
		{"glibc, all have come", core.AMD64, append(glibc, word{data + 0x10, 5}),
			kernel.Futex{At: data + 0x14, Own: true}, 0},
		{"glibc, no word of that is after it", core.AMD64, append(glibc, word{data + 0x1c, 7}),
			kernel.Futex{At: data + 0x14, Own: true}, 0},
		{"musl, the first", core.AMD64, musl(data+0x40, 8, 4, stack+0x100), first, data + 0x40},
		{"musl, another", core.AMD64, musl(data+0x40, 8, 4, stack+0x100), other, data + 0x40},
		{"musl, on the heap", core.AMD64, musl(heap+0x88, 8, 4, stack+0x100), other, heap + 0x88},
		{"musl, of 4 bytes", core.I386, musl(data+0x44, 4, 4, stack+0x100), first, data + 0x44},
		{"musl, nothing refers to it", core.AMD64, musl(data+0x40, 8, 4, stack+0x108), first, 0},
		{"musl, more have come than may", core.AMD64, musl(data+0x40, 8, 2, stack+0x100), first, 0},
		{"musl, it is locked by no number", core.AMD64,
			append(musl(data+0x40, 8, 4, stack+0x100), word{data + 0x40, 7}), first, 0},
		{"musl, it has gone on", core.AMD64, append(musl(data+0x40, 8, 4, stack+0x100), word{stack + 0x10c, 2}), first,
			0},
		{"musl, of several processes", core.AMD64, []word{{data + 0x48, 4 | 1<<31}, {data + 0x4c, 3}},
			kernel.Futex{At: data + 0x4c, Val: 2}, data + 0x40},
		{"musl, of several, with none", core.AMD64, []word{{data + 0x48, 4 | 1<<31}}, kernel.Futex{At: data + 0x4c}, 0},
	} {
		m := map[core.Addr][]byte{data: make([]byte, 0x1000), stack: make([]byte, 0x1000), heap: make([]byte, 0x1000)}
		for _, w := range c.words {
			binary.LittleEndian.PutUint32(m[w.at&^0xfff][w.at&0xfff:], w.val)
		}
		b := coretest.New(c.arch)
		for at, bytes := range m {
			b.MapProt(at, bytes, core.Read|core.Write)
		}
		sp := c.arch.RegNames[c.arch.SP]
		p := b.Thread(1, map[string]uint64{sp: stack + 0xc0}).Thread(2, map[string]uint64{sp: stack + 0xf00}).Process()
		waits := p.Threads[1]
		if c.f == first {
			waits = p.Threads[0]
		}
		all := map[*core.Thread]kernel.Futex{p.Threads[0]: first, waits: c.f}
		at, ok := newBarriers(t.Context(), p, all).of(waits, c.f)
		if ok != (c.want != 0) || ok && at != c.want {
			t.Errorf("%s: %v, %v; not %v", c.name, at, ok, c.want)
		}
	}
}
