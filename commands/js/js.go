// Package js has the commands over V8: stacks, frames, strings, types, and how
// far the decoder can be trusted. They follow mdb_v8's in names and manner.
package js

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes/node"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

const module = "v8"

// Commands returns the table of commands.
func Commands() []commands.Command {
	return slices.Concat(objectCommands(), heapCommands(), nodeCommands(), codeCommands(), []commands.Command{jsstackCommand, jsframeCommand, v8typeCommand, v8strCommand, v8versionCommand})
}

var errNoV8 = core.Unknown(errors.New("the process has no V8"))

// v8Of returns the V8 of a call's session.
func v8Of(c *commands.Call) (*v8.V8, error) {
	v, ok := commands.RuntimeOf[*v8.V8](c.Session)
	if !ok {
		if u, ok := commands.RuntimeOf[*v8.Undecoded](c.Session); ok {
			return nil, core.Unknown(u)
		}
		return nil, noV8(c)
	}
	return v, nil
}

// leastImage is less than the least image with V8 in it takes, in bytes.
const leastImage = 8 << 20

// noV8 says that there is no V8, or that it is not known: an image that may have it
// could not be read.
func noV8(c *commands.Call) error {
	var unread []string
	for _, m := range c.Session.Process.Modules {
		if f := m.Facts(); (f.Image == nil || f.InMemory) && (m.Exe || m.End-m.Start >= leastImage) {
			unread = append(unread, m.Name())
		}
	}
	if len(unread) > 0 {
		return core.Unknown(fmt.Errorf("whether the process has V8 is not known: %s could not be read", strings.Join(unread, ", ")))
	}
	return errNoV8
}

// nodeOf returns the reader of what Node keeps beside V8.
func nodeOf(v *v8.V8) *node.Reader { return node.New(v.Objects, v.Heaps, v.Frames) }

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
