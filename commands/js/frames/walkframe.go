package frames

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/js/target"
	"coredbg/core"
	"coredbg/stack"
)

// Walker yields the frames of JavaScript.
var Walker = commands.Walker{Name: "jsframe", Module: target.Module, Addr: commands.AddrOptional,
	Summary: "frame pointers of a thread's JavaScript frames, the current one's without a thread id",
	Walk:    walkFrames}

// walkFrames yields the frame pointers of a thread's JavaScript frames, the innermost first. Calls that were
// inlined into one frame share its pointer; awaiting callers are skipped.
func walkFrames(ctx context.Context, c *commands.Call, yield func(core.Addr) bool) error {
	if _, err := target.V8(c); err != nil {
		return err
	}
	t, err := c.Thread()
	if err != nil {
		return err
	}
	var last core.Addr
	rec := c.Session.Stacks.Thread(ctx, t, stack.Options{ManagedOnly: true})
	for i := range rec.Frames {
		f := &rec.Frames[i]
		if !stack.Managed(f) || f.Async || f.FP == 0 || f.FP == last {
			continue
		}
		if last = f.FP; !yield(last) {
			return nil
		}
	}
	return nil
}
