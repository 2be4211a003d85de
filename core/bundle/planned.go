package bundle

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sort"

	"coredbg/core"
	"coredbg/core/bundle/span"

	"github.com/klauspost/compress/zstd"
)

// A Planned is a part to be: a file, and the ranges of it to put into the bundle.
type Planned struct {
	Kind    uint8 // Core, Module or DebugFile
	Path    string
	BuildID []byte
	Source  core.Source
	Spans   []span.Span  // tile the file
	Wiped   []span.Range // joined; taken, but as zeros
	Masked  []span.Range // where question marks stand for them
	Cleared []ClearedBits

	tables []Table // what has chunks of its own; sorted, distinct

	first  int64 // offset in the bundle of the first chunk
	chunks []chunk
}

// BytesOf returns how many bytes of a kind of extent a part has.
func (p *Planned) BytesOf(kind uint8) (n int64) {
	for _, s := range p.Spans {
		if s.Kind == kind {
			n += s.Hi - s.Lo
		}
	}
	return n
}

// SetTables gives ranges of the part's file their own chunks. If tables overlap, as they may in a
// damaged file, only the first counts.
func (p *Planned) SetTables(tables []Table) {
	slices.SortStableFunc(tables, func(a, b Table) int { return cmp.Compare(a.Lo, b.Lo) })
	p.tables = nil
	at := int64(0)
	for _, t := range tables {
		if t.Lo >= at && t.Hi > t.Lo {
			p.tables = append(p.tables, t)
			at = t.Hi
		}
	}
}

// tableAt returns what the bytes from at on belong to, and where that ends.
func (p *Planned) tableAt(at int64) Table {
	next := p.Source.Size()
	for _, t := range p.tables {
		switch {
		case at < t.Lo:
			return Table{span.Between(0, min(t.Lo, next)), ChunkSize, Columns{}}
		case at < t.Hi:
			return t
		}
	}
	return Table{span.Between(0, next), ChunkSize, Columns{}}
}

// wipe overwrites what is not to be seen of data, which is at offset at:
// with zeros, or with question marks where the part is masked.
func (p *Planned) wipe(data []byte, at int64) {
	i := sort.Search(len(p.Wiped), func(i int) bool { return p.Wiped[i].Hi > at })
	for ; i < len(p.Wiped) && p.Wiped[i].Lo < at+int64(len(data)); i++ {
		for off := max(p.Wiped[i].Lo, at); off < min(p.Wiped[i].Hi, at+int64(len(data))); off++ {
			data[off-at] = 0
			if slices.ContainsFunc(p.Masked, func(r span.Range) bool { return r.Lo <= off && off < r.Hi }) {
				data[off-at] = '?'
			}
		}
	}
}

// ClearedBits are bits of a byte of a part that are 0 in the bundle.
type ClearedBits struct {
	At   int64 // offset of the byte
	Bits byte
}

// clear clears the bits of p.Cleared in data, which is at offset at.
func (p *Planned) clear(data []byte, at int64) {
	for _, c := range p.Cleared {
		if i := c.At - at; i >= 0 && i < int64(len(data)) {
			data[i] &^= c.Bits
		}
	}
}

// Unpack calls visit with the bytes of a part that were taken, piece by piece,
// and their offsets in the part, once it was written to chunks.
func (p *Planned) Unpack(ctx context.Context, chunks io.ReaderAt, visit func(off uint64, b []byte)) error {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxIndex))
	if err != nil {
		return err
	}
	defer dec.Close()
	at, left := p.first, p.chunks
	var chunk []byte
	for _, s := range p.Spans {
		for off := s.Lo; off < s.Hi && s.Kind == span.Data; {
			if len(chunk) == 0 && len(left) > 0 {
				packed := make([]byte, left[0].size)
				if _, err := chunks.ReadAt(packed, at); err != nil {
					return fmt.Errorf("reading the bundle again: %w", err)
				}
				if chunk, err = dec.DecodeAll(packed, nil); err != nil {
					return fmt.Errorf("unpacking the bundle again: %w", err)
				}
				at, left = at+left[0].size, left[1:]
			}
			n := min(s.Hi-off, int64(len(chunk)))
			if err := ctx.Err(); err != nil || n == 0 {
				return cmp.Or(err, io.ErrUnexpectedEOF)
			}
			visit(uint64(off), chunk[:n])
			off, chunk = off+n, chunk[n:]
		}
	}
	return nil
}
