package block

// A Sum is chunks and bytes of an arena, or of all.
type Sum struct {
	Used, Free, Cached                int    // chunks; Cached are free ones in caches, which Free counts too
	UsedBytes, FreeBytes, CachedBytes uint64 // usable bytes
	Top, Lost, Missing                uint64 // bytes: the rest of heaps; not told apart; not in the core
	Mapped                            int    // chunks of Used that were mapped for themselves
	MappedBytes                       uint64 // bytes that the allocator has of the system, with all headers
	Largest                           uint64 // bytes of the largest free chunk, Top included
}

// cached are the lists that only one thread, one processor or one size takes from.
var cached = map[string]bool{"tcache": true, "fastbin": true, "thread cache": true, "processor cache": true,
	"transfer cache": true}

// Sum returns the sums of an arena of Heap.Arenas, of what belongs to none for -1, or of all for -2.
func (h *Heap) Sum(arena int) Sum {
	var s Sum
	for i := range h.Regions {
		if r := &h.Regions[i]; arena == All || r.Arena == arena {
			s.add(h, r)
		}
	}
	return s
}

// All stands for all arenas.
const All = -2

func (s *Sum) add(h *Heap, r *Region) {
	s.MappedBytes += uint64(r.End - r.Start)
	s.Missing += r.Missing
	if r.Mapped {
		s.Mapped += len(r.Chunks)
	}
	for i := range r.Chunks {
		p := &r.Chunks[i]
		n := p.Size()
		switch p.State() {
		case Used:
			s.Used++
			s.UsedBytes += n
		case Free:
			s.Free++
			s.FreeBytes += n
			s.Largest = max(s.Largest, n)
			if cached[h.Lists[min(p.List(), len(h.Lists)-1)]] {
				s.Cached++
				s.CachedBytes += n
			}
		case Top:
			s.Top += n
			s.Largest = max(s.Largest, n)
		case Lost:
			s.Lost += n
		}
	}
}
