// Package musl reads the records of the allocator of the C library musl: mallocng, with its groups and their slots.
//
// The chain: the context (malloc_context) in the data of libc or of a static program. It is found by its
// shape, as its name is not exported: it begins with a secret number, and the areas of records that it leads
// to begin with the same number. An area has records of groups (struct meta). A group is up to 32 slots of
// one size, with two masks that say which are free; a slot may hold another group, and a group may have a
// mapping of its own. The header of a slot says where in it the block begins and how many bytes were asked
// for, which is what malloc_usable_size says.
//
//	context.go  the context by its shape, the records of groups
//	slot.go     regions of groups, chunks of slots, headers and guard bytes
//	malloc.go   Malloc: what is known, read once
//
// Sources: musl 1.2.1 to 1.2.5, src/malloc/mallocng/meta.h, malloc.c, free.c, aligned_alloc.c and donate.c.
//
// LIMITATIONS: a block whose alignment has moved it by more than a megabyte has the beginning of its slot.
package musl
