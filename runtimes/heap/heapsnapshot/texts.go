package heapsnapshot

import (
	"encoding/binary"
	"hash/maphash"
	"math"
)

// texts are the strings of a snapshot, each once, by number: in chunks of bytes, without a
// pointer to each, for a heap may have millions.
type texts struct {
	chunks [][]byte // each string has its length before it
	at     []uint64 // where each is: the number of its chunk, and the offset in that
	table  []uint64 // places by hash: the lower half of it, and the number plus 1; 0 for none
	seed   maphash.Seed
	// recent are some of those that were asked for last: most are names of properties
	// and fields, which come again and again.
	recent [1 << 10]struct {
		text string
		n    uint32
	}
}

// chunkSize is that of a chunk in bytes; a string is in one.
const chunkSize = 1 << 20

// newTexts returns texts with the empty one, number 0: V8's snapshots begin with it, too.
func newTexts() *texts {
	t := &texts{table: make([]uint64, 1<<10), seed: maphash.MakeSeed()}
	t.find("")
	return t
}

// number returns the number of a string of at most maxName bytes, a new one if it has none.
func (t *texts) number(text string) uint32 {
	n := len(text)
	if n == 0 {
		return 0
	}
	r := &t.recent[(n+int(text[0])<<4^int(text[n/2])<<2^int(text[n-1]))%len(t.recent)]
	if r.text != text {
		r.text, r.n = text, t.find(text)
	}
	return r.n
}

// find looks a string up in the table, and adds it if it is not there.
func (t *texts) find(text string) uint32 {
	if 4*len(t.at) >= 3*len(t.table) {
		t.grow()
	}
	h := maphash.String(t.seed, text) & math.MaxUint32
	mask := uint64(len(t.table) - 1)
	i := h & mask
	for ; t.table[i] != 0; i = (i + 1) & mask {
		if e := t.table[i]; e>>32 == h && string(t.text(uint32(e)-1)) == text {
			return uint32(e) - 1
		}
	}
	n := uint32(len(t.at))
	t.table[i] = h<<32 | uint64(n+1)
	t.add(text)
	return n
}

// grow makes the table twice as large.
func (t *texts) grow() {
	old := t.table
	t.table = make([]uint64, 2*len(old))
	mask := uint64(len(t.table) - 1)
	for _, e := range old {
		if e == 0 {
			continue
		}
		i := e >> 32 & mask
		for t.table[i] != 0 {
			i = (i + 1) & mask
		}
		t.table[i] = e
	}
}

// add puts a string at the end.
func (t *texts) add(text string) {
	last := len(t.chunks) - 1
	if last < 0 || len(t.chunks[last])+binary.MaxVarintLen64+len(text) > chunkSize {
		t.chunks = append(t.chunks, make([]byte, 0, chunkSize))
		last++
	}
	c := t.chunks[last]
	t.at = append(t.at, uint64(last)*chunkSize+uint64(len(c)))
	t.chunks[last] = append(binary.AppendUvarint(c, uint64(len(text))), text...)
}

// text returns string n.
func (t *texts) text(n uint32) []byte {
	at := t.at[n]
	c := t.chunks[at/chunkSize][at%chunkSize:]
	size, k := binary.Uvarint(c)
	return c[k : k+int(size)]
}
