// Package oat reads oat files: what dex2oat compiled ahead of time, as an ELF
// file that has it in .rodata from the symbol oatdata on.
//
// The object chain: the OatHeader gives the version, the instruction set, offsets of the runtime's trampolines
// and a store of keys and values. It leads to a list of dex files, each with its location and checksum and, for
// each of its classes, the offset of an OatClass. The OatClass says which methods have code, and the offset of
// each one's. All offsets are from oatdata. The dex files themselves are in a vdex file next to the oat file or
// in the jar.
//
// Versions known: 124 (Android 8.0) to 275 (17). If the number of a header's words is not certain (some were
// added between releases), it is determined by the store of keys and values after them. The length of a dex
// file's record is determined by the location that the next record begins with.
//
// LIMITATIONS: what the words of a dex file's record after the class offsets
// refer to (.bss mappings) is not read.
//
// Sources: AOSP art/runtime/oat.h and oat_file.cc of Android 9 to 14, and
// art/runtime/oat/oat.h of 15 (version 251) and 17 (275);
// art/libartbase/arch/instruction_set.h.
package oat
