package heap

import (
	"coredbg/core"
	"coredbg/runtimes/v8/page"
)

// A pageObjects are the objects of JavaScript on one page, by address.
type pageObjects struct {
	addrs []core.Addr
	maps  []int32
	// boilerplates are the boilerplates of the AllocationSites on the page, and the abandoned ones.
	boilerplates []core.Addr
	stats        page.Stats
	// varied are the types of the page that have no fixed size, including the types of skipped objects.
	varied page.TypeSet
}

// A builder makes a Snapshot: it finds the pages, learns the sizes of objects, walks the pages, and settles what a
// collection or a thread had not finished. Then it sorts the objects by map.
type builder struct {
	*Snapshot
	found []pageObjects // by page
}
