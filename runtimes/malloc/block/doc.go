// Package block is what allocators say of their memory, the same for all of them: stretches
// that hold one chunk after the other, the chunks with their states, and what contradicts
// itself. A room for an allocator fills a Heap; what looks at blocks needs to know no allocator.
//
//	heap.go   Heap: arenas, regions, chunks, what is broken
//	chunk.go  Chunk, State; how a chunk is kept in 16 bytes
//	find.go   from an address to the chunk that holds it
//	index.go  Index: that for the blocks of several heaps, fast
//	sum.go    chunks and bytes by state
//	data.go   the data of modules, where allocators have their records; memory in order
package block
