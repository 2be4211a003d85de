package js

import (
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// module is the name of the commands' module in ::dcmds.
const module = "v8"

// v8Of returns the V8 of a call's session.
func v8Of(c *commands.Call) (*v8.V8, error) { return v8.Of(c.Session.Process, c.Session.Found()) }

// heapOf returns the session's V8 with its heap.
func heapOf(ctx context.Context, c *commands.Call) (*v8.V8, *heap.Heap, error) {
	v, err := v8Of(c)
	if err != nil {
		return nil, nil, err
	}
	h, err := v.Heaps.Heap(ctx)
	return v, h, err
}

// tagged returns the value that an address stands for. V8 tags references
// with the low bit; an address without it is taken as that of an object if
// one lies there.
func tagged(v *v8.V8, a core.Addr) layout.Tagged {
	t := layout.Tagged(a)
	if a&1 == 0 && a != 0 {
		if _, err := v.TypeOf(t | 1); err == nil {
			return t | 1
		}
	}
	return t
}

// hex formats an address for JSON.
func hex(a core.Addr) string { return fmt.Sprintf("%#x", uint64(a)) }
