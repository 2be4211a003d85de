// Package dwarf reads DWARF's description of data: types, variables, and the places of their values.
// Names and lines of code are in core/sym.
//
// Package format reads numbers, abbreviations, values, sections and packages of them. Here a part is the units of
// one section of one file. Data is the image: its own part, and the indexes over all parts. The files form two
// circles; the first names nothing in the second. The first reads entries. A unit's header (data.go, language.go)
// leads to its entries (entry.go, form.go, ranges.go). A skeleton's entries are in a file of their own or in a
// package of many (split.go), and entries that images share are in a file that dwz made (supplement.go). Facts
// about all units are kept (indexed.go, keep.go). The second circle interprets entries (open.go puts both
// together). Entries of types become Types on demand (type.go, members.go), with names as their language spells
// them (typename.go). Parts of Go's values are put in their places (goparts.go), and its constants are found by
// their type (gotype.go); values of enumerations by their names (enumerators.go). An index of all units' top
// levels finds types, functions and variables by name (index.go, indexer.go). The unit of an address is found by
// .debug_aranges (aranges.go), the units with a name by tables of names where there are such (names.go, package
// nametable). The scopes of a function that hold an address have its variables (scope.go), a member function its
// class (class.go), its calls are the functions that were inlined there (calls.go). A variable's location
// (loclist.go), an expression, is evaluated over the registers and memory of its frame (expr.go, typed.go,
// entryvalue.go) and yields a Value: a type with bytes; each byte is known or has a reason (value.go,
// number.go). Values have members, elements and targets of pointers; some are made, with types that no entry has
// (made.go). In Fortran, Ada, Pascal and D the length, the bounds and the place of a value may be data (dims.go,
// shape.go). Functions of these languages and of Nim have their names in the source (scope.go, package encoded).
//
// Line number programs (line.go, lineprogram.go) can be read from any sections, without the rest.
//
// Facts: DWARF 5 (dwarfstd.org), sections named where they are used; DWARF 2 to 4 where
// they differ; GNU's extensions that became standard (DW_OP_GNU_entry_value and its kin).
//
// It is not over debug/dwarf of Go's library: that one has
// no location lists, no split units, no references, no variant parts, keeps the abbreviations
// of all units, and parses the first entry of a unit anew for each seek.
//
// Versions: what gcc 4 to 12, clang 14, rustc and Go write; .dwp files of binutils and LLVM 14, versions 2
// and 5; dwz 0.15, one file, with -m, and with -5.
//
// LIMITATIONS: where Go before 1.21 has given the place of a variable to another one, its value is the other's.
// Macros and DW_OP_xderef are absent. A partial unit has the language of a unit that imports it before its other
// entries, where dwz says so. A program whose shared file (dwz -m) is missing has no types and variables at all,
// as nearly all names are in there. Values in vector registers are known only where the caller of Eval has those
// registers.
package dwarf
