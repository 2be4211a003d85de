package core

import (
	"fmt"
	"slices"
)

// TagGranule is how many bytes of memory have one allocation tag (Arm ARM, D10,
// "The Memory Tagging Extension").
const TagGranule = 16

// A TagRun is memory whose every granule has an allocation tag of four bits, which
// accesses compare with the tag in their pointer.
type TagRun struct {
	Start, End Addr // multiples of TagGranule; End is exclusive
	Src        Source
	Off        int64  // offset of the tags in Src: two tags a byte, the lower granule's in the low bits
	Size       uint64 // bytes of tags in Src, before any truncation; 0 if no tags were dumped
}

// Tag returns the allocation tag of the granule that holds a, whose top byte does not
// matter. The error is a *FaultError if the core lacks it.
func (r *TagRun) Tag(a Addr) (tag uint8, err error) {
	a = a.Untagged()
	if a < r.Start || a >= r.End {
		return 0, fmt.Errorf("%v: its memory has no tags", a)
	}
	n := uint64(a-r.Start) / TagGranule
	if n/2 >= r.Size {
		return 0, &FaultError{Addr: a, Gap: NotDumped, Detail: "its allocation tag"}
	}
	b, err := SourceSlice(r.Src, r.Off+int64(n/2), 1)
	if err != nil || len(b) == 0 {
		return 0, &FaultError{Addr: a, Gap: Truncated, Detail: "its allocation tag"}
	}
	return b[0] >> (4 * (n & 1)) & 15, nil
}

// TagRun returns the tagged memory that holds a, whose top byte does not matter.
func (p *Process) TagRun(a Addr) (*TagRun, bool) {
	a = a.Untagged()
	i, found := slices.BinarySearchFunc(p.Tags, a, func(r TagRun, a Addr) int {
		switch {
		case r.End <= a:
			return -1
		case r.Start > a:
			return 1
		}
		return 0
	})
	if !found {
		return nil, false
	}
	return &p.Tags[i], true
}

// Untagged returns the address without the byte that processors of arm64 ignore (Arm
// ARM, D8.8 "Address tagging").
func (a Addr) Untagged() Addr { return a & (1<<56 - 1) }

// LogicalTag returns the four bits of a pointer that accesses to tagged memory compare.
func (a Addr) LogicalTag() uint8 { return uint8(a>>56) & 15 }
