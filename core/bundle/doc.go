// Package bundle writes and reads files that hold a core and what is needed of its
// program and libraries, and open anywhere. It knows no process and decides nothing: what goes into
// a bundle is core/bundle/pack's.
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
// Versions: 3, and 2, which had chunks of 256 KiB alone and none that are shared;
// it is read. Version 1 had its index at the end, and was not released.
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
