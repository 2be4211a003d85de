package heap

import (
	"context"
	"math"
)

// reverse turns the references round. Forward ones are sorted by the part of their targets, then, part
// by part, by the target. All references are in memory once, and a part's references twice.
func (b *builder) reverse(ctx context.Context) error {
	sorted := make([]bucket, len(b.out))
	for c := range b.out {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b.scatter(c, sorted)
	}
	b.out = nil
	b.in = make([]rows, len(sorted))
	end := make([]uint32, partSize)
	for c := range sorted {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if b.in[c] = b.gather(c, &sorted[c], end); b.in[c].len > math.MaxUint32 {
			return ErrTooLarge
		}
	}
	return nil
}

// A bucket is the references to objects of a part, in order of the objects that refer to
// them: the distance of these from the one before, and two bytes of the target.
type bucket struct {
	stream
	edges int64
	last  ID // the last object that refers to one of the part
}

// scatter sorts the references from the objects of part c by the part of their targets.
func (b *builder) scatter(c int, sorted []bucket) {
	d := drain{stream: &b.out[c], pool: &b.pool}
	for id, end := part(c, b.Len()); id < end; id++ {
		for v := d.next(); v != 0; v = d.next() {
			to := ID(int64(id) + apart(v))
			x := &sorted[to>>partBits]
			x.add(&b.pool, uint64(id-x.last))
			x.addByte(&b.pool, byte(to))
			x.addByte(&b.pool, byte(to>>8))
			x.last = id
			x.edges++
		}
	}
}

// gather makes the rows of part c, with room for the ends of these in a list.
func (b *builder) gather(c int, sorted *bucket, end []uint32) rows {
	clear(end)
	for pos := int64(0); pos < sorted.len; pos += 2 {
		_, pos = sorted.at(pos)
		end[sorted.target(pos)]++
	}
	sum := uint32(0)
	for k, n := range end {
		end[k] = sum // at first, where it begins
		sum += n
	}
	list := atLeast(b.at, sorted.edges)
	d := drain{stream: &sorted.stream, pool: &b.pool}
	for from := uint64(0); !d.done(); {
		from += d.next()
		k := int(d.nextByte()) | int(d.nextByte())<<8
		list[end[k]] = uint32(from)
		end[k]++
	}
	id, last := part(c, b.Len())
	rows := newRows(int(last - id))
	for begin := uint32(0); id < last; id++ {
		next := end[id&(partSize-1)]
		rows.add(&b.pool, id, list[begin:next])
		begin = next
	}
	return rows
}

// target returns the target of a reference, from its two bytes.
func (x *bucket) target(pos int64) int { return int(x.byteAt(pos)) | int(x.byteAt(pos+1))<<8 }

// atLeast returns an array of n numbers: buf, if that is long enough.
func atLeast[T any](buf []T, n int64) []T {
	if n <= int64(cap(buf)) {
		return buf[:n]
	}
	return make([]T, n)
}
