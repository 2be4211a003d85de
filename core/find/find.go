// Package find says how the files of a dead process are asked for. A Want names a file, a Finder looks
// for it, and a Chain asks Finders one after the other. Proof decides which file is the right one,
// never its name alone: a build-id or UUID, a checksum, or the file's reader.
//
// find.go has the vocabulary, disk.go the places of this machine that files of every format may be in.
// Places that a format adds are with the format: core/elf has separate debug files as GDB lays them
// out, core/macho dSYM bundles, object files and an index by UUID. core/bundle finds the files in a
// bundle.
//
// core/debuginfod asks servers.
//
// LIMITATIONS: dyld's shared caches, which are many files each, are found by core/macho alone.
package find

import (
	"context"

	"coredbg/core"
)

// A Kind is a kind of file.
type Kind uint8

// The kinds of files.
const (
	// Image is what the process had mapped at Path: with an ID, only a file that
	// has it, and with a Check only one that passes. Near is the executable's path, "" if
	// it is not known.
	Image Kind = iota
	// Debug is the separate debug file of the image in the file Near: the one
	// with the same ID, or else the one of the name Link with the checksum CRC.
	Debug
	// Object is the object file at Path, or the archive that it is in, which the
	// image in the file Near was linked from.
	Object
	// Data is a file of any kind that the process may have had at Path, if it
	// passes Check.
	Data
)

// A Want says which file is wanted.
type Want struct {
	Kind Kind
	Path string // as the process had it; "" if unknown
	Near string // a file that was found, which the wanted one belongs to
	Link string // a file name, as in .gnu_debuglink
	// ID is a build-id or UUID; nil if unknown. That of Data is the one of the image
	// that was compiled from it.
	ID []byte
	// DebugID is the id that Breakpad's symbol stores use for the image, and DebugName the name they
	// have it under; "" if ID and Near suffice.
	DebugID, DebugName string
	CRC                uint32 // CRC-32 (IEEE) of the file that Link names
	// AllowRemote allows queries to remote servers, which may be slow; set it when a user
	// is waiting. Without it only earlier responses are used.
	AllowRemote bool
	// Within lists the folders that Data may be in at its own path on this machine, where nothing
	// proves that it is the right file: a path that a core names must not lead anywhere. Links
	// out of them are not followed. Nil allows every folder, an empty list none. A place that
	// the user named is allowed in any case.
	Within []string
	// Check says why a file is not the right one, or returns nil. A nil Check
	// accepts every file.
	Check func(src core.Source) error
}

// Found is the answer to a Want.
type Found struct {
	Source core.Source // nil if there is none; the caller closes it
	From   string      // where its bytes come from
	// Modified is when an object file was changed last, in seconds since 1970; 0
	// if unknown.
	Modified uint64
	// Refused says which files were not the right one, and why.
	Refused []error
}

// A Finder finds files. It is safe for concurrent use.
type Finder interface {
	// Find looks for a file; one that is not there is not an error.
	Find(ctx context.Context, w Want) Found
}

// A Chain asks its Finders in order; the first that has the file decides. The files that Finders before
// it have refused count as refused.
type Chain []Finder

// Find implements Finder.
func (c Chain) Find(ctx context.Context, w Want) Found {
	var refused []error
	for _, f := range c {
		got := f.Find(ctx, w)
		refused = append(refused, got.Refused...)
		if got.Source != nil {
			got.Refused = refused
			return got
		}
		if ctx.Err() != nil {
			break
		}
	}
	return Found{Refused: refused}
}
