package heap

import (
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Reader reads pages and the objects on them, as what lies below a Heap does: it
// knows the process, its layout and its objects, and no Heap.
type Reader struct {
	*layout.Memory
	objects *object.Reader

	offsetOnce sync.Once
	offset     core.Addr // of a Heap in its Isolate, in bytes; 0 if it is unknown
}
