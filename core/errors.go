package core

import (
	"errors"
	"fmt"
)

// A Gap is the reason why bytes of the address space cannot be had.
type Gap uint8

// The reasons, from "never was there" to "was there, but not here".
const (
	Unmapped     Gap = iota // the process had nothing mapped there
	NotDumped               // mapped, but the writer of the core left it out
	Truncated               // the core file ends before these bytes
	FileMissing             // backed by a file that was not found
	FileMismatch            // backed by a file whose build-id is not the process' one
	Unreadable              // the core or library file could not be read
	LeftOut                 // was in the core, but not taken into the bundle
	Redacted                // taken out of the bundle because it may be secret
	NotInDump               // the dump holds chosen memory only, and not this
)

var gapText = [...]string{
	Unmapped: "not mapped", NotDumped: "not dumped", Truncated: "truncated",
	FileMissing: "file missing", FileMismatch: "wrong file", Unreadable: "unreadable",
	LeftOut: "left out of the bundle", Redacted: "redacted", NotInDump: "not in this dump",
}

// String returns the reason in a word or two, as "<…>" marks in output show it.
func (g Gap) String() string {
	if int(g) < len(gapText) {
		return gapText[g]
	}
	return fmt.Sprintf("gap %d", uint8(g))
}

// A FaultError says that the byte at Addr could not be read, and why.
type FaultError struct {
	Addr   Addr
	Gap    Gap
	Detail string // which file, which limit; may be empty
}

// Error describes the fault with its place and its reason.
func (e *FaultError) Error() string {
	if e.Detail != "" {
		return fmt.Sprintf("%v: %v (%s)", e.Addr, e.Gap, e.Detail)
	}
	return fmt.Sprintf("%v: %v", e.Addr, e.Gap)
}

// A GapError is the error of a Source that lacks bytes for a reason of its own;
// the FaultError of an address there takes the reason over.
type GapError struct {
	Gap    Gap
	Detail string // may be empty
}

// Error describes the reason.
func (e *GapError) Error() string {
	if e.Detail != "" {
		return fmt.Sprintf("%v (%s)", e.Gap, e.Detail)
	}
	return e.Gap.String()
}

// A FormatError says that a file holds something that its format forbids, or
// that cannot be true.
type FormatError struct {
	File string // path; may be empty
	Off  int64  // file offset in bytes; -1 if the place is the file as a whole
	Msg  string
	Val  any // the offending value; may be nil
}

// Error describes what is wrong and where.
func (e *FormatError) Error() string {
	s := e.Msg
	if e.Val != nil {
		s += fmt.Sprintf(" %#v", e.Val)
	}
	if e.Off >= 0 {
		s += fmt.Sprintf(" at file offset %#x", e.Off)
	}
	if e.File != "" {
		s = e.File + ": " + s
	}
	return s
}

// A SectionError says that a section of an image holds something that its format forbids, or that cannot be true, and
// where.
type SectionError struct {
	Section string // its name
	Off     uint64 // in the section in bytes
	Err     error
}

// Error describes what is wrong and where.
func (e *SectionError) Error() string { return fmt.Sprintf("%s at %#x: %v", e.Section, e.Off, e.Err) }

// Unwrap returns what is wrong.
func (e *SectionError) Unwrap() error { return e.Err }

// ErrUnknown marks an error as an answer that cannot be known: something that it needs
// is not in the core, or cannot be read.
var ErrUnknown = errors.New("core: not known")

// Unknown returns err as one that says that the answer cannot be known.
func Unknown(err error) error { return unknownError{err} }

// An unknownError is an ErrUnknown without saying so.
type unknownError struct{ error }

// Unwrap returns the error.
func (e unknownError) Unwrap() error { return e.error }

// Is makes it an ErrUnknown.
func (e unknownError) Is(target error) bool { return target == ErrUnknown }

// CannotKnow reports whether an error says that the answer cannot be known: it is marked so, or the
// unreadable memory was part of the process.
func CannotKnow(err error) bool {
	if f := Fault(err); f != nil && f.Gap != Unmapped {
		return true
	}
	return errors.Is(err, ErrUnknown)
}

// ErrNoSection is returned when an image has no section of the name asked for.
var ErrNoSection = errors.New("core: no such section")

// ErrUnknownFormat is returned by a loader if a file has a different format, so that the caller can try
// the next loader.
var ErrUnknownFormat = errors.New("core: not a core file of a known format")

// A Warning is something that a person should know about how far to trust what
// is shown; it never stops anything.
type Warning struct {
	Place string // "NT_FILE note", "libc.so.6", "thread 12"
	Text  string
}

// PlaceExecutable is the Place of a warning that the executable which was named
// is not the one that the process ran.
const PlaceExecutable = "executable"

// PlaceShared is the Place of a warning that a bundle lacks parts that it shares with others.
const PlaceShared = "this bundle"

// String returns the warning as one line.
func (w Warning) String() string {
	if w.Place == "" {
		return w.Text
	}
	return w.Place + ": " + w.Text
}
