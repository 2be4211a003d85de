package managed

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/malloc/block"
)

// A Pointer leads from an object of a runtime's heap to memory outside of it.
type Pointer struct {
	runtimes.External
	Runtime runtimes.Runtime
}

// Pointers are the pointers of managed objects to memory outside of their heaps.
type Pointers struct {
	p        *core.Process
	blocks   *block.Index // of the allocators of C
	list     []Pointer    // in order of the memory's address
	ends     []core.Addr
	byObject []int32 // numbers in list, in order of the object's address
}

const (
	maxPointers = 1 << 26 // that are kept
	maxFound    = 64      // that one look-up returns
	objectMask  = 3       // the bits of an object's address that may be a tag
)

// Find gathers the pointers of managed objects to memory outside of their heaps. It looks at all objects. The
// heaps are the memory of the allocators of C.
func Find(ctx context.Context, p *core.Process, all []runtimes.Runtime, heaps []*block.Heap) (*Pointers, error) {
	x := &Pointers{p: p, blocks: block.NewIndex(heaps)}
	last := 0
	for _, r := range all {
		e, ok := r.(runtimes.ExternalHolder)
		if !ok {
			continue
		}
		err := e.Externals(ctx, func(p runtimes.External) bool {
			if p.At != 0 && (!p.Number || x.begins(p.At, &last)) {
				x.list = append(x.list, Pointer{p, r})
			}
			return len(x.list) < maxPointers
		})
		if err != nil {
			return nil, err
		}
	}
	x.sort()
	return x, nil
}

// begins reports whether a block of an allocator of C, in use, begins at an address.
func (x *Pointers) begins(a core.Addr, last *int) bool {
	id := x.blocks.Find(a, last)
	return id >= 0 && x.blocks.Chunk(id).At == a
}

// All calls visit for all pointers, in order of the memory's address.
func (x *Pointers) All(visit func(*Pointer)) {
	for i := range x.list {
		visit(&x.list[i])
	}
}

func (x *Pointers) sort() {
	slices.SortStableFunc(x.list, func(a, b Pointer) int {
		return cmp.Or(cmp.Compare(a.At, b.At),
			cmp.Compare(a.Object, b.Object))
	})
	x.list = slices.CompactFunc(x.list, func(a, b Pointer) bool { return a.External == b.External })
	end := core.Addr(0)
	for i := range x.list {
		p := &x.list[i]
		if after := p.At + core.Addr(p.Size); after > p.At {
			end = max(end, after)
		}
		x.ends, x.byObject = append(x.ends, end), append(x.byObject, int32(i))
	}
	slices.SortStableFunc(x.byObject, func(a, b int32) int { return cmp.Compare(x.list[a].Object, x.list[b].Object) })
}

// Holding returns the pointers to the memory that has an address: their own size says so, or they lead into
// the block from start on, of size bytes. The size is 0 if the address is in no block.
func (x *Pointers) Holding(a, start core.Addr, size uint64) (out []Pointer) {
	end := max(start+core.Addr(size), a+1)
	i := sort.Search(len(x.list), func(i int) bool { return x.list[i].At >= end })
	for i--; i >= 0 && len(out) < maxFound && (x.ends[i] > a || size > 0 && x.list[i].At >= start); i-- {
		p := &x.list[i]
		if a >= p.At && uint64(a-p.At) < p.Size || size > 0 && p.At >= start {
			out = append(out, *p)
		}
	}
	slices.Reverse(out)
	return out
}

// A Between is a block of the heap of C between an object and a block that it has by that one.
type Between struct {
	Pointer
	Block core.Addr // where the block between begins
	Bytes uint64
}

// Through returns the pointers to blocks that have a word which leads to the start of a block, among their
// first bytes: a wrapper leads to an object of C++, and that to the block.
func (x *Pointers) Through(ctx context.Context, start core.Addr) (out []Between) {
	order, word := x.p.Words()
	last, seen := 0, core.Addr(0)
	var buf [throughBytes]byte
	for i := 0; i < len(x.list) && len(out) < maxFound && (i&0xfff != 0 || ctx.Err() == nil); i++ {
		p := &x.list[i]
		id := x.blocks.Find(p.At, &last)
		if p.Size != 0 || id < 0 || p.At == seen {
			continue
		}
		seen = p.At
		b := x.blocks.Chunk(id)
		n, _ := x.p.Space.ReadAt(buf[:min(uint64(len(buf)), b.Size())], b.At)
		for off := 0; off+word <= n; off += word {
			v := core.Addr(order.Uint32(buf[off:]))
			if word == 8 {
				v = core.Addr(order.Uint64(buf[off:]))
			}
			if v == start {
				out = append(out, Between{*p, b.At, b.Size()})
				break
			}
		}
	}
	return out
}

// throughBytes is how many bytes of a block Through looks at.
const throughBytes = 512

// From returns the pointers of an object.
func (x *Pointers) From(object core.Addr) (out []Pointer) {
	object &^= objectMask
	i := sort.Search(len(x.byObject), func(i int) bool { return x.list[x.byObject[i]].Object >= object })
	for ; i < len(x.byObject) && x.list[x.byObject[i]].Object&^objectMask == object && len(out) < maxFound; i++ {
		out = append(out, x.list[x.byObject[i]])
	}
	return out
}

// RootOf returns the managed object that is a root of the heap of C, in the graph of its heap. It returns
// false for other roots, and if the graph cannot be made.
func RootOf(ctx context.Context, all []runtimes.Runtime, root *heap.Root) (*heap.Graph, heap.ID, bool) {
	if root.Object == "" {
		return nil, heap.None, false
	}
	for _, r := range all {
		x, ok := r.(runtimes.Grapher)
		if !ok || r.Name() != root.Object {
			continue
		}
		g, err := x.Graph(ctx)
		if err != nil {
			break
		}
		id, ok := g.ID(g.Source().Start(root.Place))
		return g, id, ok
	}
	return nil, heap.None, false
}

// HeldBy says what holds an object of a runtime's heap, in a few words: its owners (heap.Owner), else a static field
// or the root; "" if nothing does, or it is not known. It needs the graph of the heap.
func HeldBy(ctx context.Context, g *heap.Graph, id heap.ID) string {
	const searches = 2000
	var owners []string
	for _, o := range g.OwnersOf(ctx, id, heap.NewBudget(searches)) {
		owners = append(owners, o.String())
	}
	if len(owners) > 0 {
		return strings.Join(owners, ", ")
	}
	ways, err := g.Paths(ctx, id, 1)
	if err != nil || len(ways) == 0 {
		return ""
	}
	path := make([]core.Addr, len(ways[0].Objects))
	for i, o := range ways[0].Objects {
		path[i] = g.Addr(o)
	}
	text := "a " + ways[0].Root.Kind
	for _, x := range g.Source().Steps(path) {
		if name, ok := x.Reference.Variable(); ok {
			text = name
		}
	}
	return text
}
