package bundle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"coredbg/core"
	"coredbg/core/bundle/span"
)

// The index, before it is packed. Numbers are unsigned LEB128 ("u"), texts are
// their length and their bytes:
//
//	u count of lines, each a text: what the bundle contains
//	u count of reasons, each a byte (core.Gap, see gapCode) and a text
//	u count of parts, each
//	    byte kind, text path, text build-id, u size in bytes
//	    u count of extents, each u length*4+kind, for gaps then u reason
//	    u offset of the first chunk, u count of chunks, each
//	        u unpacked length*4+flags, u packed length
//	        if turned: bytes stride and delta; see columns
//	        if shared: 32 bytes SHA-256 of the packed bytes
//	text name of the folder that shared chunks are in
//
// Extents tile the part from 0 to its size; each has a length above 0. The chunks of a part follow each
// other, except for shared ones; offsets count from the first chunk of the bundle. In version 2 a chunk
// has only a packed length, its unpacked length is 256 KiB, and the index does not end in a folder's
// name.

// The flags of a chunk.
const (
	flagShared = 1
	flagTurned = 2
)

// gapCode is how a reason is written in the index, whatever core.Gap's numbers are.
var gapCode = []core.Gap{core.LeftOut, core.Redacted, core.Truncated, core.Unreadable}

var errShort = errors.New("it ends too early")

// reader reads the index and keeps the first error.
type reader struct {
	core.Buf
	err error
}

// fail keeps an error. Every read after it gives zero.
func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.Bad = true
}

// ends keeps an error if the last read did not have all its bytes.
func (r *reader) ends() {
	if r.Bad {
		r.fail(fmt.Errorf("%w, at byte %#x", errShort, r.Off))
	}
}

func (r *reader) uvarint() uint64 {
	v := r.ULEB()
	r.ends()
	return v
}

// count reads the number of items that follow, at most most, of at least size bytes each.
func (r *reader) count(what string, size, most int) int {
	n, left := r.uvarint(), len(r.Rest())
	switch {
	case r.Bad:
	case n > uint64(left/size):
		r.fail(fmt.Errorf("%d %s in %d bytes", n, what, left))
	case n > uint64(most):
		r.fail(fmt.Errorf("%d %s, more than %d", n, what, most))
	}
	if r.Bad {
		return 0
	}
	return int(n)
}

func (r *reader) text() []byte {
	return slices.Clip(r.Bytes(uint64(r.count("bytes of text", 1, maxIndex))))
}

func (r *reader) byte() uint8 {
	v := r.U8()
	r.ends()
	return v
}

// size reads a size or an offset in bytes.
func (r *reader) size() int64 {
	v := r.uvarint()
	if v > math.MaxInt64/4 {
		r.fail(fmt.Errorf("a size of %#x", v))
		return 0
	}
	return int64(v)
}

// readIndex fills b from the index; limit is the length of the chunks.
func (b *Bundle) readIndex(raw []byte, limit int64) error {
	r := &reader{Buf: core.Buf{Data: raw}}
	for range r.count("lines", 1, maxThings) {
		b.Info = append(b.Info, string(r.text()))
	}
	var reasons []*core.GapError
	for range r.count("reasons", 2, maxThings) {
		code := r.byte()
		gap := core.Unreadable
		if int(code) < len(gapCode) {
			gap = gapCode[code]
		}
		reasons = append(reasons, &core.GapError{Gap: gap, Detail: string(r.text())})
	}
	extents, chunks, cores, shared := 0, 0, 0, false
	for range r.count("parts", 7, maxThings) {
		p := &part{b: b, kind: r.byte(), path: string(r.text()), buildID: r.text(), size: r.size()}
		n := r.count("extents", 1, maxExtents-extents)
		extents += n
		if err := p.readExtents(r, n, reasons); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		shares, err := p.readChunks(r, limit, maxChunks-chunks)
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		chunks += len(p.chunks)
		shared = shared || shares
		if p.kind == Core {
			cores++
		}
		b.parts = append(b.parts, p)
	}
	if b.version != oldVersion {
		b.shared = string(r.text())
	}
	switch {
	case r.err != nil:
		return r.err
	case shared && !ValidShare(b.shared):
		return fmt.Errorf("it shares a folder named %q", b.shared)
	case cores != 1:
		return fmt.Errorf("%d cores in it, not one", cores)
	}
	return nil
}

