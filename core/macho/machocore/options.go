package machocore

import "coredbg/core/find"

// Options say where a core's files are.
type Options struct {
	// Exe is the path of the executable, if the user named one.
	Exe string
	// Files finds the files of images; nil means that there are none.
	Files find.Finder
}
