// Package pymalloc reads the allocator of CPython for objects of up to 512 bytes, which takes its memory from
// the system and not from malloc: arenas, pools of blocks of one size, lists of free blocks. Larger objects
// are blocks of malloc.
//
// The chain: arenas in the data of the interpreter, which is known by the shape of the array that it leads
// to, as symbols are stripped: a static variable, or a member of _PyRuntime or of the state of the main
// interpreter, which are in the same data. Each arena_object has its memory, and the end of the part that was
// divided into pools. A pool begins with its header: the size of its blocks, how many are in use, how far it
// was divided, the list of free ones. The header has the number of its arena in the array, which bears both
// out.
//
// A free-threaded interpreter (since 3.13) has its objects in a mimalloc of its own, which package mimalloc
// reads: Objects says what the blocks are.
//
// Blocks in use that are objects have the address of their type, behind a head of the collector if they have
// one; types are known by their own type, and lead to their names.
//
//	arena.go   arenas, by their shape
//	pool.go    pools and their blocks
//	object.go  what an object is
//	malloc.go  Malloc: what is known, read once
//
// Sources: CPython 3.7 to 3.14, Objects/obmalloc.c (pool_header, arena_object, new_arena,
// allocate_from_new_pool), Include/internal/pycore_obmalloc.h since 3.12, Include/object.h (PyObject),
// Include/cpython/object.h (PyTypeObject), Include/internal/pycore_gc.h.
//
// LIMITATIONS: 64 bits. An interpreter with PYTHONMALLOC=malloc has no arenas. A block in use that is no
// object, such as the keys of a dict, has no type.
package pymalloc
