package uv

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/v8test"
)

// TestEnvLoops: the loop is known by a handle in the Environment that an object of C++ leads to, with a Realm between
// and without; what is no handle of a loop's leads to none.
func TestEnvLoops(t *testing.T) {
	for name, c := range map[string]struct {
		realm bool
		typ   uint32
		cut   bool // the queue does not link back
		want  bool
	}{
		"environment": {typ: 13, want: true},
		"realm":       {realm: true, typ: 13, want: true},
		"no handle":   {typ: 99},
		"damaged":     {realm: true, typ: 13, cut: true},
	} {
		h := v8test.NewHeap(t, v8test.Node24)
		loop, timer, tcp := uvLoop(h)
		env, base, realm := h.Alloc(1024), h.Alloc(64), h.Alloc(maxRealmBytes)
		at := env + 0x200 // a timer of its own is in the queue of the loop
		h.Put(at+8, uint64(loop))
		h.Put32(at+16, c.typ)
		for i, ring := 0, []core.Addr{loop + 16, timer + 32, tcp + 32, at + 32}; i < len(ring); i++ {
			next := ring[(i+1)%len(ring)]
			h.Put(ring[i], uint64(next))
			h.Put(next+8, uint64(ring[i]))
		}
		if c.cut {
			h.Put(at+32, 0)
		}
		h.Put(realm+0x18, uint64(env))
		owner := env
		if c.realm {
			owner = realm
		}
		h.Put(base+16, uint64(owner))
		got := uvOf(h.Memory()).envLoops([]core.Addr{base, base, 1})
		if len(got) == 1 != c.want || c.want && got[0] != loop {
			t.Errorf("%s: %v, want %v", name, got, loop)
		}
	}
}
