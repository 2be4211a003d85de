// Package bundle reads and writes bundles: files that hold a core and the parts of its program and
// libraries that its analysis needs, and that open anywhere. It knows no process and decides nothing:
// core/bundle/pack chooses the contents.
//
// The object chain: a bundle is an index followed by zstd frames. The index lists parts: the core, each
// module's file, separate debug files. A part has the size of its file and is tiled by extents: data,
// zeros, or a gap with a reason. The data, joined, is cut into chunks, each in its own frame, so that
// reading any byte costs one chunk. A chunk has up to 256 KiB, or up to 8 MiB in tables that are read
// whole, such as symbol names. A gap never reads as zeros: it is a *core.GapError with the reason, so
// omitted bytes cannot be mistaken for zeros. Chunks of files may be in a folder that several bundles
// share, named by their hashes; see store.go.
//
// The layout, all numbers little-endian:
//
//	header   8 bytes magic, uint32 version, uint32 CRC-32 (IEEE) of the index
//	         frame, uint64 length of the index frame, uint64 length of the chunks
//	index    one zstd frame; see index.go
//	chunks   zstd frames (RFC 8878) with checksums, the core's first
//
// The index comes first, so that a truncated bundle opens like a truncated core: the rest can be read,
// and it says that it is cut.
//
// Versions: 3 and 2 are read. Version 2 had only chunks of 256 KiB and shared no chunks. Version 1 had
// its index at the end, and was not released.
//
// Map of the files:
//
//	bundle.go   Bundle: the header, chunks and the cache of these
//	part.go     a part of an open bundle, as a core.Source
//	index.go    the index, read and written
//	chunk.go    how tables are turned before they are packed
//	store.go    chunks that bundles share
//	find.go     an open bundle as a find.Finder
//	planned.go  Planned: a part to be
//	write.go    Write
//
// LIMITATIONS: as the index is known last, the packed chunks go through a
// temporary file while a bundle is written.
package bundle
