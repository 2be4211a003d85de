package malloc

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// module is the module of all commands of the package.
const module = "malloc"

// A known allocator is one with its chunks.
type known struct {
	block.Allocator
	heap *block.Heap
}

// heapsOf returns the allocators of a call's session, and reports once the unknown parts.
func heapsOf(ctx context.Context, c *commands.Call) ([]known, error) {
	h, err := c.Session.Native().Malloc(ctx)
	if err != nil {
		return nil, err
	}
	if len(h.Unread) > 0 && c.First {
		c.Session.Warn(core.Unknown(fmt.Errorf("%s is loaded, and its memory was not found: it may be a release that is not known", strings.Join(h.Unread, ", "))))
	}
	var out []known
	for _, x := range h.All {
		k := known{x, x.Heap(ctx)}
		out = append(out, k)
		if c.First {
			warnUnread(c, k)
		}
	}
	return out, ctx.Err()
}

// warnUnread says how much of a heap has chunks that are known.
func warnUnread(c *commands.Call, k known) {
	for _, n := range k.heap.Notes {
		c.Session.Warn(core.Unknown(fmt.Errorf("%s: %s", k.Name(), n)))
	}
	read, all := k.heap.Read()
	if read == all || all == 0 {
		return
	}
	c.Session.Warn(core.Unknown(fmt.Errorf("%s: %d of %d bytes (%.2f%%) have known chunks: headers were overwritten, or are not in the core; the figures lack the others",
		k.Name(), read, all, 100*float64(read)/float64(all))))
}

// arenaName returns the name of an arena in records: its address, or the allocator's own name for it.
func arenaName(h *block.Heap, n int) string {
	if n < 0 || n >= len(h.Arenas) {
		return "mapped"
	}
	return h.Arenas[n].String()
}
