package heap

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
	"coredbg/runtimes/v8/v8test"
)

// TestMaking: memory before an allocation area's top belongs to an unfinished object if a thread has its
// address, and is unknown otherwise.
func TestMaking(t *testing.T) {
	const before, lost, top, limit = 0x40, 0x60, 0xc0, 0x200 // offsets from the page
	for _, c := range []struct {
		name string
		at   core.Addr // where the area that was passed over ends
		reg  core.Addr
		want uint64
	}{
		{"its address in a register", top, lost + 1, top - lost},
		{"the address within it", top, lost + 9, top - lost},
		{"that of the object before it, whose length is not written", top, before + 1, top - lost},
		{"an address before it", top, before - 15, 0},
		{"the top", top, top, 0},
		{"no address of an object", top, lost + 2, 0},
		{"no area begins there", top - 8, lost + 1, 0},
	} {
		m := v8test.NewHeap(t, layout.V(13, 6))
		start := m.Alloc(limit)
		v := heapsOf(m.Memory())
		th := &core.Thread{}
		th.Regs.Set(0, uint64(start+c.reg))
		v.Process.Threads = []*core.Thread{th}
		h := &Snapshot{v: v.Heaps, Gaps: map[core.Addr]core.Addr{start + top: start + limit}}
		n := uint64(c.at - lost)
		found := []pageObjects{{
			addrs: []core.Addr{start, start + before},
			stats: page.Stats{Skipped: n, Resyncs: 1, BadMaps: 1, Losses: []page.Loss{{Addr: start + lost, Bytes: n}}},
		}}
		b := &builder{h, found}
		b.settleMaking()
		s := &found[0].stats
		if s.Making != c.want || s.Making+s.Skipped != n || s.Resyncs != s.BadMaps || s.Resyncs != len(s.Losses) {
			t.Errorf("%s: %+v, want %d bytes being made of %d", c.name, s, c.want, n)
		}
	}
}

// TestReturned: memory belongs to an area that a thread gives back if the thread has its address and its
// extent.
func TestReturned(t *testing.T) {
	const lost, size = 0x60, 0x1a0
	for _, c := range []struct {
		name string
		regs []core.Addr // of one thread each, two registers
		typ  string
		want uint64
	}{
		{"address and size", []core.Addr{lost, size}, "", size},
		{"address and end", []core.Addr{lost, lost + size}, "", size},
		{"address alone", []core.Addr{lost, 0}, "", 0},
		{"size alone", []core.Addr{lost + 8, size}, "", 0},
		{"of two threads", []core.Addr{lost, 0, 0, size}, "", 0},
		{"an object that is too long", []core.Addr{lost, size}, "FIXED_ARRAY_TYPE", 0},
	} {
		m := v8test.NewHeap(t, layout.V(13, 6))
		start := m.Alloc(lost + size)
		v := heapsOf(m.Memory())
		v.Process.Threads = nil
		for i, r := range c.regs {
			if i%2 == 0 {
				v.Process.Threads = append(v.Process.Threads, &core.Thread{})
			}
			if r != 0 && r != size {
				r += start
			}
			v.Process.Threads[i/2].Regs.Set(i%2, uint64(r))
		}
		h := &Snapshot{v: v.Heaps}
		found := []pageObjects{{stats: page.Stats{Skipped: size, Resyncs: 1, BadMaps: 1,
			Losses: []page.Loss{{Addr: start + lost, Bytes: size, Type: c.typ}}}}}
		b := &builder{h, found}
		b.settleReturned()
		s := &found[0].stats
		if s.Unused != c.want || s.Unused+s.Skipped != size || s.Resyncs != len(s.Losses) {
			t.Errorf("%s: %+v, want %d bytes given back", c.name, s, c.want)
		}
	}
}
