package object

import "coredbg/core"

// A Stream reads numbers of the form UNSIGNED5: base 64 with digits that say whether another follows.
type Stream struct {
	c       *core.Cursor
	at, end core.Addr // end: where it ends, 0 if that is not known
	// excluded is how many values a byte cannot have: from JDK 20 on it is not 0 (share/utilities/unsigned5.hpp, X).
	excluded uint32
}

// NewStream returns a stream of the numbers at an address, as a release of Java writes them.
func NewStream(p *core.Process, at core.Addr, java int) *Stream {
	s := &Stream{c: p.Cursor(), at: at}
	if java >= 20 {
		s.excluded = 1
	}
	return s
}

// Err returns why something could not be read.
func (s *Stream) Err() error { return s.c.Err() }

// Byte returns the next byte, such as a truth value, which is not written as a number.
func (s *Stream) Byte() byte { return s.byte() }

func (s *Stream) byte() byte {
	b := s.c.U8(s.at)
	s.at++
	return b
}

// Int returns the next number.
func (s *Stream) Int() int {
	var sum uint32
	for i := range 5 {
		b := uint32(s.byte())
		if b < s.excluded {
			return 0 // the end
		}
		sum += (b - s.excluded) << (6 * i)
		if b < 192 {
			break
		}
	}
	return int(int32(sum))
}

// Signed returns the next number, whose lowest bit is its sign.
func (s *Stream) Signed() int {
	v := uint32(s.Int())
	return int(int32(v>>1) ^ -int32(v&1))
}
