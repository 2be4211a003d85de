// Package typed says what the blocks of allocators are, by the types of the pointers that lead to them.
//
// The chain: an object with a table of virtual functions has the table's class, and a variable has the type
// that DWARF gives it. The pointers in both lead to blocks with the types that the pointers have, and so on.
// Containers of libstdc++ and libc++ point to their nodes by a base type: the template's parameter says what
// a node holds.
//
//	typed.go      Blocks: what each block is, made once
//	seeds.go      where it begins: objects with virtual functions, variables of modules and frames
//	shape.go      Shape: the pointers that a type has
//	flatten.go    the members of a type, in depth, as a Shape
//	container.go  the containers of libstdc++ and libc++
//	filled.go     Unused: the capacity of containers that is not in use
//	name.go       names of types as programs write them
//
// Sources: GCC 4.9 to 15, libstdc++-v3/include/bits (stl_tree.h, hashtable.h, hashtable_policy.h, stl_list.h,
// forward_list.h, stl_vector.h, stl_deque.h, basic_string.h, shared_ptr_base.h); LLVM 14 to 20,
// libcxx/include (__tree, __hash_table, list, forward_list, vector, string, __memory/shared_ptr.h).
//
// LIMITATIONS: void pointers, and pointers to char, give no type. Members of unions that disagree about a
// pointer are left out. A pointer into the middle of a block gives it no type. A pointer that is left over,
// in memory that a type has and the program has not written yet, can name a block wrongly if the block is
// large enough for the pointer's type.
package typed
