package v8

import (
	"context"
	"time"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/sourcemap"
)

// Hosted are the questions about a program that its embedder can answer, as it has the event loop; a nil
// field cannot be asked.
type Hosted struct {
	// Awaited returns the waits of the program.
	Awaited func(ctx context.Context) []runtimes.Wait
	// Callbacks returns the callbacks that the event loop runs before it goes on.
	Callbacks func(ctx context.Context) []runtimes.Wait
	// LastTurn says how long the process had run when the event loop of a thread last went on.
	LastTurn func(t *core.Thread) (time.Duration, bool)
	// SourceMaps returns the source maps in memory that may belong to a script, by its name and its text.
	SourceMaps func(ctx context.Context, name, code string) []sourcemap.Kept
}

// keptMaps asks SourceMaps.
func (h *Hosted) keptMaps(ctx context.Context, name, code string) []sourcemap.Kept {
	if h.SourceMaps == nil {
		return nil
	}
	return h.SourceMaps(ctx, name, code)
}

// Waits implements runtimes.Waiter.
func (h *Hosted) Waits(ctx context.Context) []runtimes.Wait {
	if h.Awaited == nil {
		return nil
	}
	return h.Awaited(ctx)
}

// Queued implements runtimes.Queuer.
func (h *Hosted) Queued(ctx context.Context) []runtimes.Wait {
	if h.Callbacks == nil {
		return nil
	}
	return h.Callbacks(ctx)
}

// Ran implements runtimes.Timekeeper.
func (h *Hosted) Ran(_ context.Context, t *core.Thread) (age time.Duration, turn, ok bool) {
	if h.LastTurn == nil {
		return 0, true, false
	}
	age, ok = h.LastTurn(t)
	return age, true, ok
}
