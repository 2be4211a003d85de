package cache

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"sync"

	"coredbg/core"
	"coredbg/core/macho"
	"coredbg/core/macho/format"
)

// Offsets in bytes in a dyld_cache_header (dyld-1284, cache-builder/dyld_cache_format.h).
// A header is as long as where its mappings begin: what comes after is not there.
const (
	cacheMappingOff   = 16
	cacheMappingCount = 20
	cacheImagesOffOld = 24
	cacheImagesNumOld = 28
	cacheLocalsOff    = 72
	cacheLocalsSize   = 80
	cacheUUID         = 88
	cacheDyldMH       = 120
	cacheRegionStart  = 224
	cacheSubOff       = 392
	cacheSubCount     = 396
	cacheSymbolsUUID  = 400
	cacheImagesOff    = 448
	cacheImagesNum    = 452
	cacheSubType      = 456

	cacheMappingSize = 32
	cacheImageSize   = 32
)

// HeaderSize is the number of bytes of a header that are read.
const HeaderSize = 512

// The bounds of a shared cache. That of macOS 14 has 12 files with 4 to 8 mappings,
// and 3,000 images.
const (
	maxSubCaches     = 256
	maxCacheMappings = 256
	maxCacheImages   = 1 << 16
)

// A Header is a dyld_cache_header as far as it goes.
type Header []byte

func (h Header) u32(off uint32) uint32 {
	if uint64(off)+4 > uint64(len(h)) {
		return 0
	}
	return le.Uint32(h[off:])
}

func (h Header) u64(off uint32) uint64 {
	if uint64(off)+8 > uint64(len(h)) {
		return 0
	}
	return le.Uint64(h[off:])
}

func (h Header) uuid(off uint32) []byte {
	if uint64(off)+16 > uint64(len(h)) {
		return nil
	}
	return format.SomeUUID(h[off : off+16])
}

// ParseHeader cuts a header off where it ends; ok is false if b begins with none.
func ParseHeader(b []byte) (Header, bool) {
	if len(b) < 104 || string(b[:7]) != format.CacheMagic {
		return nil, false
	}
	n := le.Uint32(b[cacheMappingOff:])
	if n < 104 {
		return nil, false
	}
	return b[:min(uint64(n), uint64(len(b)))], true
}

// UUID returns what identifies the file; nil if nothing does.
func (h Header) UUID() []byte { return h.uuid(cacheUUID) }

// SymbolsUUID returns the UUID of the file with the local symbols; nil if there is no such file.
func (h Header) SymbolsUUID() []byte { return h.uuid(cacheSymbolsUUID) }

// Dyld returns the link-time address of the header of the cache's own dyld; 0 if the cache has no dyld.
func (h Header) Dyld() uint64 { return h.u64(cacheDyldMH) }

// Start returns the link-time address of the cache's start; 0 if it is not known.
func (h Header) Start() uint64 { return h.u64(cacheRegionStart) }

// A Cache is dyld's shared cache, as files: one or several that hold images, and one
// with the local symbols of all. It is safe for concurrent use.
type Cache struct {
	path   string
	uuid   []byte
	base   uint64      // link-time address of its start
	space  *core.Space // all mappings at link-time addresses
	images map[string]core.Addr
	errs   []error // what is missing of it

	locals func() *Locals
}

// Open opens the shared cache whose first file is src. Its other files are in the same folder; open
// opens one by the suffix of its path. Open leaves out files that are missing or do not belong to the
// first one. The caller closes the opened files.
func Open(src core.Source, path string, open func(suffix string) (core.Source, error)) (*Cache, error) {
	h, ok := ParseHeader(format.Slice(src, 0, HeaderSize))
	if !ok {
		return nil, &core.FormatError{File: path, Off: 0, Msg: "not a dyld shared cache"}
	}
	c := &Cache{path: path, uuid: h.uuid(cacheUUID), base: h.u64(cacheRegionStart), images: map[string]core.Addr{}}
	segs := cacheMappings(src, h)
	if c.base == 0 && len(segs) > 0 {
		c.base = uint64(segs[0].Start)
	}
	for _, sub := range subCaches(src, h) {
		more, err := c.open(open, sub.suffix, sub.uuid)
		if err != nil {
			c.errs = append(c.errs, err)
			continue
		}
		sh, _ := ParseHeader(format.Slice(more, 0, HeaderSize))
		segs = append(segs, cacheMappings(more, sh)...)
	}
	c.space = core.NewSpace(segs, nil)
	c.list(src, h)
	c.locals = sync.OnceValue(func() *Locals { return c.openLocals(src, h, open) })
	return c, nil
}

