package block

import "coredbg/core"

// A State says what became of a chunk.
type State uint8

// The states. Top is the rest of a heap, which was not given out. Lost is memory whose chunks
// are not known, as a header was overwritten.
const (
	Used State = iota
	Free
	Top
	Lost
)

// String returns the word that JSON has.
func (s State) String() string { return [...]string{"used", "free", "top", "lost"}[s&3] }

// A Chunk is a piece of memory that an allocator gives out as a whole.
type Chunk struct {
	Addr  core.Addr // what malloc returned, or would
	Size  uint64    // usable bytes
	State State
	// where a free one is kept: "tcache", "fastbin", "bin"; a name for one in use that the allocator has for itself
	List string
}

// Contains reports whether a lies in the chunk.
func (c *Chunk) Contains(a core.Addr) bool { return a >= c.Addr && uint64(a-c.Addr) < c.Size }

// A Packed chunk is one as a Region keeps it.
type Packed struct {
	At   core.Addr // what malloc returned
	word uint64    // usable bytes, list, state
}

const (
	stateBits = 2
	listBits  = 6
	sizeShift = stateBits + listBits
	maxLists  = 1 << listBits
)

// Pack makes a chunk in use.
func Pack(at core.Addr, size uint64) Packed { return Packed{at, size << sizeShift} }

// PackAs makes a chunk of a state; list is as in Set.
func PackAs(at core.Addr, size uint64, s State, list int) Packed {
	p := Pack(at, size)
	p.Set(s, list)
	return p
}

// Size returns the usable bytes.
func (p *Packed) Size() uint64 { return p.word >> sizeShift }

// State returns the state.
func (p *Packed) State() State { return State(p.word & (1<<stateBits - 1)) }

// End returns where the usable bytes end.
func (p *Packed) End() core.Addr { return p.At + core.Addr(p.Size()) }

// limit returns the end of the addresses that lead to the chunk: a block of no bytes has its own address.
func (p *Packed) limit() core.Addr { return p.At + core.Addr(max(p.Size(), 1)) }

// List returns the number of the list that a free one is kept in; 0 for none.
func (p *Packed) List() int { return int(p.word >> stateBits & (maxLists - 1)) }

// Own reports whether the allocator has a chunk in use for itself: its pointers keep no block. Such a chunk has a list.
func (p *Packed) Own() bool { return p.State() == Used && p.List() != 0 }

// Set changes the state; list is a number of Heap.Lists, 0 for none.
func (p *Packed) Set(s State, list int) {
	p.word = p.word>>sizeShift<<sizeShift | uint64(list&(maxLists-1))<<stateBits | uint64(s)
}
