// Package java has the commands over the Android Runtime: its version, threads
// and stacks, methods, classes and objects.
package java

import (
	"slices"

	"coredbg/commands"
	"coredbg/runtimes/art"
)

const module = "art"

// Commands returns the table of commands.
func Commands() []commands.Command {
	return slices.Concat(versionCommands, stackCommands, threadCommands, printCommands, classCommands, heapCommands, refCommands, monitorCommands,
		dexCommands, artmethodCommands, codeinfoCommands, oatCommands)
}

// Walkers returns the table of walkers.
func Walkers() []commands.Walker {
	return slices.Concat(stackWalkers, heapWalkers, dexWalkers, methodWalkers)
}

// artOf returns the ART of a call's session.
func artOf(c *commands.Call) (*art.ART, error) {
	a, ok := commands.RuntimeOf[*art.ART](c.Session)
	if !ok {
		return nil, art.ErrNone
	}
	return a, nil
}
