package heap

// The limits of piles in collections of collections.
const (
	// nestedDepth is how deep collections are in each other: a map has a table, and an
	// object a store.
	nestedDepth = 8
	// nestedShare is the least part of an object's retained bytes that a pile deep below it has.
	nestedShare = 50 // percent
)

// collections are the classes of collections, whose objects are in no function's hands alone.
var collections = map[string]bool{"Map": true, "Set": true, "Array": true, "Object": true}

// nested notes the objects of one class that retain most of n's bytes, if they are not right
// below n but in many small collections there.
func (s *suspector) nested(n int32) {
	if t := s.class(n); !t.Internal && !collections[t.Class] && !t.Place.Known() {
		return
	}
	piles := map[int32]*pile{}
	level := []int32{n}
	for depth := 0; depth < nestedDepth && len(level) > 0; depth++ {
		var next []int32
		for _, at := range level {
			for _, k := range s.t.below(at) {
				t := s.class(k)
				switch {
				case t.Program:
					continue
				case !t.Internal:
					x := piles[s.classOf(k)]
					if x == nil {
						x = &pile{example: k}
						piles[s.classOf(k)] = x
					}
					x.objects++
					x.bytes += s.data[k]
					if s.data[k] > s.data[x.example] {
						x.example = k
					}
				}
				if t.Internal || collections[t.Class] {
					next = append(next, k)
				}
			}
		}
		level = next
	}
	var best *pile
	for _, x := range piles {
		if x.objects < suspectObjects || x.bytes < s.least || x.bytes < s.data[n]/100*nestedShare {
			continue
		}
		if best == nil || x.bytes > best.bytes || x.bytes == best.bytes && x.example < best.example {
			best = x
		}
	}
	if best != nil {
		s.add(Collects, n, best.example, best.objects, best.bytes)
		s.found[len(s.found)-1].nested = true
	}
}
