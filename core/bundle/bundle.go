// Package bundle packs a core and what is needed of its program and libraries
// into one file that opens anywhere, and reads such files.
//
// The object chain: a bundle is an index followed by zstd frames. The index
// lists parts: the core, each module's file, separate debug files. A
// part has the size of the file that it stands for and is tiled by extents:
// bytes that were taken, zeros, or a gap with a reason. The bytes that were
// taken, joined, are cut into chunks, each a frame of its own, so that any byte
// costs one chunk to read: of 256 KiB, but of up to 8 MiB in tables that are read
// whole, as names of symbols are. A gap never reads as zeros: it is a
// *core.GapError that says why, so what was left out cannot be mistaken for
// what was zero. Chunks of files may be in a folder that several bundles share,
// named by their hashes; see store.go.
//
// The layout, all numbers little-endian:
//
//	header   8 bytes magic, uint32 version, uint32 CRC-32 (IEEE) of the index
//	         frame, uint64 length of the index frame, uint64 length of the chunks
//	index    one zstd frame; see index.go
//	chunks   zstd frames (RFC 8878) with checksums, those of the core first
//
// The index comes first, so that a bundle that was cut short opens like a
// core that was: what is left of it can be read, and it says that it is cut.
//
// What is taken of a module's file, and why: headers and notes say which file
// it is; .symtab, .strtab, .gnu_debugdata and the dynamic symbols name code;
// .eh_frame and .debug_frame unwind it; DWARF, where it is not big, gives source
// lines; of code and constants the pages that stacks were seen to need. Of Node
// 24 that is 24 of 121 MiB, which packs to 6 MB. A core of it of 592 MB, 12 MiB
// of that not zero, makes a bundle of 10 MB, or 7 MB of stacks alone; with all
// code it would be 29 MB. A small C++ program makes 0.6 MB. A lean bundle has less of
// .eh_frame, of DWARF and of .strtab; see lean.go.
//
// Versions: 3, and 2, which had chunks of 256 KiB alone and none that are shared;
// it is read. Version 1 had its index at the end, and was not released.
//
// LIMITATIONS: as the index is known last, the packed chunks go through a
// temporary file while a bundle is written. Redacting knows the secrets that a
// process was started with or put into its environment, no others.
package bundle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
	"sync/atomic"

	"coredbg/core"
	"coredbg/core/file"

	"github.com/klauspost/compress/zstd"
)

const (
	magic      = "\x89CDB\r\n\x1a\n" // not text, and damaged if treated as text
	version    = 3
	oldVersion = 2
	headerSize = 32
	maxIndex   = 64 << 20 // bytes, unpacked; that of 70,000 segments takes 1 MiB
	maxExtents = 4 << 20
	maxChunks  = 1 << 20   // 256 GiB
	maxThings  = 1 << 16   // lines, reasons and parts, each
	maxCached  = 256 << 20 // bytes of chunks
)

// The kinds of parts.
const (
	partCore   = 0
	partModule = 1
	partDebug  = 2
)

// A Bundle is an open bundle. It is a find.Finder of the files that it holds, and safe
// for concurrent use.
type Bundle struct {
	// Info is what the bundle says it contains, line by line.
	Info []string

	src     core.Source
	version uint32
	base    int64 // offset in src of the chunks
	length  int64 // of the chunks, when the bundle was whole
	parts   []*part
	shared  string   // the name of the folder that has shared chunks; "" if there are none
	folders []string // where that folder may be

	mu     sync.Mutex
	dec    *zstd.Decoder
	cache  map[chunkID][]byte
	cached int64     // bytes
	room   int64     // for these
	order  []chunkID // of arrival
	closed atomic.Bool
}

type chunkID struct {
	part  *part
	chunk int
}

// Is reports whether src begins as a bundle does.
func Is(src core.Source) bool {
	head, err := core.SourceSlice(src, 0, len(magic))
	return err == nil && string(head) == magic
}

// Open opens a bundle. The bundle keeps src; closing the bundle, or the core in
// it, closes src. What it shares with other bundles is looked for in folders: the
// one that the bundle is in, and others. It returns core.ErrUnknownFormat if src
// is not a bundle.
func Open(src core.Source, folders ...string) (*Bundle, error) {
	if !Is(src) {
		return nil, core.ErrUnknownFormat
	}
	head, err := core.SourceSlice(src, 0, headerSize)
	if err != nil {
		return nil, &core.FormatError{Off: 0, Msg: "bundle is cut short in its header"}
	}
	v := binary.LittleEndian.Uint32(head[8:])
	if v != version && v != oldVersion {
		return nil, &core.FormatError{Off: 8, Msg: "bundle of a version that this coredbg does not know", Val: v}
	}
	packed, length, err := indexFrame(src, head)
	if err != nil {
		return nil, err
	}
	raw, err := unpackIndex(packed)
	if err != nil {
		return nil, &core.FormatError{Off: headerSize, Msg: "bundle has a damaged index: " + err.Error()}
	}
	// What claims to be more than a chunk is not unpacked any further.
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxChunk))
	if err != nil {
		return nil, err
	}
	b := &Bundle{src: src, version: v, base: headerSize + int64(len(packed)), length: length, folders: folders,
		dec: dec, cache: make(map[chunkID][]byte), room: maxCached}
	if err := b.readIndex(raw, length); err != nil {
		dec.Close()
		return nil, &core.FormatError{Off: headerSize, Msg: "bundle has a bad index: " + err.Error()}
	}
	return b, nil
}

