package bundle

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// check unpacks what was written and searches it for secrets: the index and the
// core. Nothing is written anywhere if one is left. The other files are as they
// are on disk: what they have is common.
func (plan *Plan) check(ctx context.Context, index []byte, chunks io.ReaderAt) error {
	if plan.redaction == nil {
		return nil
	}
	r := *plan.redaction.grams
	r.edges = nil // what is left out makes edges everywhere
	var left error
	s := &sweep{grams: &r, found: func(lo, hi uint64) {
		if left == nil {
			left = fmt.Errorf("redacting: a secret of %d bytes is left at offset %#x", hi-lo, lo)
		}
	}}
	if err := plan.parts[0].unpack(ctx, chunks, s.feed); err != nil {
		return err
	}
	s.end()
	if left != nil {
		return left
	}
	// A value may be a word that the bundle says of itself: that is so from
	// here on, as the sets are shared.
	for _, line := range plan.info {
		r.know([]byte(line), false) // a value may be a word that the bundle says of itself
	}
	for _, p := range plan.parts {
		for _, span := range p.spans {
			if span.kind == extentGap {
				r.know([]byte(span.gap.Detail), false)
			}
		}
	}
	s.feed(0, index)
	s.end()
	if left != nil {
		return fmt.Errorf("index: %w", left)
	}
	return nil
}

// unpack calls visit with the bytes of a part that were taken, piece by piece,
// and their offsets in the part.
func (p *plannedPart) unpack(ctx context.Context, chunks io.ReaderAt, visit func(off uint64, b []byte)) error {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxIndex))
	if err != nil {
		return err
	}
	defer dec.Close()
	at, left := p.first, p.chunks
	var chunk []byte
	for _, span := range p.spans {
		for off := span.lo; off < span.hi && span.kind == extentData; {
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
			n := min(span.hi-off, int64(len(chunk)))
			if err := ctx.Err(); err != nil || n == 0 {
				return cmp.Or(err, io.ErrUnexpectedEOF)
			}
			visit(uint64(off), chunk[:n])
			off, chunk = off+n, chunk[n:]
		}
	}
	return nil
}
