package core

import (
	"context"
	"slices"
	"testing"
)

func TestInOrder(t *testing.T) {
	items := make([]int, 1000)
	for i := range items {
		items[i] = i
	}
	double := func(_ context.Context, i int) int { return 2 * i }
	n := 0
	for r := range InOrder(t.Context(), slices.Values(items), 4, double) {
		if r != 2*n {
			t.Fatalf("result %d is %d", n, r)
		}
		n++
	}
	if n != len(items) {
		t.Errorf("%d results of %d", n, len(items))
	}

	for r := range InOrder(t.Context(), slices.Values(items), 4, double) {
		if r == 20 {
			break // the workers end all the same, or the test hangs
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n = 0
	for range InOrder(ctx, slices.Values(items), 4, double) {
		if n++; n == 10 {
			cancel()
		}
	}
	if n != 10 {
		t.Errorf("%d results, although the context ended after 10", n)
	}
}
