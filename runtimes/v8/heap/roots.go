package heap

import (
	"context"
	"strconv"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// Live objects are found as the collector finds them: from roots along references.
// Roots are global and eternal handles (handles/global-handles.cc), handle scopes
// (handles/handles.h), the roots that the isolate has itself and in tables, traced handles
// (roots_traced.go), and the words of stacks and registers. A dead C++ object's traced handles count until the
// collector has swept it. A word left over on a stack keeps a dead object alive, so stacks come last: an object
// that is held otherwise too is reported with the other root.
//
// Last come all other words of writable memory outside the heaps, where C++ may keep
// handles that no rule finds. Most are left over, or belong to the table of strings,
// which keeps none of them alive. The stacks of threads that only help are such memory (roots_stacks.go).

const (
	// scopeBlock is the bytes of a block of handles: kHandleBlockSize, 1022 words.
	scopeBlock = 1022 * 8
	// maxLevel bounds how deep scopes are nested.
	maxLevel = 1 << 20
	// isolateTail is how far after the start of the Heap the isolate is taken to go on.
	isolateTail = 0x2000
)

// handles finds global handles: nodes in blocks. Each node has its own index in the block.
func (f *rootFinder) handles(ctx context.Context, yield func(Root)) error {
	const size = handleBlock * handleNode
	var rest []byte // of the region before, for a block across the border
	var restAt core.Addr
	return f.regions(ctx, func(at core.Addr, data []byte) {
		begin := 0
		if n := len(rest); n > 0 && restAt+core.Addr(n) == at {
			border := append(rest[:n:n], data[:min(size, len(data))]...)
			i := f.handleBlocks(restAt, border, yield)
			if i < n { // the region is shorter than a block
				rest, restAt = border[i:], restAt+core.Addr(i)
				return
			}
			begin = i - n
		}
		begin += f.handleBlocks(at+core.Addr(begin), data[begin:], yield)
		rest, restAt = data[begin:], at+core.Addr(begin)
	})
}

// handleBlocks finds the global handles in the blocks of data, and returns where one may
// begin that does not end there.
func (f *rootFinder) handleBlocks(at core.Addr, data []byte, yield func(Root)) int {
	const size = handleBlock * handleNode
	order := f.h.v.Order
	i := int(-at & 7)
	for i+size <= len(data) {
		if !isHandleBlock(data[i:i+size]) || f.isDone(at+core.Addr(i), size) {
			i += 8
			continue
		}
		if f.tracedGlobal(at + core.Addr(i)) {
			i += size
			continue
		}
		for k := range handleBlock {
			node := data[i+k*handleNode:]
			// Bits 0 and 1 of the flags are the state: free, normal, weak, dying.
			if node[11]&3 == 1 {
				t := layout.Tagged(order.Uint64(node))
				r := Root{Kind: RootHandle, Place: at + core.Addr(i+k*handleNode), Target: t}
				if class := order.Uint16(node[8:]); class != 0 {
					r.Name = "class id " + strconv.Itoa(int(class))
				}
				yield(r)
			}
		}
		f.done = append(f.done, layout.Area{Start: at + core.Addr(i), End: at + core.Addr(i+size)})
		i += size
	}
	return min(i, len(data))
}

// isHandleBlock reports whether data, of the size of a block, is one: Node has the
// object, a class id of 16 bits, the node's index in its block, and flags
// (handles/global-handles.cc).
func isHandleBlock(data []byte) bool {
	for k := range handleBlock {
		if data[k*handleNode+10] != byte(k) {
			return false
		}
	}
	return true
}

// frames finds what frames of generated code hold.
func (f *rootFinder) frames(ctx context.Context, yield func(Root)) error {
	if f.h.v.frames == nil {
		return nil
	}
	for _, t := range f.h.v.Process.Threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.h.v.frames.Roots(t, yield)
	}
	return nil
}

