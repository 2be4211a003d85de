package code

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes"
)

// maxBlocks bounds the blocks of a heap of code that are counted.
const maxBlocks = 1 << 20

// Usage returns the heaps of the code cache: the bytes of blocks that are in use, and of the memory that the heap has.
func (k *Cache) Usage() (out []runtimes.JavaSpace) {
	c := k.Process.Cursor()
	length, ok := k.Lookup("HeapBlock::Header._length")
	if !ok {
		return nil
	}
	for _, h := range k.heaps {
		s := runtimes.JavaSpace{Committed: uint64(h.high - h.low)}
		blocks := 0
		at := h.low
		for range maxBlocks {
			if at >= h.high {
				break
			}
			n := core.Addr(uint32(length.Int(c, at)))
			if c.Err() != nil || n == 0 || n > (h.high-at)>>h.shift {
				break // what follows was never used
			}
			if c.U8(at.Add(k.o.used)) != 0 {
				s.Used += uint64(n << h.shift)
				blocks++
			}
			at += n << h.shift
		}
		c.Reset()
		s.Name = fmt.Sprintf("%d blobs", blocks)
		out = append(out, s)
	}
	return out
}
