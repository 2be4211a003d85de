package heap

import (
	"context"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// Through traced handles (v8::TracedReference) objects of C++ refer to objects of JavaScript, in Chromium, Deno
// and add-ons. Each keeps its object for as long as the C++ object that holds the handle is reached from
// JavaScript or from C++. This reachability is not read here.
//
// They are found from the isolate alone, as a block of nodes looks much like other blocks.
// Its member global_handles_ is the one that leads to an object which begins with
// the isolate and has node spaces, which in turn begin with that object
// (execution/isolate.h, handles/global-handles.h).
//
// Until V8 10.8 the second of these spaces has the traced nodes, in blocks of 256: the nodes, the next block,
// the GlobalHandles, the space. From then on traced_handles_ is the member after global_handles_, or the object
// that this member points to: the first block and their number. A block begins with its place in the list, and
// has a reference to the TracedHandles before its nodes. Each node has its own index. In the first of these
// versions the nodes come first (handles/traced-handles.h, handles/traced-handles.cc).

const (
	// globalHandlesWords is how many words of a GlobalHandles are looked at.
	globalHandlesWords = 32
	// tracedNear is how many members of an isolate after global_handles_ are looked at.
	tracedNear = 8
	// maxTracedNodes bounds the nodes of a block: TracedNodeBlock::kMaxCapacity.
	maxTracedNodes = 1<<16 - 2
	// tracedNode is the bytes of a node from V8 10.9 on.
	tracedNode = 16
)

// tracedNodes are how the nodes of a block look.
type tracedNodes struct {
	size    int
	indexAt int // where a node has its number
	index16 bool
	flagsAt int
	state   byte // of the flags: 1 in a node in use
}

var (
	// oldTraced are nodes of GlobalHandles; their size is found by the words after them.
	oldTraced = tracedNodes{indexAt: 10, flagsAt: 11, state: 3}
	// firstTraced and laterTraced are nodes of TracedHandles.
	firstTraced = tracedNodes{size: tracedNode, indexAt: 8, flagsAt: 9, state: 1}
	laterTraced = tracedNodes{size: tracedNode, indexAt: 10, index16: true, flagsAt: 12, state: 1}
)

// findTraced finds the traced handles of the isolates that are known.
func (f *rootFinder) findTraced(ctx context.Context) error {
	for _, x := range f.h.Isolates(ctx) {
		if x.Addr != 0 && x.Heap >= x.Addr && x.Heap-x.Addr <= code.MaxIsolate {
			f.tracedIsolate(x.Addr, uint64(x.Heap+tablesTail-x.Addr))
		}
	}
	return ctx.Err()
}

// tracedIsolate finds the traced handles of the isolate that contains the bytes at at, once.
func (f *rootFinder) tracedIsolate(at core.Addr, size uint64) {
	hs := f.h.v
	if f.looked[at] {
		return
	}
	f.looked[at] = true
	data, _ := core.ReadBytes(hs.Space, at, size)
	for i := 0; i+8 <= len(data); i += 8 {
		handles := core.Addr(hs.Order.Uint64(data[i:]))
		switch spaces := f.nodeSpaces(at, handles); len(spaces) {
		case 0:
			continue
		case 1:
			f.tracedMember(at + core.Addr(i))
		default:
			f.tracedSpace(handles, spaces[1])
		}
		return
	}
}

// tracedGlobal looks at a block that has the form of one of global handles. It finds the traced
// handles of the isolate, which the block leads to, and reports whether it is a
// block of these itself.
func (f *rootFinder) tracedGlobal(at core.Addr) bool {
	hs := f.h.v
	end := at + handleBlock*handleNode
	handles, ok1 := hs.Word(end + 8)
	space, ok2 := hs.Word(end + 16)
	isolate, ok3 := hs.Word(core.Addr(handles))
	if !ok1 || !ok2 || !ok3 || !slices.Contains(f.nodeSpaces(core.Addr(isolate), core.Addr(handles)),
		core.Addr(space)) {
		return false
	}
	f.tracedIsolate(core.Addr(isolate), code.MaxIsolate)
	return f.isDone(at, handleBlock*handleNode)
}

// nodeSpaces returns the node spaces of the GlobalHandles at; none if there is none.
func (f *rootFinder) nodeSpaces(isolate, at core.Addr) []core.Addr {
	hs := f.h.v
	if w, ok := hs.Word(at); at == 0 || at&7 != 0 || !ok || core.Addr(w) != isolate {
		return nil
	}
	data, _ := core.ReadBytes(hs.Space, at, 8*globalHandlesWords)
	var out []core.Addr
	for i := 8; i+8 <= len(data); i += 8 {
		p := core.Addr(hs.Order.Uint64(data[i:]))
		if p == 0 || p&7 != 0 {
			continue
		}
		if w, ok := hs.Word(p); ok && core.Addr(w) == at {
			out = append(out, p)
		}
	}
	return out
}

// tracedSpace finds the traced handles in the blocks of a node space.
func (f *rootFinder) tracedSpace(handles, space core.Addr) {
	hs := f.h.v
	next, _ := hs.Word(space + 8)
	seen := map[core.Addr]bool{}
	for {
		at := core.Addr(next)
		nodes, ok := f.oldBlock(at, handles, space)
		if !ok || seen[at] {
			return
		}
		seen[at] = true
		f.tracedBlock(nodes, at, handleBlock)
		next, _ = hs.Word(at + core.Addr(handleBlock*nodes.size))
	}
}

// oldBlock returns how the nodes of a block of a node space look; false if there is no block.
func (f *rootFinder) oldBlock(at, handles, space core.Addr) (tracedNodes, bool) {
	hs := f.h.v
	if at == 0 || at&7 != 0 {
		return tracedNodes{}, false
	}
	for size := 16; size <= 64; size += 8 {
		end := at + core.Addr(handleBlock*size)
		h, ok1 := hs.Word(end + 8)
		s, ok2 := hs.Word(end + 16)
		nodes := oldTraced
		nodes.size = size
		if ok1 && ok2 && core.Addr(h) == handles && core.Addr(s) == space && f.numbered(nodes, at) == handleBlock {
			return nodes, true
		}
	}
	return tracedNodes{}, false
}

// tracedMember finds the handles of the TracedHandles that an isolate has after the
// member at.
func (f *rootFinder) tracedMember(at core.Addr) {
	for range tracedNear {
		at += 8
		own, ok := f.h.v.Word(at)
		if !ok {
			return
		}
		for _, owner := range []core.Addr{at, core.Addr(own)} {
			if f.tracedHandles(owner) {
				return
			}
		}
	}
}

// tracedHandles finds the handles of a TracedHandles, and reports whether there is a block
// of it.
func (f *rootFinder) tracedHandles(owner core.Addr) bool {
	hs := f.h.v
	if owner == 0 || owner&7 != 0 {
		return false
	}
	next, _ := hs.Word(owner)
	seen := map[core.Addr]bool{}
	for {
		b, ok := f.newBlock(core.Addr(next), owner)
		if !ok || seen[b.begin] {
			return len(seen) > 0
		}
		seen[b.begin] = true
		f.tracedBlock(b.nodes, b.begin, b.count)
		next = b.next
	}
}

// A newTraced is a TracedNodeBlock.
type newTraced struct {
	nodes tracedNodes
	begin core.Addr // of its nodes
	count int
	next  uint64 // where the next block is; 0 if this is the last
}

// newBlock returns the block at, of a TracedHandles; false if there is none.
func (f *rootFinder) newBlock(at, owner core.Addr) (newTraced, bool) {
	const firstNodes = handleBlock * tracedNode
	hs := f.h.v
	if at == 0 || at&7 != 0 {
		return newTraced{}, false
	}
	// The lists that a block is in have two words each, before the reference.
	for _, list := range []core.Addr{0, firstNodes} {
		for lists := core.Addr(2); lists <= 3; lists++ {
			ref := at + list + 16*lists
			if w, ok := hs.Word(ref); !ok || core.Addr(w) != owner {
				continue
			}
			next, _ := hs.Word(at + list + 8)
			if list > 0 {
				if f.numbered(firstTraced, at) >= handleBlock {
					return newTraced{firstTraced, at, handleBlock, next}, true
				}
				continue
			}
			// Counts come after the reference, and in some versions a bit for each node.
			for begin := ref + 16; begin <= ref+80; begin += 8 {
				if n := f.numbered(laterTraced, begin); n >= handleBlock {
					return newTraced{laterTraced, begin, n, next}, true
				}
			}
		}
	}
	return newTraced{}, false
}

// numbered returns how many nodes in a row have their numbers.
func (f *rootFinder) numbered(n tracedNodes, at core.Addr) int {
	most := handleBlock
	if n.index16 {
		most = maxTracedNodes
	}
	count := 0
	for count < most {
		data, _ := core.ReadBytes(f.h.v.Space, at+core.Addr(count*n.size), uint64(handleBlock*n.size))
		k := 0
		for ; (k+1)*n.size <= len(data) && count < most; k++ {
			node := data[k*n.size:]
			if n.index16 && int(f.h.v.Order.Uint16(node[n.indexAt:])) != count ||
				!n.index16 && node[n.indexAt] != byte(count) {
				return count
			}
			count++
		}
		if k < handleBlock {
			return count
		}
	}
	return count
}

// tracedBlock keeps what the nodes of a block that are in use refer to.
func (f *rootFinder) tracedBlock(n tracedNodes, begin core.Addr, count int) {
	size := uint64(count * n.size)
	data, _ := core.ReadBytes(f.h.v.Space, begin, size)
	for k := 0; k+n.size <= len(data); k += n.size {
		node := data[k:]
		if t := layout.Tagged(f.h.v.Order.Uint64(node)); node[n.flagsAt]&n.state == 1 && t&3 == 1 {
			f.traced = append(f.traced, Root{Kind: RootTraced, Place: begin + core.Addr(k), Target: t})
		}
	}
	f.done = append(f.done, layout.Area{Start: begin, End: begin + core.Addr(size)})
}

// tracedRoots visits the traced handles that findTraced has found.
func (f *rootFinder) tracedRoots(ctx context.Context, yield func(Root)) error {
	for _, r := range f.traced {
		yield(r)
	}
	return ctx.Err()
}
