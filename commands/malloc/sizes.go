package malloc

import (
	"math/bits"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/runtimes/malloc/block"
)

// A sizeRecord is the chunks of a range of sizes.
type sizeRecord struct {
	_         out.Record `record:"mallocsize"`
	Allocator string     `json:"allocator"`
	From      uint64     `json:"from" col:"FROM,12,right"` // usable bytes
	To        uint64     `json:"to" col:"TO,12,right"`     // the largest
	Used      int        `json:"used" col:"USED,10,right"`
	UsedBytes uint64     `json:"used_bytes" col:"BYTES,14,right"`
	Free      int        `json:"free" col:"FREE,10,right"`
	FreeBytes uint64     `json:"free_bytes" col:"BYTES,14,right"`
}

// Sizes are in classes of 16 bytes up to fineSize, above that in four classes for each power of two.
const (
	fineSize = 256
	fineStep = 16
)

// sizeClass returns the number of a size's class.
func sizeClass(n uint64) int {
	if n <= fineSize {
		return int((n + fineStep - 1) / fineStep)
	}
	top := bits.Len64(n-1) - 1
	return fineSize/fineStep + 4*(top-8) + int((n-1)>>(top-2)&3) + 1
}

// emitSizes emits the histograms of all allocators.
func emitSizes(c *commands.Call, all []known) error {
	for _, k := range all {
		var rows []*sizeRecord
		k.heap.Each(func(_ block.Ref, p *block.Packed) bool {
			if s := p.State(); s == block.Used || s == block.Free {
				n := sizeClass(p.Size())
				for len(rows) <= n {
					rows = append(rows, nil)
				}
				if rows[n] == nil {
					rows[n] = &sizeRecord{Allocator: k.Name(), From: p.Size(), To: p.Size()}
				}
				rows[n].add(p)
			}
			return true
		})
		for _, r := range rows {
			if r == nil {
				continue
			}
			if err := c.Emit(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *sizeRecord) add(p *block.Packed) {
	n := p.Size()
	r.From, r.To = min(r.From, n), max(r.To, n)
	if p.State() == block.Used {
		r.Used++
		r.UsedBytes += n
	} else {
		r.Free++
		r.FreeBytes += n
	}
}
