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
	"slices"
	"sort"

	"coredbg/core"
	"coredbg/core/file"

	"github.com/klauspost/compress/zstd"
)

// Write writes a bundle of p, which was opened from src. The same process,
// files and options give the same bytes. Nothing may read p while it runs.
func Write(ctx context.Context, w io.Writer, p *core.Process, src core.Source, opt Options) error {
	plan, err := NewPlan(ctx, p, src, opt)
	if err != nil {
		return fmt.Errorf("planning the bundle: %w", err)
	}
	defer plan.Close()
	return plan.Write(ctx, w)
}

// Write writes the bundle that was planned, until ctx ends.
func (plan *Plan) Write(ctx context.Context, w io.Writer) error {
	level := zstd.SpeedDefault
	if plan.opt.Small {
		level = zstd.SpeedBestCompression
	}
	// One frame at a time by one encoder: the bytes do not depend on how
	// many processors there are.
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithWindowSize(maxChunk))
	if err != nil {
		return err
	}
	defer enc.Close()
	spool, err := file.NewScratch()
	if err != nil {
		return err
	}
	defer spool.Close()
	k := &packer{ctx: ctx, w: spool, encode: encoder(enc, plan.opt.Pack), tell: plan.opt.Progress, shared: plan.opt.Share}
	for _, part := range plan.parts {
		k.total += part.bytesOf(extentData)
	}
	for _, part := range plan.parts {
		if err := k.pack(part); err != nil {
			return fmt.Errorf("%s: %w", part.path, err)
		}
	}
	name := ""
	if k.shared != "" {
		name = filepath.Base(k.shared)
	}
	raw := encodeIndex(plan.info, plan.parts, name)
	if err := plan.check(ctx, raw, spool); err != nil {
		return err
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
func encoder(enc *zstd.Encoder, pack func(context.Context, []byte) ([]byte, error)) func(ctx context.Context, chunk, to []byte) ([]byte, error) {
	if pack == nil {
		return func(_ context.Context, chunk, to []byte) ([]byte, error) { return enc.EncodeAll(chunk, to), nil }
	}
	return func(ctx context.Context, chunk, to []byte) ([]byte, error) {
		packed, err := pack(ctx, chunk)
		if err != nil {
			return nil, fmt.Errorf("packing: %w", err)
		}
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxChunk))
		if err != nil {
			return nil, err
		}
		defer dec.Close()
		again, err := dec.DecodeAll(packed, nil)
		if err != nil {
			return nil, fmt.Errorf("packing: unpacking what was packed: %w", err)
		}
		if !bytes.Equal(again, chunk) {
			return nil, errors.New("packing: what was packed does not unpack to what it was")
		}
		return append(to, packed...), nil
	}
}

// untilDone reads until a context ends.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u *untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// header returns the header of a bundle with a packed index and so many bytes
// of chunks.
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
func (k *packer) pack(p *plannedPart) error {
	p.first, p.chunks = k.off, nil
	k.buf = k.buf[:0]
	var in table
	for _, s := range p.spans {
		if s.kind != extentData {
			continue
		}
		for at := s.lo; at < s.hi && k.err == nil; {
			if t := p.tableAt(at); t != in {
				k.flush(p, in.columns)
				in = t
			}
			data, err := core.SourceSlice(p.src, at, int(min(in.limit-int64(len(k.buf)), s.hi-at, in.hi-at)))
			if err != nil {
				return err // it could be read when the bundle was planned
			}
			k.buf = append(k.buf, data...)
			p.wipe(k.buf[len(k.buf)-len(data):], at)
			p.clear(k.buf[len(k.buf)-len(data):], at)
			at += int64(len(data))
			if int64(len(k.buf)) == in.limit {
				k.flush(p, in.columns)
			}
		}
	}
	k.flush(p, in.columns)
	return k.err
}

// wipe overwrites what is not to be seen of data, which is at offset at:
// with zeros, or with question marks where the part is masked.
func (p *plannedPart) wipe(data []byte, at int64) {
	i := sort.Search(len(p.wiped), func(i int) bool { return p.wiped[i].hi > at })
	for ; i < len(p.wiped) && p.wiped[i].lo < at+int64(len(data)); i++ {
		for off := max(p.wiped[i].lo, at); off < min(p.wiped[i].hi, at+int64(len(data))); off++ {
			data[off-at] = 0
			if slices.ContainsFunc(p.masked, func(r fileRange) bool { return r.lo <= off && off < r.hi }) {
				data[off-at] = '?'
			}
		}
	}
}

// flush makes a chunk of what was collected.
func (k *packer) flush(p *plannedPart, turned columns) {
	if len(k.buf) == 0 || k.err != nil {
		return
	}
	if k.out, k.err = k.encode(k.ctx, turned.turn(k.buf), k.out[:0]); k.err != nil {
		return
	}
	c := chunk{size: int64(len(k.out)), length: int64(len(k.buf)), columns: turned}
	if k.shared != "" && p.kind != partCore && len(k.out) >= leastShared && k.err == nil {
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
		k.tell("packing "+p.path, k.done, k.total)
	}
}
