package leaks

import (
	"context"
	"encoding/binary"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Options say what counts.
type Options struct {
	// Conservative counts what free chunks and dead stacks hold, too.
	Conservative bool
	// Lost is called for each lost block, in order of address; it may be nil.
	Lost func(at core.Addr, size uint64)
}

// A Result is what nothing leads to.
type Result struct {
	Clusters        []Cluster
	Count           int    // lost blocks
	Bytes           uint64 // of them
	Used            int    // blocks in use
	UsedBytes       uint64
	Missing, Unread uint64 // bytes of the process' memory that the core does not have; of heaps whose chunks are not known
}

// A finder marks blocks.
type finder struct {
	p            *core.Process
	heaps        []*block.Heap
	x            *index
	marks        []uint64
	work         []int32
	w            int
	order        binary.ByteOrder
	ignore       core.Addr
	conservative bool
	last         int
	ctx          context.Context
	edge         func(to int) // while clusters are made; nil while marking
	unread       uint64
	header       core.Addr // see block.Heap
}

// Find finds the lost blocks of allocators.
func Find(ctx context.Context, p *core.Process, heaps []*block.Heap, o Options) (*Result, error) {
	f := &finder{p: p, heaps: heaps, x: newIndex(heaps), conservative: o.Conservative, ctx: ctx, ignore: p.Space.Ignored}
	f.order, f.w = p.Words()
	for _, h := range heaps {
		f.header = max(f.header, h.Header)
	}
	res := &Result{}
	if f.x.count == 0 {
		return res, nil
	}
	f.marks = make([]uint64, (f.x.count+63)/64)
	f.registers(func(v core.Addr) { f.visit(v) })
	f.drain()
	f.memory(func(from, to core.Addr) { f.scan(from, to); f.drain() })
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

// visit marks the block that a word leads to.
func (f *finder) visit(v core.Addr) {
	if f.ignore != 0 {
		v &^= f.ignore
	}
	id := f.x.find(v, &f.last)
	if id < 0 {
		return
	}
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
		f.inside(f.x.chunk(int(id)))
	}
}

// inside visits the words of a block. What the allocator had written there while the block was free is
// passed over: from the third word on glibc links the chunks of a large bin by size, and one that is alone of its size to itself.
func (f *finder) inside(p *block.Packed) {
	if p.Own() {
		return
	}
	from, w := p.At, core.Addr(f.w)
	if h := f.header; h != 0 && p.Size() >= 4*uint64(w) {
		var head [4 * 8]byte
		if _, err := f.p.Space.ReadAt(head[:4*w], p.At); err == nil {
			for i := range 4 {
				if v := f.word(head[i*f.w:]); i < 2 || v != p.At-h {
					f.visit(v)
				}
			}
			from += 4 * w
		}
	}
	f.scan(from, p.End())
}

// word returns the word that bytes begin with.
func (f *finder) word(b []byte) core.Addr {
	if f.w == 4 {
		return core.Addr(f.order.Uint32(b))
	}
	return core.Addr(f.order.Uint64(b))
}

// scan visits the words of a range of memory.
func (f *finder) scan(from, to core.Addr) {
	w := core.Addr(f.w)
	from = from.Align(uint64(w))
	for from+w <= to {
		if f.ctx.Err() != nil {
			return
		}
		b, err := f.p.Space.Window(from)
		if err != nil || core.Addr(len(b)) < w {
			next := f.skip(from, to)
			f.unread += uint64(next - from)
			from = next
			continue
		}
		if core.Addr(len(b)) > to-from {
			b = b[:to-from]
		}
		f.words(b)
		from += core.Addr(len(b)) &^ (w - 1)
	}
}

// words visits the words of bytes.
func (f *finder) words(b []byte) {
	if f.w == 8 && f.order == binary.LittleEndian {
		low, high, mask := uint64(f.x.low), uint64(f.x.high), ^uint64(f.ignore)
		for ; len(b) >= 8; b = b[8:] {
			if v := binary.LittleEndian.Uint64(b) & mask; v >= low && v < high {
				f.visit(core.Addr(v))
			}
		}
		return
	}
	for ; len(b) >= f.w; b = b[f.w:] {
		f.visit(f.word(b))
	}
}

// skip returns where memory may be read again, after a place where it cannot.
func (f *finder) skip(at, to core.Addr) core.Addr {
	g, ok := f.p.Space.Resolve(at)
	if !ok || g.Kind != core.SegGap {
		return min((at+1<<pageShift)&^(1<<pageShift-1), to)
	}
	return min(g.End, to)
}

// freeChunks visits what free chunks hold.
func (f *finder) freeChunks() {
	for i := range f.x.all {
		s := &f.x.all[i]
		for k := range s.Chunks {
			if p := &s.Chunks[k]; p.State() != block.Used {
				f.scan(p.At, min(p.End(), s.End))
			}
		}
	}
}

// sum counts what is in use, and what of it is lost.
func (f *finder) sum(res *Result, lost func(core.Addr, uint64)) {
	for i := range f.x.all {
		s := &f.x.all[i]
		res.Unread += s.Lost + s.Missing
		for k := range s.Chunks {
			p := &s.Chunks[k]
			if p.State() != block.Used {
				continue
			}
			res.Used++
			res.UsedBytes += p.Size()
			if !f.marked(s.base+k) && !p.Own() {
				res.Count++
				res.Bytes += p.Size()
				if lost != nil {
					lost(p.At, p.Size())
				}
			}
		}
	}
}
