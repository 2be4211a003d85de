package heap

import (
	"context"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
)

// A rootFinder looks for references to objects from outside the heaps.
type rootFinder struct {
	h *Snapshot
	// done are stretches that have been looked at, or that hold nothing alive.
	done []layout.Area
	// traced are the traced handles, which come after all that is certain.
	traced []Root
	// looked are the isolates whose traced handles were looked for.
	looked map[core.Addr]bool
	// helping are the threads that run no JavaScript.
	helping []*core.Thread
}

const (
	// handleBlock is how many nodes a block of global handles has, handleNode the
	// bytes of each: GlobalHandles::NodeBlock, kBlockSize.
	handleBlock = 256
	handleNode  = 32
	// tablesTail is how far after the start of the Heap members of the isolate are looked for that lead to roots.
	tablesTail = 0x10000
)

// regions calls yield with the bytes of writable memory outside the heaps.
func (f *rootFinder) regions(ctx context.Context, yield func(at core.Addr, data []byte)) error {
	hs := f.h.v
	for _, s := range hs.Space.Segments() {
		if s.Kind != core.SegCore || s.Prot&core.Write == 0 || s.Prot&core.Exec != 0 {
			continue // V8's code range is half a gigabyte of holes
		}
		for at := s.Start; at < s.End; {
			if err := ctx.Err(); err != nil {
				return err
			}
			if p, ok := PageIndex(f.h.Pages).At(at); ok {
				at = p.End
				continue
			}
			end := min(s.End, (at+layout.ChunkSize)&^(layout.ChunkSize-1))
			data, err := hs.Space.Slice(at, int(end-at))
			yield(at, data)
			if at = end; err != nil && len(data) == 0 {
				at = hs.SkipFault(at, s.End)
			}
		}
	}
	return nil
}

// words calls yield for the words of data that may be references.
func (f *rootFinder) words(at core.Addr, data []byte, yield func(a core.Addr, t layout.Tagged)) {
	order := f.h.v.Order
	for i := int(-at & 7); i+8 <= len(data); i += 8 {
		if t := layout.Tagged(order.Uint64(data[i:])); t&3 == 1 && t>>48 == 0 {
			yield(at+core.Addr(i), t)
		}
	}
}

// isDone reports whether any of some bytes have been looked at.
func (f *rootFinder) isDone(at core.Addr, size int) bool {
	return slices.ContainsFunc(f.done, func(x layout.Area) bool { return x.Start < at+core.Addr(size) && x.End > at })
}

// page returns the page of an address.
func (h *Snapshot) page(a core.Addr) (*page.Page, bool) { return PageIndex(h.Pages).At(a) }
