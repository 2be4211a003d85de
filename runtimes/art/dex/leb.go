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

// maxLEB is the most bytes of a LEB128 number of 32 bits.
const maxLEB = 5

// uleb reads a uleb128. As in ART, bits that do not fit into 32 are lost.
func (s *stream) uleb() uint32 {
	if s.err != nil {
		return 0
	}
	v, n := s.c.ULEB128(s.at, maxLEB)
	s.skip(n)
	return uint32(v)
}

// skip passes over a number, which is bad if it has no bytes.
func (s *stream) skip(n int) {
	s.at += core.Addr(n)
	if s.err = s.c.Err(); s.err == nil && n == 0 {
		s.err = errLEB
	}
}

// ulebp1 reads a uleb128p1, whose zero stands for NoIndex.
func (s *stream) ulebp1() uint32 { return s.uleb() - 1 }

// sleb reads an sleb128.
func (s *stream) sleb() int32 {
	if s.err != nil {
		return 0
	}
	v, n := s.c.SLEB128(s.at, maxLEB)
	s.skip(n)
	return int32(v)
}
