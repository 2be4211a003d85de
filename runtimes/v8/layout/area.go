package layout

import "coredbg/core"

// An Area is a stretch of addresses.
type Area struct{ Start, End core.Addr }

// ChunkSize is the alignment of V8's pages: MemoryChunk::kAlignment,
// heap/memory-chunk.h.
const ChunkSize = 256 << 10

// PageSize is the least that memory is protected by, in bytes.
const PageSize = 4096
