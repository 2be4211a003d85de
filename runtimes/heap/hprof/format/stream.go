package format

import (
	"encoding/binary"
	"io"
)

// SegmentSize is about how many bytes of the heap dump a segment has.
const SegmentSize = 1 << 20

// A Stream writes a heap dump. The dump itself comes in segments. Numbers are big-endian. After an error a
// Stream writes nothing more.
type Stream struct {
	w       io.Writer
	idSize  int
	buf     []byte // of the segment
	long    bool   // the head of the segment is written
	first   uint64 // the number of the first string
	strings map[string]uint64
	texts   []string
	err     error
}

// NewStream returns a Stream whose identifiers have 4 or 8 bytes. First is the number of its first string.
func NewStream(w io.Writer, idSize int, first uint64) *Stream {
	return &Stream{w: w, idSize: idSize, first: first, strings: map[string]uint64{}}
}

// Err returns the first error of the writer.
func (s *Stream) Err() error { return s.err }

func (s *Stream) write(b []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(b)
	}
}

// StringID returns the number of a string. All strings must have their numbers before Begin.
func (s *Stream) StringID(text string) uint64 {
	id, ok := s.strings[text]
	if !ok {
		id = s.first + uint64(len(s.texts))
		s.strings[text], s.texts = id, append(s.texts, text)
	}
	return id
}

// A LoadedClass is a class with the number of its name.
type LoadedClass struct{ ID, Name uint64 }

// Begin writes what comes before the heap dump: the version, the strings, the classes, and the one stack
// trace, which is empty.
func (s *Stream) Begin(version string, classes []LoadedClass) {
	s.write(append([]byte(version), 0, 0, 0, 0, byte(s.idSize), 0, 0, 0, 0, 0, 0, 0, 0))
	for i, text := range s.texts {
		s.record(TagString, append(s.appendID(nil, s.first+uint64(i)), text...))
	}
	for i, c := range classes {
		b := s.appendID(binary.BigEndian.AppendUint32(nil, uint32(i+1)), c.ID)
		s.record(TagLoadClass, s.appendID(binary.BigEndian.AppendUint32(b, 0), c.Name))
	}
	s.record(TagTrace, make([]byte, 12))
}

// End writes the last segment and the end of the heap dump.
func (s *Stream) End() {
	s.Flush()
	s.record(TagHeapEnd, nil)
}

// record writes a record outside of the heap dump.
func (s *Stream) record(tag byte, body []byte) {
	s.head(tag, uint64(len(body)))
	s.write(body)
}

// head writes {tag, time, length}.
func (s *Stream) head(tag byte, n uint64) {
	s.write(binary.BigEndian.AppendUint32([]byte{tag, 0, 0, 0, 0}, uint32(n)))
}

// Full reports whether the segment should end before the next object.
func (s *Stream) Full() bool { return len(s.buf) >= SegmentSize }

// Flush ends the segment.
func (s *Stream) Flush() {
	if len(s.buf) > 0 {
		s.record(TagHeapSegment, s.buf)
		s.buf = s.buf[:0]
	}
}

// Long writes the head of the segment, which ends with the next n bytes, so that a large array need not be
// kept. The caller calls Pass between parts of the array, and EndLong after it.
func (s *Stream) Long(n uint64) {
	s.head(TagHeapSegment, uint64(len(s.buf))+n)
	s.long = true
}

// EndLong ends a segment that Long began. It does nothing in another segment.
func (s *Stream) EndLong() {
	s.Pass()
	s.long = false
}

// Pass writes what there is so far of a segment that Long began. It does nothing in another segment.
func (s *Stream) Pass() {
	if s.long {
		s.write(s.buf)
		s.buf = s.buf[:0]
	}
}

// U1 writes a byte.
func (s *Stream) U1(v byte) { s.buf = append(s.buf, v) }

// U2 writes 16 bits.
func (s *Stream) U2(v uint16) { s.buf = binary.BigEndian.AppendUint16(s.buf, v) }

// U4 writes 32 bits.
func (s *Stream) U4(v uint32) { s.buf = binary.BigEndian.AppendUint32(s.buf, v) }

// U8 writes 64 bits.
func (s *Stream) U8(v uint64) { s.buf = binary.BigEndian.AppendUint64(s.buf, v) }

// ID writes an identifier.
func (s *Stream) ID(v uint64) { s.buf = s.appendID(s.buf, v) }

func (s *Stream) appendID(b []byte, v uint64) []byte {
	if s.idSize == 4 {
		return binary.BigEndian.AppendUint32(b, uint32(v))
	}
	return binary.BigEndian.AppendUint64(b, v)
}

// Value writes a value of a type.
func (s *Stream) Value(t BasicType, v uint64) {
	switch t.Size(s.idSize) {
	case 1:
		s.U1(byte(v))
	case 2:
		s.U2(uint16(v))
	case 4:
		s.U4(uint32(v))
	default:
		s.U8(v)
	}
}

// Values writes values of size bytes each, which b has in another byte order.
func (s *Stream) Values(b []byte, size int, order binary.ByteOrder) {
	switch size {
	case 1:
		s.buf = append(s.buf, b...)
	case 2:
		for ; len(b) >= 2; b = b[2:] {
			s.U2(order.Uint16(b))
		}
	case 4:
		for ; len(b) >= 4; b = b[4:] {
			s.U4(order.Uint32(b))
		}
	default:
		for ; len(b) >= 8; b = b[8:] {
			s.U8(order.Uint64(b))
		}
	}
}
