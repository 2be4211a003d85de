package leaks

import (
	"context"
	"encoding/binary"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// A Visit takes a block, by its number, that the word at an address leads to. The address is 0 for a register.
type Visit func(id int, at core.Addr)

// A Scanner finds the words that lead to blocks. It serves one goroutine.
type Scanner struct {
	p            *core.Process
	heaps        []*block.Heap
	x            *block.Index
	w            int
	order        binary.ByteOrder
	ignore       core.Addr
	conservative bool
	last         int
	ctx          context.Context
	unread       uint64
	header       core.Addr               // see block.Heap
	unused       map[core.Addr]core.Addr // where it begins, by the end of its block
}

// NewScanner returns a Scanner for blocks of heaps, which x has.
func NewScanner(ctx context.Context, p *core.Process, heaps []*block.Heap, x *block.Index) *Scanner {
	f := &Scanner{p: p, heaps: heaps, x: x, ctx: ctx, ignore: p.Space.Ignored}
	f.order, f.w = p.Words()
	for _, h := range heaps {
		f.header = max(f.header, h.Header)
	}
	return f
}

// PassOver leaves out the ends of blocks that are not in use, such as the unused capacity of containers.
func (f *Scanner) PassOver(ends []block.Span) {
	f.unused = make(map[core.Addr]core.Addr, len(ends))
	for _, s := range ends {
		f.unused[s.End] = s.Start
	}
}

// Clone returns a Scanner for another goroutine.
func (f *Scanner) Clone() *Scanner {
	c := *f
	c.last = 0
	return &c
}

// Missing returns how many bytes of the memory that was visited the core lacks.
func (f *Scanner) Missing() uint64 { return f.unread }

// visit visits the block that a word leads to.
func (f *Scanner) visit(v, at core.Addr, visit Visit) {
	if f.ignore != 0 {
		v &^= f.ignore
	}
	if id := f.x.Find(v, &f.last); id >= 0 {
		visit(id, at)
	}
}

// Inside visits the words of a block. What the allocator had written there while the block was free is passed
// over: from the third word on glibc links the chunks of a large bin by size, and one that is alone of its
// size to itself.
func (f *Scanner) Inside(p *block.Packed, visit Visit) {
	if p.Own() {
		return
	}
	from, end, w := p.At, p.End(), core.Addr(f.w)
	if len(f.unused) > 0 {
		if begin, ok := f.unused[end]; ok {
			end = max(begin, from)
		}
	}
	if h := f.header; h != 0 && p.Size() >= 4*uint64(w) {
		var head [4 * 8]byte
		if _, err := f.p.Space.ReadAt(head[:4*w], p.At); err == nil {
			for i := 0; i < 4 && from < end; i++ {
				if v := f.word(head[i*f.w:]); i < 2 || v != p.At-h {
					f.visit(v, from, visit)
				}
				from += w
			}
		}
	}
	if from < end {
		f.Range(from, end, visit)
	}
}

// word returns the word that bytes begin with.
func (f *Scanner) word(b []byte) core.Addr {
	if f.w == 4 {
		return core.Addr(f.order.Uint32(b))
	}
	return core.Addr(f.order.Uint64(b))
}

// Range visits the words of a range of memory.
func (f *Scanner) Range(from, to core.Addr, visit Visit) {
	f.unread += block.Windows(f.p, from, to, func(at core.Addr, b []byte) bool {
		if f.ctx.Err() != nil {
			return false
		}
		f.words(b, at, visit)
		return true
	})
}

// words visits the words of bytes.
func (f *Scanner) words(b []byte, at core.Addr, visit Visit) {
	if f.w == 8 && f.order == binary.LittleEndian {
		low, high := f.x.Bounds()
		for mask := ^f.ignore; len(b) >= 8; b, at = b[8:], at+8 {
			if v := core.Addr(binary.LittleEndian.Uint64(b)) & mask; v >= low && v < high {
				f.visit(v, at, visit)
			}
		}
		return
	}
	for ; len(b) >= f.w; b, at = b[f.w:], at+core.Addr(f.w) {
		f.visit(f.word(b), at, visit)
	}
}
