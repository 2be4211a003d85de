// Package class says what a block of memory is, by what it holds: an object of C++ by the table of virtual functions that its
// first word leads to, a struct with a pointer to constant data by the name of that, text.
//
// A table is known by its symbol. In a program that was stripped of symbols the type_info before it has the name of the class
// (Itanium C++ ABI, sections 2.5.2 and 2.9.3).
//
//	class.go   Namer: what a block is
//	vtable.go  tables of virtual functions, with and without symbols
package class
