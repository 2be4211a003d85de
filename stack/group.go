package stack

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"

	"coredbg/core"
	"coredbg/walk"
)

// A Group is the threads that have the same stack, frame by frame.
type Group struct {
	TIDs  []int  // or IDs of the tasks that the threads stand for
	First *Stack // of the first of them, which is the one that crashed if that is here
	Mixed bool   // they are in different states
}

// Groups collects stacks. The zero value is empty.
type Groups struct {
	list  []*Group
	by    map[[2]uint64]*Group
	seeds [2]maphash.Seed
}

// Add puts a stack into its group.
func (g *Groups) Add(s *Stack) {
	if g.by == nil {
		g.by = map[[2]uint64]*Group{}
		g.seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
	}
	key := g.key(s)
	x := g.by[key]
	if x == nil {
		x = &Group{First: s}
		g.by[key] = x
		g.list = append(g.list, x)
	}
	if s.Thread.Crashed && len(x.TIDs) > 0 {
		x.TIDs, x.First = slices.Insert(x.TIDs, 0, int(s.Thread.ID())), s
	} else {
		x.TIDs = append(x.TIDs, int(s.Thread.ID()))
	}
	x.Mixed = x.Mixed || s.State != x.First.State
}

// Sorted returns the groups: the crashed thread's first, then the largest, then groups of the earliest
// threads.
func (g *Groups) Sorted() []*Group {
	slices.SortStableFunc(g.list, func(a, b *Group) int {
		if a.First.Thread.Crashed != b.First.Thread.Crashed {
			if a.First.Thread.Crashed {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(len(b.TIDs), len(a.TIDs)), cmp.Compare(a.TIDs[0], b.TIDs[0]))
	})
	return g.list
}

// key is the same for the same places in the same order. A place of managed code is its function and line: an
// interpreter and compilers run it at different addresses. Two hashes make a collision a matter of theory.
func (g *Groups) key(t *Stack) (key [2]uint64) {
	var hashes [2]maphash.Hash
	for i, seed := range g.seeds {
		hashes[i].SetSeed(seed)
	}
	var b [16]byte
	for f := range t.Every() {
		pc := uint64(f.PC)
		if Managed(f) {
			pc = 0
		}
		binary.LittleEndian.PutUint64(b[:], pc)
		binary.LittleEndian.PutUint64(b[8:], uint64(f.Line)<<32|uint64(uint32(f.Column)))
		for i := range hashes {
			h := &hashes[i]
			h.Write(b[:])
			if Managed(f) {
				h.WriteString(f.Name)
				h.WriteByte(0)
				h.WriteString(f.File)
			}
		}
	}
	for i := range hashes {
		hashes[i].WriteString(StopText(t.Stop))
		key[i] = hashes[i].Sum64()
	}
	return key
}

// StopText gives the reason why a walk ended in the words of the JSON form:
// "root", "no-progress", "not-executable", "limit", and for memory that could
// not be read "unreadable 0x7f… not dumped".
func StopText(e *walk.StopError) string {
	if e.Kind != walk.StopUnreadable {
		return string(e.Kind)
	}
	s := string(e.Kind) + " " + e.At.String()
	if f := core.Fault(e.Err); f != nil {
		s += " " + f.Gap.String()
	}
	return s
}
