// Package android has the accounts that Android itself would have written of a
// process: the tombstone of debuggerd, the trace of all threads of the runtime, the
// system properties.
package android

import (
	"errors"
	"slices"

	"coredbg/commands"
	"coredbg/core"
)

// module is whose the commands are that read the Android Runtime.
const module = "art"

// Commands returns the table of commands.
func Commands() []commands.Command {
	return slices.Concat(tombstoneCommands, traceCommands, propertyCommands)
}

var errNoART = core.Unknown(errors.New("the process has no Android Runtime, or none that is known"))