// open opens another file of the cache.
func (c *Cache) open(open func(string) (core.Source, error), suffix string, uuid []byte) (core.Source, error) {
	src, err := open(suffix)
	if err != nil {
		return nil, fmt.Errorf("shared cache: %w", err)
	}
	h, ok := ParseHeader(format.Slice(src, 0, HeaderSize))
	have := h.uuid(cacheUUID)
	switch {
	case !ok:
		err = &core.FormatError{File: c.path + suffix, Off: 0, Msg: "not a file of a dyld shared cache"}
	case len(uuid) > 0 && !bytes.Equal(have, uuid):
		err = &macho.MismatchError{Path: c.path + suffix, Have: bytes.Clone(have), Was: uuid}
	}
	return src, err
}

// cacheMappings returns the mappings of one file.
func cacheMappings(src core.Source, h Header) (out []core.Segment) {
	n := min(h.u32(cacheMappingCount), maxCacheMappings)
	b := format.Slice(src, uint64(h.u32(cacheMappingOff)), uint64(n)*cacheMappingSize)
	size := uint64(src.Size())
	for ; len(b) >= cacheMappingSize; b = b[cacheMappingSize:] {
		addr, length, off := le.Uint64(b), le.Uint64(b[8:]), le.Uint64(b[16:])
		if addr+length < addr || off > size {
			continue
		}
		length = min(length, size-off)
		out = append(out, core.Segment{Start: core.Addr(addr), End: core.Addr(addr + length), Kind: core.SegFile,
			Prot: format.ProtOf(le.Uint32(b[28:])), Src: src, Off: int64(off)})
	}
	return out
}

// A subCache is another file of a cache; suffix is the end of its name.
type subCache struct {
	suffix string
	uuid   []byte
}

