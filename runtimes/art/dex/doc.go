// Package dex reads dex files: the classes, methods and bytecode of Android's runtime, in the
// memory of a dead process or in a file.
//
// The object chain: the header lists six tables of fixed-size rows
// (string_ids, type_ids, proto_ids, field_ids, method_ids, class_defs) that
// refer to each other by index and to the data section by offset; a class_def
// leads to class_data, which lists the methods and their code items; a code
// item holds instructions, tries with their handlers, and the offset of a
// debug_info program that yields lines and the names of local variables.
//
// Only the header is kept: each query reads the memory that it needs, so a file works as far as the core has
// its pages. Every index and offset is checked against the header before it is used, every read can fail, and
// an error names the item it is about.
//
// Files: file.go (File, its header), ids.go and leb.go (rows of tables, numbers), mutf8.go and descriptor.go
// (strings, names of types), class.go (classes, methods, fields), code.go, tries.go and debuginfo.go (code
// items), locals.go (variables), instruction.go, opcodes.go, operands.go and payload.go (instructions),
// callsite.go (items of the map alone), extract.go (the file as it was on disk).
//
// Versions known: standard dex 035 to 041 (041 shares one data section among
// the files of a container), and compact dex 001 of Android 9 to 14.
//
// LIMITATIONS: files with swapped byte order, which ART refuses too, are
// refused.
//
// Sources: https://source.android.com/docs/core/runtime/dex-format; AOSP
// art/libdexfile/dex (dex_file.h, dex_file_structs.h, compact_dex_file.h,
// compact_offset_table.cc, code_item_accessors-inl.h), Android 14.
package dex
