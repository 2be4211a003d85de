package coredbg

import (
	"io"
	"os"

	"coredbg/core/debuginfod"
	"coredbg/core/find"
)

// Options say where the files of a core are, and where output goes. The zero
// value looks where the core says, and prints nothing.
type Options struct {
	// Executable is the path of the program; "" takes the one the core names.
	Executable string
	// Sysroot is a folder that stands for the root of the machine the core
	// comes from. With it, the only files that are opened besides Executable
	// are in it, in Search and in DebugDirs, wherever links in these point.
	Sysroot string
	// Search lists folders that are searched for executables and libraries
	// by their base names.
	Search []string
	// PerfMap is a perf map that names code that the process made at run time; "" takes perf-PID.map in a
	// bundle, in Search, or in the core's folder unless anyone may write there.
	PerfMap string
	// DebugDirs lists folders with separate debug files.
	DebugDirs []string
	// Lent finds the files of this machine and of the core's folder. With it, only the core,
	// Executable, Recipes and the files in Sysroot, Search and DebugDirs are opened directly.
	Lent find.Finder
	// SDK is the Android API level to decode the Android Runtime as; 0 takes
	// the one that fits.
	SDK int
	// Progress is called from time to time during long work, with its name
	// and its size in bytes; total is 0 if it is not known. It may be nil.
	Progress func(doing string, done, total int64)
	// MaxSize is the most bytes that a compressed core may unpack to; 0 stands for file.DefaultMaxSize.
	// More is called when done bytes have been unpacked, if it is not nil. If it returns true, four
	// times as many are allowed.
	MaxSize int64
	More    func(done int64) bool
	// Debuginfod says which servers are asked for missing files; nil for no servers. If its Progress is
	// nil, it is the session's.
	Debuginfod *debuginfod.Options
	// Indexes is the folder of the indexes of large debug files, which are made when the names of one are
	// first asked for, and read from there after; "" keeps none. UserIndexes is the usual one.
	Indexes string
	// Opened is the core's file if it is open already; nil opens the path. Open takes it over.
	Opened *os.File
	// Recipes lists files that say how containers look; the later ones come first. A row of
	// them that cannot be read is reported on Stderr, with file and line, and left out.
	Recipes []string
	// Stdout gets the records of commands, Stderr what is not data.
	Stdout, Stderr io.Writer
}
