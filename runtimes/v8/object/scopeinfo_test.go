package object

import (
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
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
			return []uint64{v8test.Smi(12), v8test.Smi(2 | function | inferred | outer | receiverOnStack),
				v8test.Smi(3), v8test.Smi(1),
				local, v8test.Smi(0), v8test.Smi(5), name, v8test.Smi(-1), guess, v8test.Smi(10), v8test.Smi(90), out}
		}},
		// objects/scope-info.tq @ 12.4
		"V8 12.4": {layout.Version{Major: 12, Minor: 4}, func(name, local, guess, out uint64) []uint64 {
			return []uint64{v8test.Smi(2 | function | inferred | outer | receiverOnStack), v8test.Smi(3), v8test.Smi(1),
				local, v8test.Smi(0), name, v8test.Smi(-1), guess, v8test.Smi(10), v8test.Smi(90), out}
		}},
		// objects/scope-info.tq @ 13.6: raw flags, positions in front; a
		// function is type 4.
		"V8 13.6": {v8test.Node24, func(name, local, guess, out uint64) []uint64 {
			return []uint64{4 | function | inferred | outer | receiverOnStack, v8test.Smi(3), v8test.Smi(1),
				v8test.Smi(10), v8test.Smi(90),
				local, v8test.Smi(0), name, v8test.Smi(-1), guess, out}
		}},
	} {
		t.Run(what, func(t *testing.T) {
			h := v8test.NewHeap(t, c.version)
			name, local, guess := h.Str("name"), h.Str("local"), h.Str("guess")
			out := h.Object("SCOPE_INFO", 0, 0, 0, 0, 0, 0)
			o := h.Object("SCOPE_INFO", c.words(uint64(name), uint64(local), uint64(guess), uint64(out))...)
			s, err := readerOf(h.Memory()).Objects.ScopeInfo(o)
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

// TestScopeInfoOfModule: a word with the number of module variables is in
// front of the locals; objects/scope-info.tq @ 13.6.
func TestScopeInfoOfModule(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	local := h.Str("local")
	o := h.Object("SCOPE_INFO", 5, v8test.Smi(0), v8test.Smi(1), v8test.Smi(0), v8test.Smi(7), v8test.Smi(2),
		uint64(local), v8test.Smi(0))
	s, err := readerOf(h.Memory()).Objects.ScopeInfo(o)
	if err != nil || len(s.ContextLocals) != 1 || s.ContextLocals[0] != local || s.End != 7 {
		t.Errorf("got %+v, %v", s, err)
	}
}

// TestScopeInfoHashed: from kScopeInfoMaxInlinedLocalNamesSize, 75, on, the names of context locals are in one
// table, and the words after them move up. Node 20 and 24 do this with 74, 75 and 76 locals
// (objects/scope-info.h: HasInlinedLocalNames is ContextLocalCount() < 75).
func TestScopeInfoHashed(t *testing.T) {
	for _, n := range []int{74, 75, 76} {
		h := v8test.NewHeap(t, v8test.Node24)
		name, out := h.Str("name"), h.Object("SCOPE_INFO", 0, 0, 0, 0, 0, 0)
		words := []uint64{1<<12 | 1<<22 | 4, v8test.Smi(0), v8test.Smi(n), v8test.Smi(10), v8test.Smi(90)}
		if n < 75 {
			for range n {
				words = append(words, uint64(name))
			}
		} else {
			table := []uint64{v8test.Smi(0), v8test.Smi(n), v8test.Smi(0), v8test.Smi(128)}
			for i := range 128 {
				key, index := uint64(out), v8test.Smi(-1) // an empty entry
				if i >= 128-n {
					key, index = uint64(name), v8test.Smi(127-i)
				}
				table = append(table, key, index)
			}
			words = append(words, uint64(h.Object("FIXED_ARRAY", table...)))
		}
		words = append(words, make([]uint64, n)...)
		words = append(words, uint64(name), v8test.Smi(1), uint64(out))
		o := h.Object("SCOPE_INFO", words...)
		s, err := readerOf(h.Memory()).Objects.ScopeInfo(o)
		if err != nil || s.FunctionName != name || len(s.ContextLocals) != n || s.ContextLocals[n-1] != name {
			t.Errorf("%d locals: %+v, %v", n, s, err)
		}
	}
}

func FuzzScopeInfo(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 4, 0x50, 0x40, 0}, uint8(0))
	f.Add([]byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f}, uint8(2))
	f.Fuzz(func(t *testing.T, junk []byte, version uint8) {
		versions := []layout.Version{v8test.Node24, {Major: 12, Minor: 4}, {Major: 8, Minor: 4}, {Major: 7, Minor: 8}}
		h := v8test.NewHeap(t, versions[int(version)%len(versions)])
		o := h.Object("SCOPE_INFO", make([]uint64, 1+len(junk)/8)...)
		copy(h.Bytes[o.Addr()+8-h.Base:], junk)
		s, err := readerOf(h.Memory()).Objects.ScopeInfo(o)
		if err == nil && len(s.ContextLocals) > len(junk)+4096 {
			t.Fatalf("%d locals out of %d bytes", len(s.ContextLocals), len(junk))
		}
	})
}
