package main

import (
	"coredbg"
	"coredbg/commands"
)

// system is the machine that the debugger runs on.
var system commands.System = commands.OS{}

// An opener opens a core, as coredbg.Open does.
type opener func(path string, o coredbg.Options) (*coredbg.Session, error)
