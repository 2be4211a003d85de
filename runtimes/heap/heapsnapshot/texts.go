package heapsnapshot

import (
	"encoding/binary"
	"hash/maphash"
	"math"

	"coredbg/core/file"
	"coredbg/runtimes/heap"
)

// texts are the strings of a snapshot, each once, by number: in chunks of bytes, without a
// pointer to each, for a heap may have millions. The first chunks stay in memory; the others
// are in a temporary file.
type texts struct {
	chunks [][]byte // the strings in memory, each after its length
	last   []byte   // the chunk that is filled now, after all others
	filled int      // chunks before last
	keep   int      // chunks that stay in memory
	f      *file.Scratch
	// where each is, in blocks: some bits of its hash, the number of its chunk, and the offset in that
	at    [][]uint64
	count int
	table []uint32 // numbers plus 1, by hash; 0 for none
	seed  maphash.Seed
	buf   []byte // of text
	err   error
	// recent are some recent strings: most are names of properties and fields, which come again and
	// again.
	recent [1 << 10]struct {
		text string
		n    uint32
	}
}

const (
	chunkSize = 1 << 20 // of a chunk in bytes; a string is in one
	memChunks = 64      // keep of a snapshot
	atBlock   = 1 << 16 // places in a block
	placeBits = 36      // of a place; the other bits belong to the hash
	// longestText bounds the bytes of a string with its length.
	longestText = maxName + binary.MaxVarintLen64
)

// newTexts returns texts with the empty one, number 0: V8's snapshots begin with it, too.
func newTexts() *texts {
	t := &texts{keep: memChunks, table: make([]uint32, 1<<10), seed: maphash.MakeSeed(),
		last: make([]byte, 0, chunkSize), buf: make([]byte, longestText)}
	t.find("")
	return t
}

// close drops the temporary file.
func (t *texts) close() {
	if t.f != nil {
		t.f.Close()
	}
}

// number returns the number of a string of at most maxName bytes. It assigns a new one if the string is
// new.
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
	if 4*t.count >= 3*len(t.table) {
		t.grow()
	}
	h := maphash.String(t.seed, text)
	mask := uint64(len(t.table) - 1)
	i := h & mask
	for ; t.table[i] != 0; i = (i + 1) & mask {
		n := t.table[i] - 1
		if t.place(n)>>placeBits == h>>placeBits && string(t.text(n)) == text {
			return n
		}
	}
	n := uint32(t.count)
	t.table[i] = n + 1
	t.add(text, h)
	return n
}

// grow makes the table twice as large.
func (t *texts) grow() {
	t.table = make([]uint32, 2*len(t.table))
	mask := uint64(len(t.table) - 1)
	n := uint32(0)
	t.each(func(text []byte) {
		i := maphash.Bytes(t.seed, text) & mask
		for t.table[i] != 0 {
			i = (i + 1) & mask
		}
		n++
		t.table[i] = n
	})
}

// add puts a string with a hash at the end.
func (t *texts) add(text string, hash uint64) {
	if len(t.last)+binary.MaxVarintLen64+len(text) > chunkSize {
		t.fill()
	}
	place := uint64(t.filled)*chunkSize + uint64(len(t.last))
	if place>>placeBits != 0 || t.count >= math.MaxUint32-1 {
		t.fail(heap.ErrTooLarge)
		place &= 1<<placeBits - 1
	}
	if t.count%atBlock == 0 {
		t.at = append(t.at, make([]uint64, 0, atBlock))
	}
	b := &t.at[len(t.at)-1]
	*b = append(*b, hash>>placeBits<<placeBits|place)
	t.count++
	t.last = append(binary.AppendUvarint(t.last, uint64(len(text))), text...)
}

// fill puts the last chunk away.
func (t *texts) fill() {
	t.filled++
	if len(t.chunks) < t.keep {
		t.chunks = append(t.chunks, t.last)
		t.last = make([]byte, 0, chunkSize)
		return
	}
	if t.f == nil && t.err == nil {
		f, err := file.NewScratch()
		t.f = f
		t.fail(err)
	}
	if t.err == nil {
		n := len(t.last)
		clear(t.last[n:chunkSize])
		_, err := t.f.WriteAt(t.last[:chunkSize], t.offset(t.filled-1))
		t.fail(err)
	}
	t.last = t.last[:0]
}

// offset returns where a chunk is in the file.
func (t *texts) offset(chunk int) int64 { return int64(chunk-t.keep) * chunkSize }

func (t *texts) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

func (t *texts) place(n uint32) uint64 { return t.at[n/atBlock][n%atBlock] }

// text returns string n, which is good until the next one; nil once there is an error.
func (t *texts) text(n uint32) []byte {
	at := t.place(n) & (1<<placeBits - 1)
	chunk, off := int(at/chunkSize), at%chunkSize
	var c []byte
	switch {
	case t.err != nil:
		return nil
	case chunk == t.filled:
		c = t.last[off:]
	case chunk < len(t.chunks):
		c = t.chunks[chunk][off:]
	default:
		c = t.buf[:min(longestText, chunkSize-off)]
		if _, err := t.f.ReadAt(c, t.offset(chunk)+int64(off)); err != nil {
			t.fail(err)
			return nil
		}
	}
	size, k := binary.Uvarint(c)
	return c[k : k+int(size)]
}

// each calls visit for all strings, in order of their numbers. A string is good until visit returns.
func (t *texts) each(visit func([]byte)) {
	left := t.count
	in := func(c []byte) {
		// The rest of a chunk of the file is empty strings. The only one of the snapshot is the first.
		for first := true; left > 0 && len(c) > 0; first = false {
			size, k := binary.Uvarint(c)
			if k <= 0 || size > uint64(len(c)-k) || size == 0 && (!first || left < t.count) {
				return
			}
			visit(c[k : k+int(size)])
			c = c[k+int(size):]
			left--
		}
	}
	for _, c := range t.chunks {
		in(c)
	}
	var c []byte
	for k := len(t.chunks); k < t.filled && t.err == nil; k++ {
		if c == nil {
			c = make([]byte, chunkSize)
		}
		_, err := t.f.ReadAt(c, t.offset(k))
		if t.fail(err); err == nil {
			in(c)
		}
	}
	in(t.last)
}
