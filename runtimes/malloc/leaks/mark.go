package leaks

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Options say what counts.
type Options struct {
	// Conservative counts what free chunks and dead stacks hold, too.
	Conservative bool
	// Held calls mark with addresses that lead to blocks although no word in memory may have them as they
	// are: pointers of managed objects that are compressed, or tagged, or whose heap the core lacks. It may
	// be nil.
	Held func(mark func(core.Addr))
	// Unused are the ends of blocks that lead to nothing, such as the unused capacity of containers.
	Unused []block.Span
	// Lost is called for each lost block, in order of address; it may be nil.
	Lost func(at core.Addr, size uint64)
}

// A Result is what nothing leads to.
type Result struct {
	Clusters  []Cluster
	Count     int    // lost blocks
	Bytes     uint64 // of them
	Used      int    // blocks in use
	UsedBytes uint64
	// bytes of the process' memory that the core does not have; of heaps whose chunks are not known
	Missing, Unread uint64
}

// A finder marks blocks.
type finder struct {
	*Scanner
	marks []uint64
	work  []int32
	edge  func(to int) // while clusters are made; nil while marking
}

// Find finds the lost blocks of allocators.
func Find(ctx context.Context, p *core.Process, heaps []*block.Heap, o Options) (*Result, error) {
	f := &finder{Scanner: NewScanner(ctx, p, heaps, block.NewIndex(heaps))}
	f.conservative = o.Conservative
	f.PassOver(o.Unused)
	res := &Result{}
	if f.x.Len() == 0 {
		return res, nil
	}
	f.marks = make([]uint64, (f.x.Len()+63)/64)
	f.Registers(func(id int, _ *core.Thread) { f.mark(id, 0) })
	f.drain()
	f.Memory(func(from, to core.Addr) { f.Range(from, to, f.mark); f.drain() })
	if o.Held != nil {
		o.Held(func(a core.Addr) { f.visit(a, 0, f.mark) })
		f.drain()
	}
	if o.Conservative {
		f.freeChunks()
		f.drain()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.sum(res, o.Lost)
	res.Missing = f.unread
	res.Clusters = f.clusters()
	return res, ctx.Err()
}

// mark marks a block that a word leads to.
func (f *finder) mark(id int, _ core.Addr) {
	if f.edge != nil {
		f.edge(id)
		return
	}
	if f.marks[id>>6]>>(id&63)&1 == 0 {
		f.marks[id>>6] |= 1 << (id & 63)
		f.work = append(f.work, int32(id))
	}
}

func (f *finder) marked(id int) bool { return f.marks[id>>6]>>(id&63)&1 == 1 }

// drain follows what was marked.
func (f *finder) drain() {
	for n := 0; len(f.work) > 0; n++ {
		if n&0xffff == 0 && f.ctx.Err() != nil {
			return
		}
		id := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		f.Inside(f.x.Chunk(int(id)), f.mark)
	}
}

// freeChunks marks the blocks that free chunks lead to.
func (f *finder) freeChunks() {
	f.x.Regions(func(r *block.Region, _ int) {
		for k := range r.Chunks {
			if p := &r.Chunks[k]; p.State() != block.Used {
				f.Range(p.At, min(p.End(), r.End), f.mark)
			}
		}
	})
}

// sum counts the blocks in use and the lost ones among them.
func (f *finder) sum(res *Result, lost func(core.Addr, uint64)) {
	f.x.Regions(func(r *block.Region, _ int) { res.Unread += r.Lost + r.Missing })
	f.x.Each(func(id int, p *block.Packed) bool {
		res.Used++
		res.UsedBytes += p.Size()
		if !f.marked(id) && !p.Own() {
			res.Count++
			res.Bytes += p.Size()
			if lost != nil {
				lost(p.At, p.Size())
			}
		}
		return true
	})
}
