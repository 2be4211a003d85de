// Package node has the commands over the state of Node and libuv: the event loop with its handles
// and requests, timers, ticks, and the process object.
package node

import (
	"errors"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes/node"
	v8 "coredbg/runtimes/v8"
)

// module is the module of the commands over V8: mdb_v8 has both in one.
const module = "v8"

// Commands returns the table of commands.
func Commands() []commands.Command {
	return []commands.Command{uvloopCommand, handlesCommand, requestsCommand, timersCommand, ticksCommand,
		nodeinfoCommand, nodefatalCommand}
}

// v8Of returns the V8 of a call's session.
func v8Of(c *commands.Call) (*v8.V8, error) { return v8.Among(c.Session.Process, c.Session.Found()) }

var errNoNode = core.Unknown(errors.New("the program around V8 is not Node"))

// nodeOf returns the reader of Node's own state, next to V8's.
func nodeOf(c *commands.Call) (*node.Reader, error) {
	v, err := v8Of(c)
	if err != nil {
		return nil, err
	}
	n, ok := v8.EmbedderOf[*node.Reader](v)
	if !ok {
		return nil, errNoNode
	}
	return n, nil
}
