// Package android has the accounts that Android itself would have written of a
// process: the tombstone of debuggerd, the trace of all threads of the runtime, the
// system properties.
package android

import (
	"slices"

	"coredbg/commands"
)

// module is whose the commands are that read the Android Runtime.
const module = "art"

// Commands returns the table of commands.
func Commands() []commands.Command {
	return slices.Concat(tombstoneCommands, traceCommands, propertyCommands)
}
