package frame

import (
	"errors"
	"fmt"

	"coredbg/core"
)

// Stop is the kind of reason why a walk ended.
type Stop string

// The reasons; they are words of the JSON form.
const (
	StopRoot          Stop = "root"
	StopUnreadable    Stop = "unreadable"
	StopNoProgress    Stop = "no-progress"
	StopNotExecutable Stop = "not-executable"
	StopLimit         Stop = "limit"
)

// A StopError says why a walk ended. A walk that reached the thread's start
// ends with Kind StopRoot.
type StopError struct {
	Kind Stop      // the reason
	At   core.Addr // the frame's pc, or the address that could not be read
	Err  error     // more detail; may be nil
}

// Error returns the reason with its place.
func (e *StopError) Error() string {
	s := string(e.Kind)
	if e.Kind != StopRoot {
		s = fmt.Sprintf("%s %v", e.Kind, e.At)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the detail.
func (e *StopError) Unwrap() error { return e.Err }

// ErrLost is the detail of a walk that ended because nothing showed the caller.
var ErrLost = errors.New("no call frame information, frame pointer or return address found")
