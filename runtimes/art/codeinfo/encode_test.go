package codeinfo

// A bitWriter writes bits for a bitReader, in the encoding of AOSP's BitMemoryWriter
// (libartbase/base/bit_memory_region.h).
type bitWriter struct {
	bytes []byte
	pos   int
}

func (w *bitWriter) bits(v uint32, n int) {
	for i := range n {
		if w.pos/8 == len(w.bytes) {
			w.bytes = append(w.bytes, 0)
		}
		w.bytes[w.pos/8] |= byte(v>>i&1) << (w.pos % 8)
		w.pos++
	}
}

// size returns the four bits of a varint, and the bytes that follow them.
func size(v uint32) (head uint32, bytes int) {
	switch {
	case v <= varintMax:
		return v, 0
	case v < 1<<8:
		return varintMax + 1, 1
	case v < 1<<16:
		return varintMax + 2, 2
	case v < 1<<24:
		return varintMax + 3, 3
	}
	return varintMax + 4, 4
}

func (w *bitWriter) varints(interleaved bool, values ...uint32) {
	for _, v := range values {
		head, n := size(v)
		w.bits(head, varintBits)
		if !interleaved {
			w.bits(v, 8*n)
		}
	}
	for _, v := range values {
		if _, n := size(v); interleaved {
			w.bits(v, 8*n)
		}
	}
}

// rows are the values of a table; NoValue is -1.
type rows [][]uint32

// table writes a table as BitTableBuilderBase::Encode does: each column has as
// many bits as its largest value plus one needs.
func (w *bitWriter) table(v Version, mask bool, t rows) {
	header := []uint32{uint32(len(t))}
	bias := uint32(1)
	if mask {
		bias = 0
	}
	for c := range t[0] {
		bits := uint32(0)
		for _, r := range t {
			for ; (r[c]+bias)>>bits != 0; bits++ {
			}
		}
		header = append(header, bits)
	}
	w.varints(v.interleaved(), header...)
	for _, r := range t {
		for c, v := range r {
			w.bits(v+bias, int(header[c+1]))
		}
	}
}

// A sample is a CodeInfo to be encoded; tables are in upstream's order, and
// shared ones are given by their position in what was written before.
type sample struct {
	flags, codeSize, frame, core, fp, registers uint32
	tables                                      [numTables]rows
	shared                                      map[int]int
}

// encode appends s to w and returns its first byte and the positions of its
// tables.
func (s *sample) encode(w *bitWriter, v Version) (at int, positions [numTables]int) {
	for w.pos%8 != 0 {
		w.bits(0, 1)
	}
	at = w.pos / 8
	header := []uint32{s.frame, s.core, s.fp, s.registers}
	if v >= oatCodeSize {
		header = append([]uint32{s.codeSize}, header...)
	}
	if v >= oatFlags {
		tables := uint32(0)
		for i, t := range s.tables {
			if len(t) > 0 {
				tables |= 1 << i
			}
			if _, ok := s.shared[i]; ok {
				tables |= 1<<i | 1<<(numTables+i)
			}
		}
		header = append(append([]uint32{s.flags}, header...), tables)
	}
	w.varints(v.interleaved(), header...)
	for i, t := range s.tables {
		pos, shared := s.shared[i]
		if v < oatFlags {
			w.bits(map[bool]uint32{true: 1}[shared], 1)
		}
		positions[i] = w.pos
		switch {
		case shared:
			w.varints(false, uint32(w.pos-pos))
		case len(t) > 0:
			w.table(v, isMask(i), t)
		case v < oatFlags:
			w.varints(false, 0)
		}
	}
	return at, positions
}