// subCaches lists the other files. Before macOS 13 they were just numbered.
func subCaches(src core.Source, h Header) (out []subCache) {
	named := len(h) > cacheSubType
	size := uint64(24)
	if named {
		size = 56
	}
	n := min(h.u32(cacheSubCount), maxSubCaches)
	b := format.Slice(src, uint64(h.u32(cacheSubOff)), uint64(n)*size)
	for i := 1; uint64(len(b)) >= size; b, i = b[size:], i+1 {
		s := subCache{fmt.Sprintf(".%d", i), format.SomeUUID(b[:16])}
		if named {
			// The name must be in the folder of the first file.
			if s.suffix = format.Text(b[24:56]); s.suffix == "" || filepath.Base("x"+s.suffix) != "x"+s.suffix {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// list reads the images' addresses and paths.
func (c *Cache) list(src core.Source, h Header) {
	off, n := h.u32(cacheImagesOffOld), h.u32(cacheImagesNumOld)
	if len(h) > cacheImagesNum && h.u32(cacheImagesOff) != 0 {
		off, n = h.u32(cacheImagesOff), h.u32(cacheImagesNum)
	}
	b := format.Slice(src, uint64(off), uint64(min(n, maxCacheImages))*cacheImageSize)
	for ; len(b) >= cacheImageSize; b = b[cacheImageSize:] {
		path := format.Text(format.Slice(src, uint64(le.Uint32(b[24:])), format.MaxPath))
		if path != "" {
			c.images[path] = core.Addr(le.Uint64(b))
		}
	}
}

// Image returns the cache's image for a path. It returns nil if there is no image, or if its UUID
// differs.
func (c *Cache) Image(path string, uuid []byte) *macho.File {
	at, ok := c.images[path]
	if !ok {
		return nil
	}
	f := macho.NewCachedFile(c.space, at, c.path, func() macho.Locals { return c.locals().Of(uint64(at) - c.base) })
	if f == nil || len(uuid) > 0 && !bytes.Equal(f.UUID(), uuid) {
		return nil
	}
	return f
}

// UUID returns what identifies the cache; nil if nothing does.
func (c *Cache) UUID() []byte { return c.uuid }

// Base returns the link-time address of the cache's start.
func (c *Cache) Base() uint64 { return c.base }

// At returns the link-time address of the header of the image that the cache has for a path.
func (c *Cache) At(path string) (core.Addr, bool) {
	at, ok := c.images[path]
	return at, ok
}

// Missing says which parts of the cache are missing.
func (c *Cache) Missing() []error { return c.errs }

// Fill makes a segment of the cache's bytes, which mem has at link-time addresses (macho.File.Cached), of a
// gap in an image. Pointers in data are kept in a form that dyld turns into addresses.
func Fill(mem *core.Space, bias core.Addr, gap core.Segment, a core.Addr) core.Segment {
	s, ok := mem.Find(a - bias)
	switch {
	case !ok:
		gap.Detail = "the file of the shared cache that has it is missing"
		gap.Gap = core.FileMissing
	case s.Prot&core.Write != 0:
		gap.Detail = "dyld changed what the shared cache has there"
	default:
		lo, hi := max(gap.Start, s.Start+bias), min(gap.End, s.End+bias)
		gap.Kind, gap.Gap, gap.Detail = core.SegFile, 0, ""
		gap.Start, gap.End, gap.Src, gap.Off = lo, hi, s.Src, s.Off+int64(lo-bias-s.Start)
	}
	return gap
}

// Locals are the local symbols of all images of a cache, which its builder
// moved into a file of their own.
type Locals struct {
	nlists, strs core.Source
	byOffset     map[uint64][2]uint32 // of an image from the cache's start: its first symbol, and how many
	err          error
}

// openLocals opens the file of local symbols; before macOS 12 they were in the first
// file.
func (c *Cache) openLocals(src core.Source, h Header, open func(string) (core.Source, error)) *Locals {
	if uuid := h.uuid(cacheSymbolsUUID); uuid != nil {
		more, err := c.open(open, ".symbols", uuid)
		if err != nil {
			return &Locals{err: err}
		}
		src, h = more, nil
		h, _ = ParseHeader(format.Slice(more, 0, HeaderSize))
	}
	return NewLocals(src, h)
}

// NewLocals reads a dyld_cache_local_symbols_info.
func NewLocals(src core.Source, h Header) *Locals {
	l := &Locals{byOffset: map[uint64][2]uint32{}}
	at := h.u64(cacheLocalsOff)
	b := format.Slice(src, at, 24)
	if at == 0 || len(b) < 24 {
		return l
	}
	word := func(i int) uint64 { return uint64(le.Uint32(b[4*i:])) }
	l.nlists = format.NewPiece(src, int64(at+word(0)), int64(word(1)*format.NlistSize))
	l.strs = format.NewPiece(src, int64(at+word(2)), int64(word(3)))
	wide := len(h) >= cacheSymbolsUUID
	size := uint64(12)
	if wide {
		size = 16
	}
	entries := format.Slice(src, at+word(4), min(word(5), maxCacheImages)*size)
	for ; uint64(len(entries)) >= size; entries = entries[size:] {
		off, rest := uint64(le.Uint32(entries)), entries[4:]
		if wide {
			off, rest = le.Uint64(entries), entries[8:]
		}
		l.byOffset[off] = [2]uint32{le.Uint32(rest), le.Uint32(rest[4:])}
	}
	return l
}

// Of returns the local symbols of the image at offset off from the cache's start.
func (l *Locals) Of(off uint64) macho.Locals {
	r, ok := l.byOffset[off]
	if !ok {
		return macho.Locals{Err: l.err}
	}
	return macho.Locals{Table: format.Slice(l.nlists, uint64(r[0])*format.NlistSize, uint64(r[1])*format.NlistSize),
		Strings: l.strs}
}

// le reads the words of caches.
var le = binary.LittleEndian
