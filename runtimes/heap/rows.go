package heap

import (
	"bytes"
	"math"
)

// References are kept in rows, one for each object, and rows in parts of as many objects:
// in as many bytes as it takes to say how far away the other objects are, which mostly is
// near by. No number in a row is 0, which ends it.
const (
	partBits = 16
	partSize = 1 << partBits
	// rowGroup is the number of objects that share a number of four bytes, the start of their rows.
	rowGroup = 16
	// isFar is the least distance from there that is not known.
	isFar = math.MaxUint8
)

// parts returns how many parts n objects are in.
func parts(n int) int { return (n + partSize - 1) >> partBits }

// part returns which of n objects are in part c.
func part(c, n int) (from, to ID) { return ID(c << partBits), ID(min((c+1)<<partBits, n)) }

// A rows is the references to the objects of a part. Those to each are in order: the first as
// its distance from the object, the others as that from the one before, and one more,
// for an object may refer to another more than once.
type rows struct {
	stream
	begin []uint32 // where the row of each group's first object begins
	after []uint8  // distance from there to the start of each object's row, at most isFar
}

// newRows returns rows for n objects.
func newRows(n int) rows {
	return rows{begin: make([]uint32, 0, (n+rowGroup-1)/rowGroup), after: make([]uint8, 0, n)}
}

// add puts the row of the next object at the end.
func (r *rows) add(p *pool, id ID, in []uint32) {
	if id%rowGroup == 0 {
		r.begin = append(r.begin, uint32(r.len))
	}
	r.after = append(r.after, uint8(min(r.len-int64(r.begin[len(r.begin)-1]), isFar)))
	for i, from := range in {
		if i == 0 {
			r.stream.add(p, zigzag(int64(from)-int64(id)))
		} else {
			r.stream.add(p, uint64(from-in[i-1])+1)
		}
	}
	r.stream.add(p, 0)
}

// row returns the references to an object.
func (r *rows) row(id ID) row {
	k := id & (partSize - 1)
	near := k
	for r.after[near] == isFar {
		near-- // the first of a group is not far
	}
	pos := r.skip(int64(r.begin[near/rowGroup])+int64(r.after[near]), int(k-near))
	return row{stream: &r.stream, pos: pos, last: int64(id), first: true}
}

// A row reads the references to an object one by one. If many objects refer to one, often a few are all
// that matter.
type row struct {
	*stream
	pos   int64
	last  int64 // what came last, the object itself at first
	first bool
}

// next returns the next object, None at the end.
func (r *row) next() ID {
	v, next := r.at(r.pos)
	switch {
	case v == 0:
		return None
	case r.first:
		r.last += apart(v)
		r.first = false
	default:
		r.last += int64(v) - 1
	}
	r.pos = next
	return ID(r.last)
}

// skip returns the start of the row that is n rows after the one at pos. A byte of 0 is always the end
// of a row.
func (r *rows) skip(pos int64, n int) int64 {
	for n > 0 {
		left := r.blocks[pos>>blockBits][pos&(blockSize-1):]
		i := bytes.IndexByte(left, 0)
		if i < 0 {
			pos += int64(len(left))
			continue
		}
		pos += int64(i) + 1
		n--
	}
	return pos
}
