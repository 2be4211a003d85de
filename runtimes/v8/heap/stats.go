package heap

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/machine"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
)

// Statistics of a heap come from V8's own code: Isolate::GetHeapStatistics, part
// of its public interface and so exported by every image, is run on a copy of the
// memory. It reads members of Isolate, Heap and the spaces whose offsets change
// from build to build and that no constant gives.

// A HeapStatistic is a number that V8 gives of a heap, named as by Node's
// v8.getHeapStatistics() and v8.getHeapSpaceStatistics().
type HeapStatistic struct {
	Name  string
	Value uint64
	Known bool
	// Guess is set for a number that was recognised by its value alone.
	Guess bool
}

// A SpaceStatistics is what V8 gives of a space.
type SpaceStatistics struct {
	Name  string
	Sizes []HeapStatistic
}

// HeapStatistics is what V8 would have reported of an isolate's heap.
type HeapStatistics struct {
	Isolate core.Addr
	Heap    []HeapStatistic // in the order of Node
	Spaces  []SpaceStatistics
}

// A member is one of the structs that V8 fills in.
type member struct {
	name   string
	offset core.Addr
	size   int
}

// heapMembers are the members of v8::HeapStatistics; include/v8-statistics.h @ 10.2 to 14.6, include/v8.h
// before. Later versions append members: a member that a version does not store is unknown.
var heapMembers = []member{
	{"total_heap_size", 0x00, 8},
	{"total_heap_size_executable", 0x08, 8},
	{"total_physical_size", 0x10, 8},
	{"total_available_size", 0x18, 8},
	{"used_heap_size", 0x20, 8},
	{"heap_size_limit", 0x28, 8},
	{"malloced_memory", 0x30, 8},
	{"peak_malloced_memory", 0x40, 8},
	{"does_zap_garbage", 0x48, 1},
	{"number_of_native_contexts", 0x50, 8},
	{"number_of_detached_contexts", 0x58, 8},
	{"total_global_handles_size", 0x60, 8},
	{"used_global_handles_size", 0x68, 8},
	{"external_memory", 0x38, 8},
	{"total_allocated_bytes", 0x70, 8},
}

// spaceMembers are the members of v8::HeapSpaceStatistics after its name.
var spaceMembers = []member{
	{"space_size", 0x08, 8},
	{"space_used_size", 0x10, 8},
	{"space_available_size", 0x18, 8},
	{"physical_space_size", 0x20, 8},
}

// symSpaceStatistics is the function that fills in V8's statistics of a space.
const symSpaceStatistics = "_ZN2v87Isolate22GetHeapSpaceStatisticsEPNS_19HeapSpaceStatisticsEm"

// maxSpaces bounds the spaces of a heap, maxLoads the words read that are kept.
const (
	maxSpaces = 32
	maxLoads  = 1 << 20
)

// HeapStatistics returns what V8 would have reported for an isolate. A number
// that its code could not be followed to is not Known.
func (hs *Walker) HeapStatistics(isolate core.Addr) (*HeapStatistics, error) {
	s := &HeapStatistics{Isolate: isolate}
	var loads []uint64
	limits := map[int]bool{} // where in loads a function was called
	m, fn, err := hs.Machine(page.SymHeapStatistics,
		func(core.Addr, machine.Value) { limits[len(loads)] = true },
		func(_ core.Addr, n uint64) {
			if len(loads) < maxLoads {
				loads = append(loads, n)
			}
		})
	if err != nil {
		return nil, err
	}
	if s.Heap, err = results(m, fn, heapMembers, isolate); err != nil {
		return nil, fmt.Errorf("v8: the code of Isolate::GetHeapStatistics could not be followed: %w", err)
	}
	s.Heap = append(s.Heap, generationLimits(s.Heap, loads, limits)...)
	m, fn, err = hs.Machine(symSpaceStatistics, nil, nil)
	for i := uint64(0); err == nil && i < maxSpaces; i++ {
		var sizes []HeapStatistic
		if sizes, err = results(m, fn, spaceMembers, isolate, i); err != nil {
			break
		}
		// The name is a pointer to a constant text.
		at := m.Load(machine.Scratch, 8)
		c := hs.Process.Cursor()
		name := c.CString(core.Addr(at.N), 64)
		if !at.Known || c.Err() != nil || !layout.Printable(name) || name == "" {
			break
		}
		s.Spaces = append(s.Spaces, SpaceStatistics{name, sizes})
	}
	s.doubt()
	return s, nil
}

// doubt takes back what cannot be: that more is used than there is. A thread that was
// stopped between moving on to another page and noting where allocation goes on leaves
// a difference of two unrelated addresses.
func (s *HeapStatistics) doubt() {
	sound := within(s.Heap, "used_heap_size", "total_heap_size")
	for _, x := range s.Spaces {
		sound = within(x.Sizes, "space_used_size", "space_size") && sound
	}
	for i := range s.Heap {
		if x := &s.Heap[i]; !sound && (x.Name == "used_heap_size" || x.Name == "total_available_size") {
			x.Known = false
		}
	}
}

// within reports whether a number is at most another. If not, the number and the difference become unknown.
func within(sizes []HeapStatistic, part, whole string) bool {
	of := map[string]*HeapStatistic{}
	for i := range sizes {
		of[sizes[i].Name] = &sizes[i]
	}
	p, w := of[part], of[whole]
	if p == nil || w == nil || !p.Known || !w.Known || p.Value <= w.Value {
		return true
	}
	p.Known = false
	if left := of["space_available_size"]; left != nil {
		left.Known = false
	}
	return false
}

// results runs a function that fills in a struct after its first argument.
func results(m *machine.Machine, fn core.Addr, members []member, isolate core.Addr,
	more ...uint64) ([]HeapStatistic, error) {
	m.Poison(machine.Scratch, 0x100)
	_, err := m.Call(fn, append([]uint64{uint64(isolate), uint64(machine.Scratch)}, more...)...)
	out := make([]HeapStatistic, 0, len(members))
	found := false
	for _, x := range members {
		n := m.Load(machine.Scratch+x.offset, x.size)
		found = found || n.Known
		out = append(out, HeapStatistic{Name: x.name, Value: n.N, Known: n.Known})
	}
	if !found {
		if err == nil {
			err = errors.New("it stores nothing")
		}
		return nil, err
	}
	return out, nil
}

// generationLimits guesses the two numbers that add up to the limit: the limit of the old generation and, two
// or three times, the limit of a semi-space (Heap::MaxReserved). They are among the words that one function
// read, and are recognized only by their sum.
func generationLimits(heap []HeapStatistic, loads []uint64, calls map[int]bool) []HeapStatistic {
	var limit uint64
	for _, x := range heap {
		if x.Name == "heap_size_limit" && x.Known {
			limit = x.Value
		}
	}
	old, semi := HeapStatistic{Name: "max_old_generation_size", Guess: true},
		HeapStatistic{Name: "max_semi_space_size", Guess: true}
	const page = 4096
	plausible := func(n uint64) bool { return n >= page && n < limit && n%page == 0 }
	from := 0
	for i, n := range loads {
		if calls[i] {
			from = i
		}
		for k := from; k < i && plausible(n); k++ {
			for _, times := range []uint64{2, 3} {
				for _, x := range [][2]uint64{{n, loads[k]}, {loads[k], n}} {
					if plausible(x[1]) && x[1] < limit/4 && x[0]+times*x[1] == limit {
						old.Value, semi.Value, old.Known, semi.Known = x[0], x[1], true, true
					}
				}
			}
		}
	}
	return []HeapStatistic{old, semi}
}
