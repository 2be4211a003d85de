package heap

// blocks are a long row of numbers in pieces: it grows without being copied, and what is
// cut off at its end is free at once.
type blocks struct {
	all  [][]ID
	len  int64
	rest int64 // how many numbers may still come
}

const (
	blockBits = 16
	blockSize = 1 << blockBits
)

// collectFrom is how many numbers are worth a collection of garbage when they are let
// go. The collector would wait for as much garbage as there is memory in use.
const collectFrom = 1 << 20

// add puts numbers at the end.
func (b *blocks) add(ids ...ID) {
	for len(ids) > 0 {
		if b.len == int64(len(b.all))*blockSize {
			b.all = append(b.all, make([]ID, min(blockSize, max(b.rest, int64(len(ids))))))
		}
		last := b.all[len(b.all)-1]
		n := copy(last[b.len%blockSize:], ids)
		b.len, b.rest, ids = b.len+int64(n), b.rest-int64(n), ids[n:]
	}
}

// at returns number i.
func (b *blocks) at(i uint32) ID { return b.all[i>>blockBits][i&(blockSize-1)] }

// set changes number i.
func (b *blocks) set(i uint32, id ID) { b.all[i>>blockBits][i&(blockSize-1)] = id }

// cut leaves the first n numbers.
func (b *blocks) cut(n int64) {
	used := (n + blockSize - 1) / blockSize
	clear(b.all[used:])
	b.all, b.len = b.all[:used], n
}
