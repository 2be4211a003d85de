// Package code reads HotSpot's code cache: which blob of machine code an address is in, how large its frames
// are, and which methods compiled code is at, inlined ones included.
//
//	CodeCache._heaps → GrowableArray<CodeHeap*>, before JDK 9 CodeCache._heap: one CodeHeap
//	CodeHeap._memory: VirtualSpace; its segments of 1 << _log2_segment_size bytes; _segmap has a byte for each, by how many
//	  segments the block began before (0 at its start; more than one hop for long blocks), 0xff where none is used
//	HeapBlock: a header, and a CodeBlob
//	CodeBlob: _name, _frame_size in words, code; compiled methods and wrappers of native ones are nmethods
//	nmethod: PcDesc[] by pc, each with the place of its ScopeDesc: method (an index of its metadata), bci, and the scope that
//	  called it
//
// Files:
//
//	cache.go  heaps of code; the blob of an address
//	blob.go   a blob
//	scopes.go methods inlined at an address
//	values.go where values and locks of a scope are
//	usage.go  how much of the cache is used
//
// Sources: share/memory/heap.hpp, share/code/{codeBlob,nmethod,compiledMethod,pcDesc,scopeDesc,debugInfo}.hpp
// of JDK 17 and 25.
package code
