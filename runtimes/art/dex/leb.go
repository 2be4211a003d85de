package dex

import (
	"errors"

	"coredbg/core"
)

var errLEB = errors.New("a LEB128 number has more than five bytes")

// A stream reads numbers and bytes one after the other and keeps the first
// error.
type stream struct {
	c   *core.Cursor
	at  core.Addr
	err error
}

func (f *File) stream(a core.Addr) *stream { return &stream{c: f.cursor(), at: a} }

func (s *stream) u8() byte {
	if s.err != nil {
		return 0
	}
	b := s.c.U8(s.at)
	if s.err = s.c.Err(); s.err != nil {
		return 0
	}
	s.at++
	return b
}

// leb reads a LEB128 number of at most 32 bits and tells how many it has.
func (s *stream) leb() (v uint32, bits int) {
	for bits < 35 {
		b := s.u8()
		if s.err != nil {
			return 0, 0
		}
		v |= uint32(b&0x7f) << bits
		bits += 7
		if b&0x80 == 0 {
			return v, bits
		}
	}
	s.err = errLEB
	return 0, 0
}

// uleb reads a uleb128. As in ART, bits that do not fit into 32 are lost.
func (s *stream) uleb() uint32 {
	v, _ := s.leb()
	return v
}

// ulebp1 reads a uleb128p1, whose zero stands for NoIndex.
func (s *stream) ulebp1() uint32 { return s.uleb() - 1 }

// sleb reads an sleb128.
func (s *stream) sleb() int32 {
	v, bits := s.leb()
	if bits > 0 && bits < 32 && v>>(bits-1)&1 != 0 {
		v |= ^uint32(0) << bits
	}
	return int32(v)
}
