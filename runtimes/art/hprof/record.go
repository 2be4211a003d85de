package hprof

import (
	"encoding/binary"
	"io"

	"coredbg/runtimes/heap/hprof/format"
)

// segmentSize is about how many bytes of the heap dump a segment has.
const segmentSize = 1 << 20

// A stream writes records. Numbers are big-endian.
type stream struct {
	w    io.Writer
	buf  []byte // of the segment
	heap heapID // that the segment is in
	// streaming is set while an array is written whose segment's head is written
	// already.
	streaming bool
	err       error
}

func (s *stream) write(b []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(b)
	}
}

// record writes a record that is not of the heap dump.
func (s *stream) record(tag byte, body []byte) {
	s.head(tag, len(body))
	s.write(body)
}

// head writes {tag, time, length}.
func (s *stream) head(tag byte, n int) {
	b := binary.BigEndian.AppendUint32([]byte{tag, 0, 0, 0, 0}, uint32(n))
	s.write(b)
}

// flush ends the segment.
func (s *stream) flush() {
	if len(s.buf) > 0 {
		s.record(format.TagHeapSegment, s.buf)
		s.buf, s.heap = s.buf[:0], heapDefault
	}
}

// room ends the segment if it is full; what follows belongs to a heap, of which name is
// the string.
func (s *stream) room(heap heapID, name uint32) {
	if len(s.buf) >= segmentSize {
		s.flush()
	}
	if heap != s.heap {
		s.u1(format.HeapDumpInfo)
		s.u4(uint32(heap))
		s.u4(name)
		s.heap = heap
	}
}

func (s *stream) u1(v byte)   { s.buf = append(s.buf, v) }
func (s *stream) u2(v uint16) { s.buf = binary.BigEndian.AppendUint16(s.buf, v) }
func (s *stream) u4(v uint32) { s.buf = binary.BigEndian.AppendUint32(s.buf, v) }
func (s *stream) u8(v uint64) { s.buf = binary.BigEndian.AppendUint64(s.buf, v) }

// value writes a value of a type.
func (s *stream) value(t format.BasicType, v uint64) {
	switch t.Size(4) {
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
