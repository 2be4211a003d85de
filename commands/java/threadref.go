package java

import (
	"fmt"
	"strings"

	"coredbg/core/sym"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/java"
)

// A threadRef is a thread that another record names.
type threadRef struct {
	ID        int    `json:"id,omitzero"` // the runtime's
	TID       int    `json:"tid,omitempty"`
	Name      string `json:"name,omitempty"`
	Goroutine uint64 `json:"goroutine,omitzero"` // of Go
	Virtual   bool   `json:"virtual,omitzero"`
	unknown   bool   // only its id is known
	native    bool   // the runtime has no id of it
}

func refTo(t *frame.Thread) *threadRef { return &threadRef{ID: t.ID, TID: t.TID, Name: t.Name} }

// refOf returns a thread as its virtual machine names it; nil if that knows no such thread.
func refOf(t java.Thread) *threadRef {
	if t.TID == 0 && t.ID == 0 {
		return nil
	}
	return &threadRef{ID: t.ID, TID: t.TID, Name: t.Name}
}

func refsTo(list []*frame.Thread) []threadRef {
	var all []threadRef
	for _, t := range list {
		all = append(all, *refTo(t))
	}
	return all
}

// String is the thread as ART's traces name it.
func (t threadRef) String() string {
	switch {
	case t.Goroutine != 0:
		return fmt.Sprintf("goroutine %d", t.Goroutine)
	case t.unknown:
		return fmt.Sprintf("tid=%d", t.ID)
	case t.native && t.Name == "":
		return fmt.Sprintf("thread %d", t.TID)
	case t.native:
		return fmt.Sprintf("thread %d (%s)", t.TID, sym.Clean(t.Name))
	}
	if t.Virtual {
		return fmt.Sprintf("%q virtual #%d", t.Name, t.ID)
	}
	return fmt.Sprintf("%q tid=%d", t.Name, t.ID)
}

func join(list []threadRef) string {
	var names []string
	for _, t := range list {
		names = append(names, t.String())
	}
	return strings.Join(names, ", ")
}
