package heap

import (
	"context"
	"strconv"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Handles of the embedder are nodes in blocks, of which each knows its number: blocks are
// found by that. A node begins with the object, 16 bits of a class id or of the next free
// node, the number, and flags. Global ones have a callback and a link as well
// (handles/global-handles.cc). Traced ones keep an object alive as long as an object of C++
// that has them is reached; which are is not known here, so that all count
// (handles/traced-handles.cc; handles/global-handles.cc until V8 10.8).

const (
	// handleBlock is how many nodes a block has at least: kBlockSize, kMinCapacity.
	handleBlock = 256
	// maxHandleBlock is how many one of traced handles has at most: kMaxCapacity.
	maxHandleBlock = 1<<16 - 1
	// indexAt is where a node has its number.
	indexAt = 10
)

// handleNodes are how nodes of one kind look.
type handleNodes struct {
	kind RootKind
	size int
	// wide is set if numbers have 16 bits, in blocks as long as memory allowed, where nodes may
	// also have numbers of 8.
	wide bool
}

var nodeKinds = []handleNodes{{RootHandle, 32, false}, {RootTraced, 24, false}, {RootTraced, 16, true}}

// handles finds global and traced handles.
func (f *rootFinder) handles(ctx context.Context, yield func(Root)) error {
	scans := make([]blockScan, len(nodeKinds))
	for i, n := range nodeKinds {
		scans[i] = blockScan{f: f, nodes: n}
	}
	return f.regions(ctx, func(at core.Addr, data []byte) {
		for i := range scans {
			scans[i].region(at, data, yield)
		}
	})
}

// A blockScan finds the blocks of nodes of one kind, in one region after the other.
type blockScan struct {
	f      *rootFinder
	nodes  handleNodes
	rest   []byte // of the region before, for a block across the border
	restAt core.Addr
}

// region finds the blocks in a region, and across the border before it.
func (s *blockScan) region(at core.Addr, data []byte, yield func(Root)) {
	size := handleBlock * s.nodes.size
	begin := 0
	if n := len(s.rest); n > 0 && s.restAt+core.Addr(n) == at {
		border := append(s.rest[:n:n], data[:min(size, len(data))]...)
		i := s.blocks(s.restAt, border, yield)
		if i < n { // the region is shorter than a block
			s.rest, s.restAt = border[i:], s.restAt+core.Addr(i)
			return
		}
		begin = i - n
	}
	begin += s.blocks(at+core.Addr(begin), data[begin:], yield)
	s.rest, s.restAt = data[begin:], at+core.Addr(begin)
}

// blocks finds the handles in the blocks of data, and returns where one may begin that does
// not end there.
func (s *blockScan) blocks(at core.Addr, data []byte, yield func(Root)) int {
	size := handleBlock * s.nodes.size
	i := int(-at & 7)
	for i+size <= len(data) {
		n := s.nodes.count(data[i:])
		if n == 0 {
			i += 8
			continue
		}
		block := data[i : i+n*s.nodes.size]
		s.block(s.kind(at+core.Addr(i+len(block))), at+core.Addr(i), block, yield)
		s.f.done = append(s.f.done, layout.Area{Start: at + core.Addr(i), End: at + core.Addr(i+len(block))})
		i += len(block)
	}
	return min(i, len(data))
}

// globalHandlesWords is how many words of GlobalHandles are looked at.
const globalHandlesWords = 32

// kind returns that of the nodes of a block that ends somewhere. Until V8 10.4 traced ones
// have the same size as global ones. After the nodes of a block come the next block, the
// GlobalHandles, and the space that it is of, which is among the members of these: those of
// global handles first, after the isolate.
func (s *blockScan) kind(end core.Addr) RootKind {
	hs := s.f.h.v
	handles, ok1 := hs.Word(end + 8)
	space, ok2 := hs.Word(end + 16)
	if s.nodes.wide || !ok1 || !ok2 || handles == 0 || space == 0 {
		return s.nodes.kind
	}
	for i := range core.Addr(globalHandlesWords) {
		switch w, ok := hs.Word(core.Addr(handles) + 8*i); {
		case !ok:
			return s.nodes.kind
		case w == space && i == 1:
			return RootHandle
		case w == space && i > 1:
			return RootTraced
		}
	}
	return s.nodes.kind
}

// block visits the handles in a block that are in use.
func (s *blockScan) block(kind RootKind, at core.Addr, block []byte, yield func(Root)) {
	order := s.f.h.v.Order
	flagsAt, inUse := indexAt+1, byte(3) // of the state: free, normal, weak, dying
	if s.nodes.wide {
		inUse = 1
		if s.nodes.wideIndex(block) {
			flagsAt = indexAt + 2
		}
	}
	for k := 0; k+s.nodes.size <= len(block); k += s.nodes.size {
		node := block[k:]
		t := layout.Tagged(order.Uint64(node))
		if node[flagsAt]&inUse != 1 || kind == RootTraced && t&3 != 1 {
			continue
		}
		r := Root{Kind: kind, Place: at + core.Addr(k), Target: t}
		if class := order.Uint16(node[8:]); class != 0 && kind == RootHandle {
			r.Name = "class id " + strconv.Itoa(int(class))
		}
		yield(r)
	}
}

// count returns how many nodes the block has that data begins with; 0 if none does.
func (n handleNodes) count(data []byte) int {
	if data[indexAt] != 0 || data[n.size+indexAt] != 1 {
		return 0
	}
	for k := range handleBlock {
		if data[k*n.size+indexAt] != byte(k) {
			return 0
		}
	}
	k := handleBlock
	for wide := n.wide && n.wideIndex(data); wide && k < maxHandleBlock && (k+1)*n.size <= len(data); {
		if node := data[k*n.size+indexAt:]; node[0] != byte(k) || node[1] != byte(k>>8) {
			break
		}
		k++
	}
	return k
}

// wideIndex reports whether the numbers of a block have 16 bits: the upper ones are clear in
// the first nodes, where flags would be set.
func (n handleNodes) wideIndex(block []byte) bool {
	for k := range handleBlock {
		if block[k*n.size+indexAt+1] != 0 {
			return false
		}
	}
	return true
}
