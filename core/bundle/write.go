package bundle

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"

	"coredbg/core"
	"coredbg/core/bundle/span"
	"coredbg/core/file"

	"github.com/klauspost/compress/zstd"
)

// WriteOptions say how a bundle is written.
type WriteOptions struct {
	// Info is what the bundle says it contains, line by line.
	Info []string
	// Small packs harder: a tenth smaller, and some times slower.
	Small bool
	// Pack packs a chunk into a zstd frame (RFC 8878) in place of the library; it
	// may be nil.
	Pack func(ctx context.Context, chunk []byte) ([]byte, error)
	// Share is a folder for chunks of files, which other bundles may have too; "" for
	// none. See ValidShare.
	Share string
	// Progress is called with how many bytes have been packed; it may be nil.
	Progress func(what string, done, total int64)
	// Check is given the index, and the chunks for Planned.Unpack. If it fails, nothing is
	// written. It may be nil.
	Check func(ctx context.Context, index []byte, chunks io.ReaderAt) error
}

// Write writes a bundle of parts until ctx ends. The first part is the core. The same parts and options
// give the same bytes.
func Write(ctx context.Context, w io.Writer, parts []*Planned, opt WriteOptions) error {
	level := zstd.SpeedDefault
	if opt.Small {
		level = zstd.SpeedBestCompression
	}
	// One frame at a time by one encoder: the bytes do not depend on how
	// many processors there are.
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(true), zstd.WithWindowSize(MaxChunk))
	if err != nil {
		return err
	}
	defer enc.Close()
	spool, err := file.NewScratch()
	if err != nil {
		return err
	}
	defer spool.Close()
	k := &packer{ctx: ctx, w: spool, encode: encoder(enc, opt.Pack), tell: opt.Progress, shared: opt.Share}
	for _, part := range parts {
		k.total += part.BytesOf(span.Data)
	}
	for _, part := range parts {
		if err := k.pack(part); err != nil {
			return fmt.Errorf("%s: %w", part.Path, err)
		}
	}
	name := ""
	if k.shared != "" {
		name = filepath.Base(k.shared)
	}
	raw := encodeIndex(opt.Info, parts, name)
	if opt.Check != nil {
		if err := opt.Check(ctx, raw, spool); err != nil {
			return err
		}
	}
	if len(raw) > maxIndex {
		return fmt.Errorf("the index would take %d bytes, more than %d", len(raw), maxIndex)
	}
	index := packIndex(enc, raw)
	if _, err := w.Write(append(header(index, k.off), index...)); err != nil {
		return err
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(w, &untilDone{ctx, spool})
	return err
}

// encoder returns what packs chunks: the library, or else what the caller brings,
// whose frames are unpacked again before they are believed.
func encoder(enc *zstd.Encoder, pack func(context.Context, []byte) ([]byte, error)) func(ctx context.Context, chunk,
	to []byte) ([]byte, error) {
	if pack == nil {
		return func(_ context.Context, chunk, to []byte) ([]byte, error) { return enc.EncodeAll(chunk, to), nil }
	}
	return func(ctx context.Context, chunk, to []byte) ([]byte, error) {
		packed, err := pack(ctx, chunk)
		if err != nil {
			return nil, fmt.Errorf("packing: %w", err)
		}
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxChunk))
		if err != nil {
			return nil, err
		}
		defer dec.Close()
		again, err := dec.DecodeAll(packed, nil)
		if err != nil {
			return nil, fmt.Errorf("packing: unpacking what was packed: %w", err)
		}
		if !bytes.Equal(again, chunk) {
			return nil, errors.New("packing: the packed bytes do not unpack to the original")
		}
		return append(to, packed...), nil
	}
}

// untilDone reads until a context ends.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (u *untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// header returns the header of a bundle with a packed index and the size of its chunks in bytes.
func header(index []byte, chunks int64) []byte {
	h := binary.LittleEndian.AppendUint32([]byte(magic), version)
	h = binary.LittleEndian.AppendUint32(h, crc32.ChecksumIEEE(index))
	h = binary.LittleEndian.AppendUint64(h, uint64(len(index)))
	return binary.LittleEndian.AppendUint64(h, uint64(chunks))
}

// packer writes chunks and keeps the first error of the output.
type packer struct {
	ctx  context.Context
	w    io.Writer
	tell func(what string, done, total int64)

	encode func(ctx context.Context, chunk, to []byte) ([]byte, error)
	shared string // a folder; "" for none

	off, done, total int64
	buf, out         []byte
	err              error
}

func (k *packer) write(b []byte) {
	if k.err != nil {
		return
	}
	n, err := k.w.Write(b)
	k.off += int64(n)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	k.err = err
}

// pack writes the bytes of a part that are taken.
func (k *packer) pack(p *Planned) error {
	p.first, p.chunks = k.off, nil
	k.buf = k.buf[:0]
	var in Table
	for _, s := range p.Spans {
		if s.Kind != span.Data {
			continue
		}
		for at := s.Lo; at < s.Hi && k.err == nil; {
			if t := p.tableAt(at); t != in {
				k.flush(p, in.Columns)
				in = t
			}
			data, err := core.SourceSlice(p.Source, at, int(min(in.Limit-int64(len(k.buf)), s.Hi-at, in.Hi-at)))
			if err != nil {
				return err // it could be read when the bundle was planned
			}
			k.buf = append(k.buf, data...)
			p.wipe(k.buf[len(k.buf)-len(data):], at)
			p.clear(k.buf[len(k.buf)-len(data):], at)
			at += int64(len(data))
			if int64(len(k.buf)) == in.Limit {
				k.flush(p, in.Columns)
			}
		}
	}
	k.flush(p, in.Columns)
	return k.err
}

// flush makes a chunk of the collected bytes.
func (k *packer) flush(p *Planned, turned Columns) {
	if len(k.buf) == 0 || k.err != nil {
		return
	}
	if k.out, k.err = k.encode(k.ctx, turned.turn(k.buf), k.out[:0]); k.err != nil {
		return
	}
	c := chunk{size: int64(len(k.out)), length: int64(len(k.buf)), Columns: turned}
	if k.shared != "" && p.Kind != Core && len(k.out) >= leastShared && k.err == nil {
		s, err := k.share(k.out)
		c.sum, k.err = &s, err
	} else {
		k.write(k.out)
	}
	p.chunks = append(p.chunks, c)
	if err := k.ctx.Err(); err != nil && k.err == nil {
		k.err = err
	}
	k.done += int64(len(k.buf))
	k.buf = k.buf[:0]
	if k.tell != nil {
		k.tell("packing "+p.Path, k.done, k.total)
	}
}
