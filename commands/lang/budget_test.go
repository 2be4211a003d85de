package lang

import "context"

// A budget is a context that is cancelled after it was asked a number of
// times: a deadline without a clock.
type budget struct {
	context.Context
	cancel context.CancelFunc
	left   int
}

func withBudget(ctx context.Context, n int) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	return &budget{ctx, cancel, n}, cancel
}

func (b *budget) Err() error {
	if b.left--; b.left <= 0 {
		b.cancel()
	}
	return b.Context.Err()
}
