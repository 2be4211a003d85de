package malloc

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/managed"
)

const (
	maxKept    = 1 << 21 // blocks whose graph is made for one line
	leastShare = 5       // a class that keeps less than a fifth is not named
	keptRanks  = 8       // classes that are looked at
)

// keeper names the class of blocks that keeps most of the memory in use, and the holder of one of them. It
// returns "" if no known class keeps much.
func keeper(ctx context.Context, c *commands.Call, used uint64) string {
	h, err := c.Session.Native().Malloc(ctx)
	if err != nil {
		return ""
	}
	blocks := 0
	for _, x := range block.Heaps(ctx, h.All) {
		blocks += x.Len()
	}
	r, err := c.Session.Native().Heap(ctx)
	if err != nil || blocks > maxKept {
		return ""
	}
	g, err := r.Graph(ctx)
	if err != nil {
		return ""
	}
	classes, err := g.Classes(ctx, keptRanks, nil)
	if err != nil {
		return ""
	}
	for i := range classes {
		k := &classes[i]
		if strings.HasPrefix(k.Class, "(") || k.Retained < used/leastShare {
			continue
		}
		text := fmt.Sprintf("; %d × %s keep %s of it", k.Objects, k.Class, mega(k.Retained))
		if id, ok := g.ID(k.First); ok {
			text += heldBy(ctx, c, g, id, k.Objects > 1)
		}
		return text
	}
	return ""
}

// heldBy names what holds a block: a managed object, and the holder of that object; a variable; the stack of
// a task, such as a goroutine. It returns "" if nothing with a name holds the block. The block is one of
// several, or the only one of its class.
func heldBy(ctx context.Context, c *commands.Call, g *heap.Graph, id heap.ID, several bool) string {
	one := ", which is"
	if several {
		one = ", one of them"
	}
	ways, err := g.Paths(ctx, id, 1)
	if err != nil || len(ways) == 0 {
		return ""
	}
	root := &ways[0].Root
	m, object, ok := managed.RootOf(ctx, c.Session.Found(), root)
	switch {
	case ok:
	case root.Kind == "global" && root.Name != "":
		return one + " held by " + root.Name
	case root.Thread != nil && root.Thread.Task != nil:
		return one + " held by the stack of " + root.Thread.String()
	default:
		return ""
	}
	text := one + " for " + m.ClassOf(object)
	if by := managed.HeldBy(ctx, m, object); by != "" {
		text += ", held by " + by
	}
	return text
}
