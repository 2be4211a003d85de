// Package java has the commands over the Android Runtime: its version, threads
// and stacks, methods, classes and objects.
//
// Each command has a file of its own, or shares one with similar commands. It uses the following files first;
// the table alone names all commands.
//
//	art.go       the ART of a call's session, and which thread, frame or dex file an address means
//	threadref.go a thread that another record names
//	text.go      frames, objects and places in lines
//	detail.go    what -v and -l add to a frame
//	locks.go     and the locks it holds
//	java.go      the table of commands and walkers
package java

import (
	"slices"

	"coredbg/commands"
)

// Commands returns the table of commands.
func Commands() []commands.Command {
	return slices.Concat(versionCommands, jvmCommands, dumpCommands,
		[]commands.Command{javastackCommand, javaframeCommand}, threadCommands, printCommands, classCommands,
		heapCommands, spacesCommands, refCommands, monitorCommands, deadlockCommands, exceptionCommands,
		dexfileCommands, dexCommands, artmethodCommands, codeinfoCommands, oatCommands)
}

// Walkers returns the table of walkers.
func Walkers() []commands.Walker {
	return slices.Concat(threadWalkers, frameWalkers, heapWalkers, dexWalkers, methodWalkers)
}
