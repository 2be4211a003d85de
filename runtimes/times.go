package runtimes

import (
	"context"
	"time"

	"coredbg/core"
)

// A Timekeeper is a Runtime that notes times while its program runs, which nothing else in a core has.
type Timekeeper interface {
	// Ran returns how long the process had run when the runtime last looked at its clock. If turn is set, thread t
	// runs an event loop that looks at the clock each time it goes on; else something else looks at it all the time. It
	// returns false if that is not known.
	Ran(ctx context.Context, t *core.Thread) (age time.Duration, turn, ok bool)
}
