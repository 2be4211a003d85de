package leaks

import (
	"context"

	graph "coredbg/runtimes/heap"
)

// Rules returns the known leak patterns of Java programs, the most telling first.
func (f *Finder) Rules() []graph.Rule {
	rule := func(id string, find func(context.Context, *graph.Graph) ([]graph.Evidence, error)) graph.Rule {
		return graph.Rule{ID: id, Find: find}
	}
	files, statics := rule("files", f.files), rule("statics", f.statics)
	files.Always, statics.Explains = true, true
	return []graph.Rule{
		rule("finalizers", f.finalizers),
		rule("loaders", f.loaders),
		files,
		rule("queues", f.queues),
		rule("threadlocals", f.threadLocals),
		rule("observers", f.observers),
		rule("caches", f.caches),
		statics,
	}
}

// leastHeld is the least number of bytes that an object in a field retains to be looked at.
const leastHeld = 128 << 10
