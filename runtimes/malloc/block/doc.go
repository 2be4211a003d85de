// Package block is the common form of the memory of allocators: regions of adjacent chunks, the
// chunks with their states, and contradictions. A room for an allocator fills a Heap; what looks at
// blocks needs to know no allocator.
//
//	heap.go   Heap: arenas, regions, chunks, what is broken
//	chunk.go  Chunk, State; how a chunk is kept in 16 bytes
//	find.go   from an address to the chunk that holds it
//	index.go  Index: that for the blocks of several heaps, fast
//	sum.go    chunks and bytes by state
//	data.go   the data of modules, where allocators have their records; memory in order
package block
