package core

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// InOrder runs f over the items on all processors, and yields what it returns in the order of the items. Up to
// ahead results for each processor wait for their turn, so that memory does not grow with the items. It ends
// early if ctx does. The context that f gets ends with ctx, or when the caller leaves the loop.
func InOrder[T, R any](ctx context.Context, items iter.Seq[T], ahead int, f func(context.Context, T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		type job struct {
			item T
			done chan R
		}
		jobs := make(chan job)
		workers := runtime.GOMAXPROCS(0)
		ordered := make(chan chan R, ahead*workers+1)
		for range workers {
			wg.Go(func() {
				for j := range jobs {
					j.done <- f(ctx, j.item)
				}
			})
		}
		wg.Go(func() {
			defer close(ordered)
			defer close(jobs)
			for x := range items {
				done := make(chan R, 1)
				select {
				case jobs <- job{x, done}:
					ordered <- done
				case <-ctx.Done():
					return
				}
			}
		})
		defer func() { // let the feeder go if the consumer left early
			cancel()
			for range ordered {
			}
		}()
		for done := range ordered {
			if r := <-done; ctx.Err() != nil || !yield(r) {
				return
			}
		}
	}
}
