package terminal

import (
	"context"
	"os"
	"os/signal"
)

// Interrupts gets what ^C sends. From the moment that it is made the signal
// ends nothing by itself, to the end of the program: neither while a line is
// read, which a terminal that cannot be edited on leaves to the signal, nor in
// the moments between a line, its command and a pager.
type Interrupts chan os.Signal

// CatchInterrupts returns what gets ^C from now on.
func CatchInterrupts() Interrupts {
	keys := make(Interrupts, 1)
	signal.Notify(keys, os.Interrupt)
	return keys
}

// Within runs do with a context that ^C ends, and reports whether it did.
func (keys Interrupts) Within(do func(ctx context.Context)) (interrupted bool) {
	select {
	case <-keys: // meant for a question that is over
	default:
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-keys:
			cancel()
		case <-over:
		}
	}()
	do(ctx)
	close(over)
	<-watched
	interrupted = ctx.Err() != nil
	cancel()
	return interrupted
}
