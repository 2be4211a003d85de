package sym

import (
	"math/rand/v2"
	"testing"
)

// TestPermute: each element is where the order has it.
func TestPermute(t *testing.T) {
	for n := range 50 {
		list := make([]entry, n)
		order := make([]uint32, n)
		for i, k := range rand.New(rand.NewPCG(1, uint64(n))).Perm(n) {
			list[i].addr, order[i] = uint64(i), uint32(k)
		}
		want := append([]uint32(nil), order...)
		permute(list, order)
		for i := range list {
			if list[i].addr != uint64(want[i]) {
				t.Fatalf("%d of %d: %d is in place %d", i, n, list[i].addr, want[i])
			}
		}
	}
}
