// Package class names a block of memory by its contents: an object of C++ by its table of virtual
// functions, a struct by the constant data that it points to, or text.
//
// A table is known by its symbol. In a program that was stripped of symbols the type_info before it has the
// name of the class (Itanium C++ ABI, sections 2.5.2 and 2.9.3).
//
//	class.go   Namer: what a block is
//	zlib.go    the states of streams of zlib
//	vtable.go  tables of virtual functions, with and without symbols
package class
