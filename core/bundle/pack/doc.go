// Package pack decides what goes into a bundle: of a core's memory, of its modules' files and debug files.
// How a bundle is written is core/bundle's; what of it is secret is core/bundle/redact's.
//
// What is taken of a module's file, and why: headers and notes say which file
// it is; .symtab, .strtab, .gnu_debugdata and the dynamic symbols name code;
// .eh_frame and .debug_frame unwind it; DWARF, where it is not big, gives source
// lines; of code and constants the pages that stacks were seen to need. Of Node
// 24 that is 24 of 121 MiB, which packs to 6 MB. A core of it of 592 MB, 12 MiB
// of that not zero, makes a bundle of 10 MB, or 7 MB of stacks alone; with all
// code it would be 29 MB. A small C++ program makes 0.6 MB. A lean bundle has less of
// .eh_frame, of DWARF and of .strtab; see lean.go.
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
//	golang.go     what a program of Go without DWARF says of inlined calls
//	lean.go       both, and lines
//	module.go     the files of modules, their debug files, object files, archives
//	plan.go       Plan, Write
//
// LIMITATIONS: what a decoder would need that nobody asked for while the bundle was planned is not in one
// of stacks alone.
package pack
