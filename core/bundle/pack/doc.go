// Package pack decides which parts of a core's memory, of its modules' files and of their debug files
// go into a bundle. Package bundle writes it; core/bundle/redact finds its secrets.
//
// These parts of a module's file are taken: headers and notes identify the file; .symtab, .strtab,
// .gnu_debugdata and the dynamic symbols name code; .eh_frame and .debug_frame unwind it; DWARF, if it
// is not big, gives source lines; of code and constants, the pages that stacks were seen to need. For
// Node 24 that is 24 of 121 MiB, which packs to 6 MB. A core of Node 24 with 592 MB, 12 MiB of them not
// zero, makes a bundle of 10 MB, or 7 MB with stacks alone; with all code it would be 29 MB. A small
// C++ program makes 0.6 MB. A lean bundle has less of .eh_frame, of DWARF and of .strtab; see lean.go.
//
// Map of the files, from the lowest up:
//
//	options.go    Options
//	recorder.go   what decoders read while they ran
//	touched.go    pages and code that stacks were seen to need
//	memory.go     what is taken of the core, by address
//	dyld.go       dyld's list of images, of macOS
//	elffile.go    what is taken of a module's file, by its sections
//	machofile.go  the same of a Mach-O file
//	frames.go     frame descriptions that a lean bundle leaves out
//	names.go      names that it leaves out
//	golang.go     a Go program's own tables of inlined calls, without DWARF
//	lean.go       both, and lines
//	module.go     the files of modules, their debug files, object files, archives
//	plan.go       Plan, Write
//
// LIMITATIONS: a bundle of stacks alone has the data that decoders read while it was planned. A decoder
// that asks for other data does not find it there.
package pack
