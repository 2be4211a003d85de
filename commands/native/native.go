// Package native has the commands over machine code and memory: what the process was, its threads and their
// stacks, registers, mappings, images, symbols, instructions and bytes. They need only core, core/sym and walk;
// frames of managed languages enter through the runtimes of the session.
package native

import (
	"slices"

	"coredbg/commands"
)

const module = "native"

// Commands returns the commands of this package.
func Commands() []commands.Command {
	all := slices.Concat(statusCommands, analyzeCommands, stackCommands, findstackCommands, regsCommands,
		mappingCommands, sectionCommands, vectorCommands, ucontextCommands, dumpCommands, nmCommands,
		disCommands, examineCommands, whatisCommands, searchCommands, coverageCommands, sourcesCommands,
		memtagCommands, mutexCommands,
		[]commands.Command{whyCommand})
	for i := range all {
		all[i].Module = module
	}
	return all
}
