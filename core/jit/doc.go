// Package jit has the images of code that a process made at run time: what the process registered for debuggers, and
// what a perf map names.
//
// The object chain of GDB's JIT interface: the symbol __jit_debug_descriptor of any module leads to a struct
// jit_descriptor (version, action_flag, relevant_entry, first_entry), that to a list of struct jit_code_entry
// (next_entry, prev_entry, symfile_addr, symfile_size), each of these to an object file in memory: ELF, whose
// section headers have the addresses where the sections were put. Files that were not linked (ET_REL) still
// have the relocations of their debugging information. Sources: GDB 16 manual, "JIT Compilation Interface";
// GDB 16, gdb/jit.c; LLVM 19, GDBRegistrationListener.cpp and DebugObjectManagerPlugin.cpp; QEMU 9,
// tcg/tcg.c; the processors' ELF ABIs for relocations.
//
// A perf map is a text file with a function a line: address and size in hexadecimal, with or without 0x, and
// the rest of the line, its name. A later line holds for code that replaced other code. Sources: Linux 6.12,
// tools/perf/Documentation/jit-interface.txt; OpenJDK 17, CodeCache::write_perf_map.
//
// Files, from the lowest up:
//
//	relocate.go    relocations of object files
//	object.go      an object file as a core.Image
//	descriptor.go  the objects of a descriptor
//	perfmap.go     perf maps
//	code.go        Code: which image has an address
//
// LIMITATIONS: object files of Mach-O are not read, nor what readers that a program brings along for GDB (jit-reader.h)
// would read. A perf map has names alone.
package jit
