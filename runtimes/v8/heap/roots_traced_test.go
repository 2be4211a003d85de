package heap

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
)

// Where the fake process of these tests has its parts.
const (
	isolateAt  core.Addr = 0x100000
	handlesAt  core.Addr = 0x110000 // GlobalHandles
	regularAt  core.Addr = 0x111000 // its node spaces
	olderAt    core.Addr = 0x112000
	implAt     core.Addr = 0x113000 // TracedHandlesImpl
	blocksAt   core.Addr = 0x200000
	blockSize  core.Addr = 0x10000
	memberWord           = 20 // of the isolate: global_handles_
)

// nodesOf writes numbered nodes. The nodes 3 and 200 are in use.
func nodesOf(b []byte, n tracedNodes, count int) {
	for k := range count {
		node := b[k*n.size:]
		if n.index16 {
			binary.LittleEndian.PutUint16(node[n.indexAt:], uint16(k))
		} else {
			node[n.indexAt] = byte(k)
		}
		if k == 3 || k == 200 {
			binary.LittleEndian.PutUint64(node, uint64(0x5000+16*k+1))
			node[n.flagsAt] |= 1
		}
	}
}

// TestTracedHandles: handles are found in each of the forms of blocks, in all blocks of a list,
// and where the isolate does not lead to a block, or the block back, there are none.
func TestTracedHandles(t *testing.T) {
	words := func(b []byte, at int, list ...core.Addr) {
		for i, w := range list {
			binary.LittleEndian.PutUint64(b[at+8*i:], uint64(w))
		}
	}
	// later returns a block with its head, a reference to owner at ref, and nodes at begin.
	later := func(ref, begin, count int, owner, next core.Addr) []byte {
		b := make([]byte, blockSize)
		words(b, 8, next)
		words(b, ref, owner)
		nodesOf(b[begin:], laterTraced, count)
		return b
	}
	old := func(size int, space core.Addr) []byte {
		b := make([]byte, blockSize)
		n := oldTraced
		n.size = size
		nodesOf(b, n, handleBlock)
		words(b, handleBlock*size, 0, handlesAt, space)
		return b
	}
	first := make([]byte, blockSize)
	nodesOf(first, firstTraced, handleBlock)
	words(first, handleBlock*tracedNode, 0, 0, 0, 0, implAt)
	member := isolateAt + 8*(memberWord+1)
	for _, c := range []struct {
		name   string
		older  core.Addr // the first block of the second node space, if there is one
		member core.Addr // what follows global_handles_
		blocks [][]byte
		found  int
	}{
		{"node space, 32 bytes", blocksAt, 0, [][]byte{old(32, olderAt)}, 2},
		{"node space, 24 bytes", blocksAt, 0, [][]byte{old(24, olderAt)}, 2},
		{"a block of global handles", blocksAt, 0, [][]byte{old(32, regularAt)}, 0},
		{"nodes first", 0, implAt, [][]byte{first}, 2},
		{"head first", 0, implAt, [][]byte{later(32, 48, 300, implAt, 0)}, 2},
		{"three lists", 0, blocksAt, [][]byte{later(48, 72, 256, member, 0)}, 2},
		{"a bit for each node", 0, blocksAt, [][]byte{later(48, 96, 256, member, 0)}, 2},
		{"two blocks", 0, blocksAt, [][]byte{later(48, 72, 256, member, blocksAt+blockSize),
			later(48, 72, 256, member, 0)}, 4},
		{"a list that comes back", 0, blocksAt, [][]byte{later(48, 72, 256, member, blocksAt)}, 2},
		{"of another isolate", 0, blocksAt, [][]byte{later(48, 72, 256, member+0x4000, 0)}, 0},
		{"too few nodes", 0, blocksAt, [][]byte{later(48, 72, 255, member, 0)}, 0},
		{"no block", 0, 0, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			isolate := make([]byte, 0x1000)
			words(isolate, 8*memberWord, handlesAt, c.member)
			handles := make([]byte, 0x1000)
			words(handles, 0, isolateAt, 0, regularAt)
			if c.older != 0 {
				words(handles, 48, olderAt)
			}
			space := make([]byte, 0x1000)
			words(space, 0, handlesAt)
			older := slices.Clone(space)
			words(older, 8, c.older)
			impl := make([]byte, 0x1000)
			words(impl, 0, blocksAt, 1)
			b := coretest.New(core.AMD64).Map(isolateAt, isolate).Map(handlesAt, handles).Map(regularAt,
				space).Map(olderAt, older).Map(implAt, impl)
			for i, data := range c.blocks {
				b.Map(blocksAt+core.Addr(i)*blockSize, data)
			}
			mem := layout.NewMemory(runtimes.Target{Process: b.Process()}, &layout.Image{}, &layout.Layout{})
			f := rootFinder{h: &Snapshot{v: heapsOf(mem).Heaps}, looked: map[core.Addr]bool{}}
			f.tracedIsolate(isolateAt, uint64(len(isolate)))
			if len(f.traced) != c.found {
				t.Fatalf("%d handles, want %d: %v", len(f.traced), c.found, f.traced)
			}
			for i, r := range f.traced {
				if want := layout.Tagged([]uint64{0x5031, 0x5c81}[i%2]); r.Target != want || r.Kind != RootTraced {
					t.Errorf("%s to %x, want %x", r.Kind, r.Target, want)
				}
			}
		})
	}
}
