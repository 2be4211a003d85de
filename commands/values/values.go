// Package values has the commands over DWARF: types, the variables of frames, values in memory. How
// a value looks is decided in values/view, for text and for JSON alike.
package values

import (
	"slices"

	"coredbg/commands"
)

const module = "native"

// Commands returns the commands of this package.
func Commands() []commands.Command {
	all := slices.Concat(printCommands, localsCommands, typeCommands, sourceCommands, lookupCommands,
		declareCommands)
	for i := range all {
		all[i].Module = module
	}
	return all
}
