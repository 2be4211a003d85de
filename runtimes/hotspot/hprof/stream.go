package hprof

import (
	"encoding/binary"
	"io"

	"coredbg/core"
	"coredbg/runtimes/heap/hprof/format"
)

// segmentSize is about how many bytes of the heap dump a segment has.
const segmentSize = 1 << 20

// idSize is the bytes of an identifier.
const idSize = 8

// A stream writes records. Numbers are big-endian.
type stream struct {
	w   io.Writer
	buf []byte // of the segment
	err error
}

func (s *stream) write(b []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(b)
	}
}

// record writes a record outside of the heap dump.
func (s *stream) record(tag byte, body []byte) {
	s.head(tag, len(body))
	s.write(body)
}

// head writes {tag, time, length}.
func (s *stream) head(tag byte, n int) {
	s.write(binary.BigEndian.AppendUint32([]byte{tag, 0, 0, 0, 0}, uint32(n)))
}

// flush ends the segment.
func (s *stream) flush() {
	if len(s.buf) > 0 {
		s.record(format.TagHeapSegment, s.buf)
		s.buf = s.buf[:0]
	}
}

// room ends the segment if it is full.
func (s *stream) room() {
	if len(s.buf) >= segmentSize {
		s.flush()
	}
}

func (s *stream) u1(v byte)      { s.buf = append(s.buf, v) }
func (s *stream) u2(v uint16)    { s.buf = binary.BigEndian.AppendUint16(s.buf, v) }
func (s *stream) u4(v uint32)    { s.buf = binary.BigEndian.AppendUint32(s.buf, v) }
func (s *stream) u8(v uint64)    { s.buf = binary.BigEndian.AppendUint64(s.buf, v) }
func (s *stream) id(v core.Addr) { s.u8(uint64(v)) }

// value writes a value of a type.
func (s *stream) value(t format.BasicType, v uint64) {
	switch t.Size(idSize) {
	case 1:
		s.u1(byte(v))
	case 2:
		s.u2(uint16(v))
	case 4:
		s.u4(uint32(v))
	default:
		s.u8(v)
	}
}