func (p *part) readExtents(r *reader, n int, reasons []*core.GapError) error {
	p.extents, p.gaps = make([]extent, 0, n), reasons
	at := int64(0)
	for range n {
		v := r.uvarint()
		e := extent{start: at, taken: p.taken, kind: uint8(v & 3)}
		length := int64(v >> 2)
		if r.err == nil && (length == 0 || length > p.size-at || e.kind > span.Gap) {
			return fmt.Errorf("an extent of kind %d and %d bytes at %#x of %#x", e.kind, length, at, p.size)
		}
		if e.kind == span.Gap {
			i := r.uvarint()
			if r.err == nil && i >= uint64(len(reasons)) {
				return fmt.Errorf("reason %d of %d", i, len(reasons))
			}
			if r.err == nil {
				e.gap = uint16(i)
			}
		}
		if r.err != nil {
			return r.err
		}
		if e.kind == span.Data {
			p.taken += length
		}
		at += length
		p.extents = append(p.extents, e)
	}
	if r.err == nil && at != p.size {
		return fmt.Errorf("extents end at %#x of %#x", at, p.size)
	}
	return r.err
}

// readChunks reads where the part's chunks are, and reports whether some are
// shared.
func (p *part) readChunks(r *reader, limit int64, most int) (shared bool, err error) {
	off := r.size()
	n := r.count("chunks", 1, most)
	p.chunks, p.cached = make([]chunk, 0, n), make([]atomic.Pointer[[]byte], n)
	at := int64(0)
	for range n {
		c := chunk{off: off, start: at}
		if p.b.version == oldVersion {
			c.length, c.size = min(ChunkSize, p.taken-at), r.size()
		} else {
			r.chunk(&c)
		}
		switch {
		case r.err != nil:
			return false, r.err
		case c.length <= 0 || c.length > min(MaxChunk, p.taken-at) || !c.Valid():
			return false, fmt.Errorf("a chunk for %d bytes at %#x of %#x", c.length, at, p.taken)
		case c.size == 0 || c.size > 2*max(c.length, ChunkSize) || c.sum == nil && c.size > limit-c.off:
			return false, fmt.Errorf("a chunk of %d bytes at %#x", c.size, c.off)
		case c.sum == nil:
			off += c.size
		}
		shared = shared || c.sum != nil
		at += c.length
		p.chunks = append(p.chunks, c)
	}
	if r.err == nil && at != p.taken {
		return false, fmt.Errorf("%d chunks for %d bytes have %d", n, p.taken, at)
	}
	return shared, r.err
}

// chunk reads a chunk's entry of the index.
func (r *reader) chunk(c *chunk) {
	v := r.size()
	c.length, c.size = v>>2, r.size()
	if v&flagTurned != 0 {
		c.Columns = Columns{r.byte(), r.byte()}
	}
	if v&flagShared != 0 {
		if b := r.Bytes(uint64(len(sum{}))); b != nil {
			c.sum = (*sum)(bytes.Clone(b))
		}
		r.ends()
	}
}

// writer makes an index.
type writer struct{ b []byte }

func (w *writer) uvarint(v uint64) { w.b = binary.AppendUvarint(w.b, v) }

func (w *writer) text(s string) {
	w.uvarint(uint64(len(s)))
	w.b = append(w.b, s...)
}

// encodeIndex returns the index of a plan whose parts have their chunks.
func encodeIndex(info []string, parts []*Planned, shared string) []byte {
	w := &writer{}
	w.uvarint(uint64(len(info)))
	for _, line := range info {
		w.text(line)
	}
	reasons := map[core.GapError]int{}
	var table writer
	for _, p := range parts {
		for _, s := range p.Spans {
			if _, known := reasons[s.Gap]; s.Kind == span.Gap && !known {
				reasons[s.Gap] = len(reasons)
				table.b = append(table.b, codeOf(s.Gap.Gap))
				table.text(s.Gap.Detail)
			}
		}
	}
	w.uvarint(uint64(len(reasons)))
	w.b = append(w.b, table.b...)
	w.uvarint(uint64(len(parts)))
	for _, p := range parts {
		w.b = append(w.b, p.Kind)
		w.text(p.Path)
		w.text(string(p.BuildID))
		w.uvarint(uint64(p.Source.Size()))
		w.uvarint(uint64(len(p.Spans)))
		for _, s := range p.Spans {
			w.uvarint(uint64(s.Hi-s.Lo)<<2 | uint64(s.Kind))
			if s.Kind == span.Gap {
				w.uvarint(uint64(reasons[s.Gap]))
			}
		}
		w.uvarint(uint64(p.first))
		w.uvarint(uint64(len(p.chunks)))
		for _, c := range p.chunks {
			w.chunk(c)
		}
	}
	w.text(shared)
	return w.b
}

// chunk writes a chunk's entry of the index.
func (w *writer) chunk(c chunk) {
	v := uint64(c.length) << 2
	if c.Stride != 0 {
		v |= flagTurned
	}
	if c.sum != nil {
		v |= flagShared
	}
	w.uvarint(v)
	w.uvarint(uint64(c.size))
	if c.Stride != 0 {
		w.b = append(w.b, c.Stride, c.Delta)
	}
	if c.sum != nil {
		w.b = append(w.b, c.sum[:]...)
	}
}

func codeOf(g core.Gap) uint8 {
	for i, known := range gapCode {
		if known == g {
			return uint8(i)
		}
	}
	return uint8(len(gapCode))
}
