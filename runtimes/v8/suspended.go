package v8

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/frame"
)

// A suspender implements runtimes.Suspender for V8: the calls of async functions.
type suspender struct{ frames *frame.Decoder }

// Suspended implements runtimes.Suspender.
func (s suspender) Suspended(ctx context.Context) ([]*core.Thread, error) {
	return s.frames.Suspended(ctx)
}
