package deno

import (
	"maps"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/v8test"
)

// TestNumberSet reads sets as hashbrown 0.14 lays them out: numbers before the control bytes, the
// last nearest.
func TestNumberSet(t *testing.T) {
	const empty, gone = emptySlot, goneSlot
	e8 := []byte{empty, empty, empty, empty, empty, empty, empty, empty}
	tests := map[string]struct {
		states      []byte
		numbers     map[int]uint32 // by bucket
		left, items uint64
		want        []int // nil if it is none
	}{
		"two":                {e8, map[int]uint32{1: 1, 6: 14}, 5, 2, []int{1, 14}},
		"in the next places": {e8, map[int]uint32{7: 7, 0: 15}, 5, 2, []int{7, 15}},
		"one was taken out": {[]byte{empty, gone, empty, empty, empty, empty, empty, empty}, map[int]uint32{2: 2},
			5, 1, []int{2}},
		"none any more":        {e8, nil, 7, 0, []int{}},
		"fewer than it counts": {e8, map[int]uint32{1: 1}, 5, 2, nil},
		"more than it counts":  {e8, map[int]uint32{1: 1, 2: 2}, 6, 1, nil},
		"left places":          {e8, map[int]uint32{1: 1}, 5, 1, nil},
		"too much room":        {e8, map[int]uint32{1: 1}, 7, 1, nil},
		"not begun yet":        {e8, map[int]uint32{4: 100}, 6, 1, nil},
		"negative":             {e8, map[int]uint32{7: 1<<32 - 1}, 6, 1, nil},
		"of another hash":      {[]byte{0x2a, empty, empty, empty, empty, empty, empty, empty}, nil, 6, 1, nil},
		"never filled":         {[]byte{empty}, nil, 0, 0, nil}, // that is in the image
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := v8test.NewHeap(t, v8test.Node24)
			n := len(test.states)
			numbers := h.Alloc((4*n + 7) &^ 7).Add(int64((4*n+7)&^7 - 4*n))
			control := h.Alloc(n + 16)
			if control != numbers+core.Addr(4*n) {
				t.Fatalf("the parts lie apart: %x, %x", numbers, control)
			}
			states := append(append([]byte{}, test.states...), e8...)
			for i, x := range test.numbers {
				states[i] = 0
				h.Put32(control-core.Addr(4*(i+1)), x)
			}
			for i := 0; i+4 <= len(states); i += 4 {
				h.Put32(control+core.Addr(i), uint32(states[i])|uint32(states[i+1])<<8|uint32(states[i+2])<<16|
					uint32(states[i+3])<<24)
			}
			at := h.Alloc(32)
			for i, w := range []uint64{uint64(control), uint64(n - 1), test.left, test.items} {
				h.Put(at+core.Addr(8*i), w)
			}
			mem := h.Memory()
			dr := readerOf(mem)
			got, ok := dr.numberSet(at, 100)
			want := map[int]bool{}
			for _, id := range test.want {
				want[id] = true
			}
			if ok != (test.want != nil) || ok && !maps.Equal(got, want) {
				t.Errorf("the set is %v, %v, want %v", got, ok, test.want)
			}
		})
	}
}

// TestFound follows hashbrown's search: by groups, each time one more of them.
func TestFound(t *testing.T) {
	full, open := make([]byte, 128), make([]byte, 128)
	open[20] = emptySlot
	for _, test := range []struct {
		states     []byte
		id, bucket int
		want       bool
	}{
		{full, 5, 5, true}, {full, 5, 20, true}, {full, 5, 21, true}, {full, 133, 5, true}, {full, 120, 3, true},
		{open, 5, 19, true}, {open, 5, 21, false}, {open, 21, 36, true}, {open, 30, 30, true}, {open, 127, 40, false},
	} {
		if got := found(test.states, test.id, test.bucket, 16); got != test.want {
			t.Errorf("%d is found in bucket %d: %v, want %v", test.id, test.bucket, got, test.want)
		}
	}
}
