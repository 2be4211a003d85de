package page

import (
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Reader reads pages and the objects on them. It knows the process, its layout and its objects.
type Reader struct {
	*layout.Memory
	objects *object.Reader

	offsetOnce sync.Once
	offset     core.Addr // of a Heap in its Isolate, in bytes; 0 if it is unknown
}

// NewReader returns a reader of the process whose objects r reads.
func NewReader(r *object.Reader) *Reader { return &Reader{Memory: r.Memory, objects: r} }