// indexFrame returns the packed index, after its checksum agreed, and the
// length of the chunks after it.
func indexFrame(src core.Source, head []byte) (packed []byte, length int64, err error) {
	n, chunks := binary.LittleEndian.Uint64(head[16:]), binary.LittleEndian.Uint64(head[24:])
	if n > maxIndex || chunks > 1<<62 {
		return nil, 0, &core.FormatError{Off: 16, Msg: "bundle has an index of an impossible length", Val: n}
	}
	if int64(n) > src.Size()-headerSize {
		return nil, 0, &core.FormatError{Off: src.Size(), Msg: "bundle is cut short in its index"}
	}
	packed, err = core.SourceSlice(src, headerSize, int(n))
	if err != nil {
		return nil, 0, fmt.Errorf("reading the bundle's index: %w", err)
	}
	if crc32.ChecksumIEEE(packed) != binary.LittleEndian.Uint32(head[12:]) {
		return nil, 0, &core.FormatError{Off: headerSize, Msg: "bundle has a damaged index: the checksum differs"}
	}
	return packed, int64(chunks), nil
}

// indexLimit returns the most bytes that an index of n packed bytes may have.
func indexLimit(n int) int64 { return min(maxIndex, file.Plausible(n)) }

// unpackIndex unpacks the index, whose memory is bounded by what there is of it.
func unpackIndex(packed []byte) ([]byte, error) {
	limit := indexLimit(len(packed))
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(limit)))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	raw, err := dec.DecodeAll(packed, nil)
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) {
		err = fmt.Errorf("its %d bytes unpack to more than %d", len(packed), limit)
	}
	return raw, err
}

// packIndex packs an index so that it can be unpacked within the limit.
func packIndex(enc *zstd.Encoder, raw []byte) []byte {
	packed := enc.EncodeAll(raw, nil)
	if int64(len(raw)) > indexLimit(len(packed)) {
		// A skippable frame (RFC 8878, 3.1.2) of zeros makes it longer.
		n := len(raw) / 256
		packed = binary.LittleEndian.AppendUint32(packed, 0x184d2a50)
		packed = binary.LittleEndian.AppendUint32(packed, uint32(n))
		packed = append(packed, make([]byte, n)...)
	}
	return packed
}

// Core returns the core. Its offsets and its size are those of the file that
// was packed.
func (b *Bundle) Core() core.Source {
	for _, p := range b.parts {
		if p.kind == partCore {
			return coreSource{p}
		}
	}
	return core.Bytes(nil) // readIndex has seen to it that there is one
}

// CorePath returns the path that the core had when it was packed.
func (b *Bundle) CorePath() string { return b.Core().(coreSource).path }

// coreSource is the core's part, which takes the bundle with it when it closes.
type coreSource struct{ *part }

func (c coreSource) Close() error { return c.b.Close() }

// Truncated says that the bundle was cut short; see file.Truncation.
func (c coreSource) Truncated() error {
	if have, want := c.b.src.Size(), c.b.base+c.b.length; have < want {
		return fmt.Errorf("its bundle has %d of %d bytes", have, want)
	}
	return nil
}

// Close releases the bundle and every part of it.
func (b *Bundle) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed.Load() {
		return nil
	}
	b.closed.Store(true)
	b.cache, b.order = nil, nil
	b.dec.Close()
	return b.src.Close()
}

var errClosed = errors.New("bundle is closed")

// errCut is why a chunk past the end of a bundle cannot be read.
var errCut = &core.GapError{Gap: core.Truncated, Detail: "the bundle is cut short"}

// chunk returns chunk i of p, unpacked. It stays valid when it leaves the cache.
func (b *Bundle) chunk(p *part, i int) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed.Load() {
		return nil, errClosed
	}
	id := chunkID{p, i}
	if data, ok := b.cache[id]; ok {
		p.last.Store(&chunkData{i, data})
		return data, nil
	}
	c := p.chunks[i]
	packed, err := b.packed(c)
	if err != nil {
		return nil, err
	}
	data, err := b.dec.DecodeAll(packed, make([]byte, 0, c.length))
	if err == nil && int64(len(data)) != c.length {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("damaged bundle chunk at %#x: %w", b.base+c.off, err)
	}
	data = c.turnBack(data)
	for b.cached += c.length; b.cached > b.room && len(b.order) > 0; b.order = b.order[1:] {
		b.drop(b.order[0])
	}
	b.cache[id] = data
	b.order = append(b.order, id)
	p.last.Store(&chunkData{i, data})
	return data, nil
}

// drop takes a chunk out of the cache, and from its part: a bundle may have many of those.
func (b *Bundle) drop(id chunkID) {
	b.cached -= int64(len(b.cache[id]))
	delete(b.cache, id)
	if u := id.part.last.Load(); u != nil && u.i == id.chunk {
		id.part.last.Store(nil)
	}
}

// packed returns the bytes of a chunk, packed.
func (b *Bundle) packed(c chunk) ([]byte, error) {
	if c.sum != nil {
		return b.sharedChunk(c)
	}
	at := b.base + c.off
	packed, err := core.SourceSlice(b.src, at, int(c.size))
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errCut
	}
	if err != nil {
		return nil, fmt.Errorf("bundle chunk at %#x: %w", at, err)
	}
	return packed, nil
}
