package crash

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/class"
)

// A sized counts the blocks of one size that an allocator has in use.
type sized struct {
	size    uint64
	count   int
	example []core.Addr // some of them
}

const (
	maxExamples = 64
	leastShare  = 4 // blocks of one size are named if they are at least a fourth of the bytes in use
)

// nativeFilling adds to a finding about memory that was used up the most frequent blocks of each allocator of C.
func (x heapExam) nativeFilling(f *finding) {
	if ownMemory(x.p) > fullBytes {
		f.evidence = append(f.evidence, "the heap of C is too large to say at once what fills it: ::memory takes its time")
		return
	}
	heap, err := malloc.Open(x.ctx, x.p)
	if err != nil {
		return
	}
	names := class.New(x.p, x.s.Symbols)
	names.Ask(heap.All)
	for _, a := range heap.All {
		h := a.Heap(x.ctx)
		sum := h.Sum(block.All)
		if sum.UsedBytes == 0 || x.ctx.Err() != nil {
			continue
		}
		text := fmt.Sprintf("the heap of C (%s) has %d KiB in use in %d blocks", a.Name(), sum.UsedBytes>>10, sum.Used)
		if s := largest(h); s != nil && s.size*uint64(s.count) >= sum.UsedBytes/leastShare {
			text += fmt.Sprintf(", %d KiB of it in %d blocks of %d bytes", s.size*uint64(s.count)>>10, s.count, s.size)
			if name := most(names, s); name != "" {
				text += ", such as " + name
			}
		}
		f.evidence = append(f.evidence, text)
	}
	f.next = append(f.next, "::memory", "::malloc -t")
}

// ownMemory returns the size of the writable memory that belongs to no file, in bytes.
func ownMemory(p *core.Process) (n uint64) {
	for _, m := range p.Mappings {
		if m.Prot&core.Write != 0 && (m.Path == "" || m.Path == "[heap]") {
			n += uint64(m.End - m.Start)
		}
	}
	return n
}

// largest returns the blocks of the size that takes the most bytes; nil if no block is in use.
func largest(h *block.Heap) *sized {
	sizes := map[uint64]*sized{}
	h.Each(func(_ block.Ref, p *block.Packed) bool {
		if p.State() != block.Used || p.Own() {
			return true
		}
		s := sizes[p.Size()]
		if s == nil {
			s = &sized{size: p.Size()}
			sizes[s.size] = s
		}
		if s.count++; len(s.example) < maxExamples {
			s.example = append(s.example, p.At)
		}
		return true
	})
	var best *sized
	for _, s := range sizes {
		if best == nil || cmp.Or(cmp.Compare(s.size*uint64(s.count), best.size*uint64(best.count)),
			cmp.Compare(s.size, best.size)) > 0 {
			best = s
		}
	}
	return best
}

// most returns the most frequent class of the examples. It returns "" if fewer than half of them have that class.
func most(names *class.Namer, s *sized) string {
	counts := map[string]int{}
	for _, at := range s.example {
		counts[names.Of(at, s.size).Name]++
	}
	best := ""
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if counts[name] > counts[best] || best == "" {
			best = name
		}
	}
	if 2*counts[best] < len(s.example) {
		return ""
	}
	return best
}
