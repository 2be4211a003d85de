package v8

import (
	"testing"

	"coredbg/runtimes/v8/layout"
)

func TestScopeInfo(t *testing.T) {
	const (
		function, inferred, outer = 1 << 12, 1 << 14, 1 << 22
		receiverOnStack           = 1 << 7
	)
	for what, c := range map[string]struct {
		version layout.Version
		words   func(name, local, guess, out uint64) []uint64
	}{
		// objects/scope-info.h @ 8.4: a FixedArray, so the length comes first;
		// the receiver has a slot.
		"V8 8.4": {layout.Version{Major: 8, Minor: 4}, func(name, local, guess, out uint64) []uint64 {
			return []uint64{smi(12), smi(2 | function | inferred | outer | receiverOnStack), smi(3), smi(1),
				local, smi(0), smi(5), name, smi(-1), guess, smi(10), smi(90), out}
		}},
		// objects/scope-info.tq @ 12.4
		"V8 12.4": {layout.Version{Major: 12, Minor: 4}, func(name, local, guess, out uint64) []uint64 {
			return []uint64{smi(2 | function | inferred | outer | receiverOnStack), smi(3), smi(1),
				local, smi(0), name, smi(-1), guess, smi(10), smi(90), out}
		}},
		// objects/scope-info.tq @ 13.6: raw flags, positions in front; a
		// function is type 4.
		"V8 13.6": {node24, func(name, local, guess, out uint64) []uint64 {
			return []uint64{4 | function | inferred | outer | receiverOnStack, smi(3), smi(1), smi(10), smi(90),
				local, smi(0), name, smi(-1), guess, out}
		}},
	} {
		t.Run(what, func(t *testing.T) {
			h := newHeap(t, c.version)
			name, local, guess := h.str("name"), h.str("local"), h.str("guess")
			out := h.object("SCOPE_INFO", 0, 0, 0, 0, 0, 0)
			o := h.object("SCOPE_INFO", c.words(uint64(name), uint64(local), uint64(guess), uint64(out))...)
			s, err := h.decoder().Objects.ScopeInfo(o)
			if err != nil {
				t.Fatal(err)
			}
			if s.FunctionName != name || s.InferredName != guess || s.Outer != out || s.Start != 10 || s.End != 90 ||
				s.Params != 3 || len(s.ContextLocals) != 1 || s.ContextLocals[0] != local {
				t.Errorf("got %+v", s)
			}
		})
	}
}

// TestScopeInfoOfModule: a word with the number of module variables stands in
// front of the locals; objects/scope-info.tq @ 13.6.
func TestScopeInfoOfModule(t *testing.T) {
	h := newHeap(t, node24)
	local := h.str("local")
	o := h.object("SCOPE_INFO", 5, smi(0), smi(1), smi(0), smi(7), smi(2), uint64(local), smi(0))
	s, err := h.decoder().Objects.ScopeInfo(o)
	if err != nil || len(s.ContextLocals) != 1 || s.ContextLocals[0] != local || s.End != 7 {
		t.Errorf("got %+v, %v", s, err)
	}
}

// TestScopeInfoHashed: from kScopeInfoMaxInlinedLocalNamesSize, 75, on the
// names of context locals are in one table, and what follows them moves up.
// With 74, 75 and 76 locals Node 20 and 24 do so (objects/scope-info.h:
// HasInlinedLocalNames is ContextLocalCount() < 75).
func TestScopeInfoHashed(t *testing.T) {
	for _, n := range []int{74, 75, 76} {
		h := newHeap(t, node24)
		name, out := h.str("name"), h.object("SCOPE_INFO", 0, 0, 0, 0, 0, 0)
		words := []uint64{1<<12 | 1<<22 | 4, smi(0), smi(n), smi(10), smi(90)}
		if n < 75 {
			for range n {
				words = append(words, uint64(name))
			}
		} else {
			table := []uint64{smi(0), smi(n), smi(0), smi(128)}
			for i := range 128 {
				key, index := uint64(out), smi(-1) // an empty entry
				if i >= 128-n {
					key, index = uint64(name), smi(127-i)
				}
				table = append(table, key, index)
			}
			words = append(words, uint64(h.object("FIXED_ARRAY", table...)))
		}
		words = append(words, make([]uint64, n)...)
		words = append(words, uint64(name), smi(1), uint64(out))
		o := h.object("SCOPE_INFO", words...)
		s, err := h.decoder().Objects.ScopeInfo(o)
		if err != nil || s.FunctionName != name || len(s.ContextLocals) != n || s.ContextLocals[n-1] != name {
			t.Errorf("%d locals: %+v, %v", n, s, err)
		}
	}
}

func FuzzScopeInfo(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 4, 0x50, 0x40, 0}, uint8(0))
	f.Add([]byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f}, uint8(2))
	f.Fuzz(func(t *testing.T, junk []byte, version uint8) {
		versions := []layout.Version{node24, {Major: 12, Minor: 4}, {Major: 8, Minor: 4}, {Major: 7, Minor: 8}}
		h := newHeap(t, versions[int(version)%len(versions)])
		o := h.object("SCOPE_INFO", make([]uint64, 1+len(junk)/8)...)
		copy(h.bytes[o.Addr()+8-h.base:], junk)
		s, err := h.decoder().Objects.ScopeInfo(o)
		if err == nil && len(s.ContextLocals) > len(junk)+4096 {
			t.Fatalf("%d locals out of %d bytes", len(s.ContextLocals), len(junk))
		}
	})
}
