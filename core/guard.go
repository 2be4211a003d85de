package core

import (
	"errors"
	"runtime"
	"runtime/debug"
)

// ErrCut is returned by Guard if bytes that were there when a file was opened are not
// there any more.
var ErrCut = errors.New("a file that is being read was cut short: open the core again")

// Guard calls do and returns ErrCut if do reads a mapped file beyond its end because the file was
// shortened after it was opened. The system raises a bus error then, which ends the program without
// Guard. Each goroutine that reads a Source runs within its own Guard.
func Guard(do func()) (err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if r := recover(); r != nil {
			if !IsCut(r) {
				panic(r)
			}
			err = ErrCut
		}
	}()
	do()
	return nil
}

// IsCut reports whether a recovered panic is what Guard turns into ErrCut. The address is
// what distinguishes it from a nil pointer.
func IsCut(recovered any) bool {
	err, ok := recovered.(runtime.Error)
	if !ok {
		return false
	}
	_, ok = err.(interface{ Addr() uintptr })
	return ok
}

// A CutSource can report whether its file was shortened after it was opened.
type CutSource interface {
	Source
	// Cut says how, or returns nil.
	Cut() error
}
