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
	"coredbg/core/find"

	"github.com/klauspost/compress/zstd"
)

const (
	magic      = "\x89CDB\r\n\x1a\n" // not text, and damaged if treated as text
	version    = 3
	oldVersion = 2
	headerSize = 32
	maxIndex   = 64 << 20 // bytes, unpacked; an index of 70,000 segments takes 1 MiB
	maxExtents = 4 << 20
	maxChunks  = 1 << 20   // 256 GiB
	maxThings  = 1 << 16   // lines, reasons and parts, each
	maxCached  = 256 << 20 // bytes of chunks
)

// The kinds of parts.
const (
	Core      = 0
	Module    = 1 // the file of a module, or one without code
	DebugFile = 2
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
	shared  string      // the name of the folder that has shared chunks; "" if there are none
	folders []string    // where that folder may be
	lent    find.Finder // asked before these; it may be nil

	mu     sync.Mutex
	dec    *zstd.Decoder
	cached int64              // bytes
	room   int64              // for these
	order  []chunkID          // the cached chunks, as they arrived
	bad    map[chunkID]failed // why chunks cannot be unpacked, which takes as long each time
	closed atomic.Bool
}

// A chunkID names a chunk of a part.
type chunkID struct {
	part  *part
	chunk int
}

// A failed says why a chunk could not be unpacked, and the state of its files then.
type failed struct {
	err   error
	files string
}

// Is reports whether src begins as a bundle does.
func Is(src core.Source) bool {
	head, err := core.SourceSlice(src, 0, len(magic))
	return err == nil && string(head) == magic
}

// Open opens a bundle. The bundle keeps src; closing the bundle, or the core in it, closes src. Open
// looks for shared chunks in the folder that the bundle is in, and in folders. It returns
// core.ErrUnknownFormat if src is not a bundle.
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
	// A frame that claims to be more than a chunk is not unpacked any further.
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxChunk))
	if err != nil {
		return nil, err
	}
	b := &Bundle{src: src, version: v, base: headerSize + int64(len(packed)), length: length, folders: folders,
		dec: dec, room: maxCached}
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

// unpackIndex unpacks the index. Its memory is bounded by the size of packed.
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

// Core returns the core. Its offsets and its size are the ones of the file that was packed.
func (b *Bundle) Core() core.Source {
	for _, p := range b.parts {
		if p.kind == Core {
			return coreSource{p}
		}
	}
	return core.Bytes(nil) // readIndex has seen to it that there is one
}

// CorePath returns the path that the core had when it was packed.
func (b *Bundle) CorePath() string { return b.Core().(coreSource).path }

// CorePath returns the path that a core had when it was packed, if src is the core of a bundle.
func CorePath(src core.Source) (path string, ok bool) {
	c, ok := src.(coreSource)
	if ok {
		path = c.path
	}
	return path, ok
}

// coreSource is the core's part, which takes the bundle with it when it closes.
type coreSource struct{ *part }

// Close closes the bundle.
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
	for _, id := range b.order {
		b.drop(id)
	}
	b.order = nil
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
	if data := p.cached[i].Load(); data != nil {
		return *data, nil
	}
	c := p.chunks[i]
	bad, known := b.bad[chunkID{p, i}]
	if known && bad.files == b.stateOf(c) {
		return nil, bad.err
	}
	data, err := b.unpack(c)
	if err != nil {
		if b.bad == nil {
			b.bad = map[chunkID]failed{}
		}
		b.bad[chunkID{p, i}] = failed{err, b.stateOf(c)}
		return nil, err
	}
	for b.cached += c.length; b.cached > b.room && len(b.order) > 0; b.order = b.order[1:] {
		b.drop(b.order[0])
	}
	b.order = append(b.order, chunkID{p, i})
	p.cached[i].Store(&data)
	return data, nil
}

// unpack returns the bytes of a chunk.
func (b *Bundle) unpack(c chunk) ([]byte, error) {
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
	return c.turnBack(data), nil
}

// drop takes a chunk out of the cache.
func (b *Bundle) drop(id chunkID) {
	if data := id.part.cached[id.chunk].Swap(nil); data != nil {
		b.cached -= int64(len(*data))
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
