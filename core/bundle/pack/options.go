package pack

import (
	"context"

	"coredbg/core"
	"coredbg/core/find"
)

// A Share says how much of something goes into a bundle.
type Share uint8

// The shares.
const (
	// Touched takes the pages that were recorded and those around program
	// counters.
	Touched Share = iota
	All
	None
)

// Options say what goes into a bundle. The zero Options take all memory that
// the core has, and of each module's file what names, unwinding and decoders
// need.
type Options struct {
	// Stacks leaves the heap out: it takes the threads' stacks, the modules' data, the dynamic linker's
	// list and Touched memory. If PCs are given, it takes only the headers of modules without a PC in
	// them.
	Stacks bool
	// Redact leaves out the arguments and the environment, copies of their
	// values elsewhere, and vector registers; see core/bundle/redact.
	Redact bool
	// Environ are further strings of the form NAME=VALUE to redact, such as
	// variables that were set while the process ran.
	Environ []string
	// Names are texts that redaction must not remove: names of functions and files on stacks. Module
	// paths are never removed.
	Names []string

	// Touched reports which pages were read while stacks were decoded; it may
	// be nil.
	Touched *Recorder
	// PCs are addresses of code, as of frames, whose surroundings are taken.
	PCs []core.Addr

	// Lean leaves out what unwinds and names code that no stack runs through, which may
	// be most of the bundle; see lean.go.
	Lean bool
	// Asked are addresses of symbols whose names a lean bundle has in any case.
	Asked []core.Addr

	Text   Share // of sections of instructions
	Rodata Share // of other sections that are loaded and not written to
	// DebugInfo is the most bytes of DWARF to take from a file: all of its DWARF if it has no more,
	// otherwise nothing. 0 means DefaultDebugInfo, and excludes the separate debug files of libraries:
	// a distribution's debug files weigh more than the rest of a small bundle. Symbols are taken in any
	// case.
	DebugInfo int64

	// Files finds the modules' files, as when the core was opened, and files that belong to them. If it
	// is nil, elf.Disk looks in this machine's usual places.
	Files find.Finder

	// Data are files without code that decoders read, such as archives of
	// classes. They are taken whole, up to 64 MiB each. The plan closes them,
	// unless NewPlan fails.
	Data []DataFile
	// LeftOut are paths of files that the plan reports as left out for lack of room.
	LeftOut []string

	// Small packs harder: a tenth smaller, and some times slower.
	Small bool
	// Pack packs a chunk into a zstd frame (RFC 8878) in place of the library; it
	// may be nil.
	Pack func(ctx context.Context, chunk []byte) ([]byte, error)
	// Share is a folder for the chunks of files that the bundle may share with others; "" for no
	// sharing. The bundle records its name. It must be next to the bundle, or in one of the folders
	// that Open is given.
	Share string
	// Progress is called with how many bytes have been packed; it may be nil.
	Progress func(what string, done, total int64)
}

// DefaultDebugInfo is the default of Options.DebugInfo: the DWARF of programs
// of some 100,000 lines fits in.
const DefaultDebugInfo = 16 << 20

// A DataFile is a file without code, under the path that the process had it at.
type DataFile struct {
	Path   string
	Source core.Source
}

const maxData = 64 << 20

func (o *Options) debugInfo() int64 {
	if o.DebugInfo == 0 {
		return DefaultDebugInfo
	}
	return o.DebugInfo
}
