package heapsnapshot

import (
	"fmt"
	"io"
	"math"

	"coredbg/core"
)

// A scanner reads the tokens of a JSON text.
type scanner struct {
	src core.Source
	w   []byte // the window that is being read
	i   int    // the next byte of it
	off int64  // of w in the source
	err error  // of the source; io.EOF at its end
}

// at returns the offset of the next byte.
func (s *scanner) at() int64 { return s.off + int64(s.i) }

// fill gets the next window; false at the end of the source.
func (s *scanner) fill() bool {
	if s.err != nil {
		return false
	}
	s.off, s.i = s.at(), 0
	s.w, s.err = s.src.Window(s.off)
	if s.err != nil {
		s.w = nil
	}
	return s.err == nil
}

// space skips white space and returns the next byte, 0 at the end.
func (s *scanner) space() byte {
	for {
		for s.i < len(s.w) {
			if c := s.w[s.i]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
				return c
			}
			s.i++
		}
		if !s.fill() {
			return 0
		}
	}
}

// next returns the next byte and goes past it, 0 at the end.
func (s *scanner) next() byte {
	if s.i >= len(s.w) && !s.fill() {
		return 0
	}
	s.i++
	return s.w[s.i-1]
}

// take goes past the byte c, which may have white space in front of it.
func (s *scanner) take(c byte) error {
	if s.space() != c {
		return s.wrong(fmt.Sprintf("%q is missing", c))
	}
	s.i++
	return nil
}

// wrong returns an error at the next byte.
func (s *scanner) wrong(msg string) error {
	if s.err != nil && s.err != io.EOF {
		return s.err
	}
	if s.err == io.EOF {
		msg = "the file ends: " + msg
	}
	return &core.FormatError{Off: s.at(), Msg: msg}
}

// number reads a number without sign, point or exponent.
func (s *scanner) number() (uint64, error) {
	c := s.space()
	if c < '0' || c > '9' {
		return 0, s.wrong("a number is missing")
	}
	n := uint64(0)
	for {
		for s.i < len(s.w) {
			d := s.w[s.i] - '0'
			if d > 9 {
				return n, nil
			}
			if n > (math.MaxUint64-9)/10 {
				return 0, s.wrong("a number is too large")
			}
			n = 10*n + uint64(d)
			s.i++
		}
		if !s.fill() {
			return n, nil
		}
	}
}

// skipString goes past a string.
func (s *scanner) skipString() error {
	if err := s.take('"'); err != nil {
		return err
	}
	escaped := false
	for {
		for s.i < len(s.w) {
			c := s.w[s.i]
			s.i++
			switch {
			case escaped:
				escaped = false
			case c == '\\':
				escaped = true
			case c == '"':
				return nil
			}
		}
		if !s.fill() {
			return s.wrong("a string has no end")
		}
	}
}

// skip goes past a value of any kind.
func (s *scanner) skip() error {
	depth := 0
	for {
		switch c := s.space(); c {
		case 0:
			return s.wrong("a value has no end")
		case '"':
			if err := s.skipString(); err != nil {
				return err
			}
		case '[', '{':
			depth++
			s.i++
		case ']', '}':
			if depth == 0 {
				return s.wrong("a value is missing")
			}
			depth--
			s.i++
		default:
			s.i++
			if depth == 0 && c != ',' && c != ':' {
				s.word()
			}
		}
		if depth == 0 {
			return nil
		}
	}
}

// word goes past the rest of a number or of a literal.
func (s *scanner) word() {
	for s.i < len(s.w) || s.fill() {
		switch s.w[s.i] {
		case ' ', '\n', '\r', '\t', ',', ']', '}':
			return
		}
		s.i++
	}
}

// list calls item for each element of an array: before the element.
func (s *scanner) list(item func() error) error {
	if err := s.take('['); err != nil {
		return err
	}
	if s.space() == ']' {
		s.i++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		switch s.space() {
		case ',':
			s.i++
		case ']':
			s.i++
			return nil
		default:
			return s.wrong("an array has no end")
		}
	}
}
