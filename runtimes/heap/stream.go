package heap

import "sync"

// A stream is a long row of numbers, each in as many bytes as it needs: seven bits in each byte, whose
// highest bit says that there are more. It grows without being copied, and other streams can reuse its
// blocks as they are read. That is why memory is not left to the garbage collector here: it waits for
// as much garbage as there is in use.
type stream struct {
	blocks []*block
	last   *block // of them
	len    int64  // in bytes
}

const (
	blockBits = 14
	blockSize = 1 << blockBits
)

type block [blockSize]byte

// A pool is the blocks that no stream has.
type pool struct {
	mu   sync.Mutex
	free []*block
}

func (p *pool) get() *block {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b
	}
	return new(block)
}

func (p *pool) put(b *block) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b)
}

// addByte puts a byte at the end.
func (s *stream) addByte(p *pool, c byte) {
	i := s.len & (blockSize - 1)
	if i == 0 {
		s.grow(p)
	}
	s.last[i] = c
	s.len++
}

func (s *stream) grow(p *pool) {
	s.last = p.get()
	s.blocks = append(s.blocks, s.last)
}

// add puts a number at the end.
func (s *stream) add(p *pool, v uint64) {
	for ; v >= 0x80; v >>= 7 {
		s.addByte(p, byte(v)|0x80)
	}
	s.addByte(p, byte(v))
}

// byteAt returns byte i.
func (s *stream) byteAt(i int64) byte { return s.blocks[i>>blockBits][i&(blockSize-1)] }

// at returns the number that begins at byte i, and where the next one does.
func (s *stream) at(i int64) (v uint64, next int64) {
	for shift := 0; ; shift += 7 {
		c := s.byteAt(i)
		i++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, i
		}
	}
}

// push puts a number at the end for pop: what is above its lowest bits comes before them.
func (s *stream) push(p *pool, v uint64) {
	shift := 0
	for v>>shift >= 0x80 {
		shift += 7
	}
	s.addByte(p, byte(v>>shift))
	for shift > 0 {
		shift -= 7
		s.addByte(p, byte(v>>shift)|0x80)
	}
}

// pop takes a number from the end.
func (s *stream) pop(p *pool) (v uint64) {
	for shift := 0; ; shift += 7 {
		s.len--
		c := s.byteAt(s.len)
		if s.len&(blockSize-1) == 0 {
			s.shrink(p)
		}
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
}

func (s *stream) shrink(p *pool) {
	n := len(s.blocks) - 1
	p.put(s.last)
	s.blocks = s.blocks[:n]
	if s.last = nil; n > 0 {
		s.last = s.blocks[n-1]
	}
}

// A drain reads a stream once, from its beginning, and gives its blocks back.
type drain struct {
	*stream
	pool *pool
	pos  int64
}

// done reports whether all is read.
func (d *drain) done() bool { return d.pos == d.len }

func (d *drain) nextByte() byte {
	c := d.byteAt(d.pos)
	if d.pos++; d.pos&(blockSize-1) == 0 || d.pos == d.len {
		i := (d.pos - 1) >> blockBits
		d.pool.put(d.blocks[i])
		d.blocks[i] = nil
	}
	return c
}

// next returns the next number.
func (d *drain) next() (v uint64) {
	for shift := 0; ; shift += 7 {
		c := d.nextByte()
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
}

// zigzag makes a number of the distance between two objects, which is 0 only if that is;
// apart is the reverse.
func zigzag(d int64) uint64 { return uint64(d<<1 ^ d>>63) }
func apart(v uint64) int64  { return int64(v>>1) ^ -int64(v&1) }