// scopes finds the objects in open handle scopes. HandleScopeData in the isolate has the address of the next
// handle and the end of its block; HandleScopeImplementer has a list of the blocks, and this block is the last
// (api/api.h).
func (f *rootFinder) scopes(ctx context.Context, yield func(Root)) error {
	hs := f.h.v
	emit := func(start, end core.Addr) {
		data, _ := core.ReadBytes(hs.Space, start, uint64(end-start))
		f.words(start, data, func(a core.Addr, t layout.Tagged) { yield(Root{Kind: RootScope, Place: a, Target: t}) })
		f.done = append(f.done, layout.Area{Start: start, End: start + scopeBlock})
	}
	blocks := map[core.Addr]bool{}
	for _, x := range f.h.Isolates(ctx) {
		if x.Addr == 0 || x.Heap < x.Addr || x.Heap-x.Addr > code.MaxIsolate {
			continue
		}
		data, _ := core.ReadBytes(hs.Space, x.Addr, uint64(x.Heap+tablesTail-x.Addr))
		for i := 0; i+24 <= len(data); i += 8 {
			next, limit := core.Addr(hs.Order.Uint64(data[i:])), core.Addr(hs.Order.Uint64(data[i+8:]))
			if next == 0 || (next|limit)&7 != 0 || limit < next || limit-next > scopeBlock || limit < scopeBlock {
				continue
			}
			if level := hs.Order.Uint64(data[i+16:]); level&(maxLevel-1|(maxLevel-1)<<32) != level {
				continue // how deep scopes are nested, and which of them are sealed
			}
			start := limit - scopeBlock
			if _, isPage := f.h.page(start); !isPage && f.isScopeBlock(start, next) && !blocks[start] {
				blocks[start] = true
				emit(start, next)
			}
		}
	}
	if len(blocks) == 0 {
		return ctx.Err()
	}
	// Blocks that are full come before the last one in a list.
	return f.regions(ctx, func(at core.Addr, data []byte) {
		for i := int(-at&7) + 8; i+8 <= len(data); i += 8 {
			if !blocks[core.Addr(hs.Order.Uint64(data[i:]))] {
				continue
			}
			for k := i - 8; k >= 0; k -= 8 {
				start := core.Addr(hs.Order.Uint64(data[k:]))
				if blocks[start] || start&7 != 0 || start == 0 || !f.isScopeBlock(start, start+scopeBlock) {
					break
				}
				blocks[start] = true
				emit(start, start+scopeBlock)
			}
		}
	})
}

// isScopeBlock reports whether all words from start on refer to objects, or are
// numbers: handles are nothing else.
func (f *rootFinder) isScopeBlock(start, end core.Addr) bool {
	if f.isDone(start, int(end-start)) {
		return false // a table of another kind
	}
	data, err := core.ReadBytes(f.h.v.Space, start, uint64(end-start))
	if err != nil || len(data) == 0 {
		return false
	}
	found := 0
	for i := 0; i+8 <= len(data); i += 8 {
		t := layout.Tagged(f.h.v.Order.Uint64(data[i:]))
		switch {
		case t&3 == 1:
			if _, ok := f.h.page(t.Addr()); !ok {
				return false
			}
			found++
		case uint32(t) != 0:
			return false
		}
	}
	return found > 0
}

// isolates finds what the isolates themselves refer to.
func (f *rootFinder) isolates(ctx context.Context, yield func(Root)) error {
	hs := f.h.v
	for _, x := range f.h.Isolates(ctx) {
		if x.Addr == 0 || x.Heap < x.Addr || x.Heap-x.Addr > code.MaxIsolate {
			continue
		}
		end := x.Heap + isolateTail
		data, _ := core.ReadBytes(hs.Space, x.Addr, uint64(end-x.Addr))
		f.words(x.Addr, data, func(a core.Addr, t layout.Tagged) {
			yield(Root{Kind: RootIsolate, Place: a, Target: t})
		})
		f.done = append(f.done, layout.Area{Start: x.Addr, End: end})
	}
	return ctx.Err()
}

// memory finds what the rest of memory refers to.
func (f *rootFinder) memory(ctx context.Context, yield func(Root)) error {
	return f.regions(ctx, func(at core.Addr, data []byte) {
		end := at + core.Addr(len(data))
		var skip []layout.Area
		for _, x := range f.done {
			if x.Start < end && x.End > at {
				skip = append(skip, x)
			}
		}
		f.words(at, data, func(a core.Addr, t layout.Tagged) {
			for _, x := range skip {
				if a >= x.Start && a < x.End {
					return
				}
			}
			yield(Root{Kind: RootMemory, Place: a, Target: t})
		})
	})
}
