package layout

import "coredbg/core"

// EachChunk visits the addresses in a segment of a core that are multiples of ChunkSize and have bytes, until
// visit returns false. Chunks that begin with a hole of a sparse core are skipped: V8's cages and its sandbox
// are reservations of many gigabytes, and some cores have them in full.
func EachChunk(s core.Segment, visit func(a core.Addr) bool) bool {
	for a := s.Start.Align(ChunkSize); a < s.End && a >= s.Start; a += ChunkSize {
		if next := s.NextData(a); next > a {
			if a = next &^ (ChunkSize - 1); a < next {
				continue // its head is in the hole
			}
			if a >= s.End {
				break
			}
		}
		if !visit(a) {
			return false
		}
	}
	return true
}
