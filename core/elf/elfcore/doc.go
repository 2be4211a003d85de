// Package elfcore makes processes of ELF cores.
//
// The object chain: ELF header, program headers (section header 0 has their number if it exceeds 16
// bits: PN_XNUM); PT_LOAD to the address space; PT_NOTE to core/elf/note; NT_FILE to modules; AT_PHDR
// and DT_DEBUG to the dynamic linker's link_map, if NT_FILE is missing or damaged; ELF headers in
// memory to the rest. Sources: System V gABI; Linux 6.12, fs/binfmt_elf.c and include/uapi/linux/elf.h;
// core(5); GDB's gcore; QEMU, linux-user/elfload.c.
//
// Opening reads the headers and the notes. A module's file is looked for when its facts are asked for, or when
// bytes that the core left out are read.
//
// Map of the files, from the lowest up:
//
//	process.go   mappings by address, the auxiliary vector
//	options.go   Options
//	resolve.go   resolver: the file of a module, and whether it is the one that was loaded
//	found.go     a module before it is one: its mappings, and how they fit an image
//	placed.go    finder: which mappings of a file are one image
//	inside.go    images inside archives
//	fill.go      bytes that the core left out, of modules' files
//	images.go    Images: modules of processes that other dumps were made into
//	modules.go   finder, over the resolver: the images of a process, by NT_FILE and by memory
//	exe.go       the executable among them
//	linkmap.go   the dynamic linker's list
//	archive.go   images that were mapped out of an archive
//	open.go      Open; loader
//	segments.go  program headers to mappings and segments
//	tags.go      allocation tags of arm64
//	mappings.go  mappings that have no program header; names of mappings without a file
//	cut.go       whether the core is whole
//
// LIMITATIONS: cores of machines whose registers core/elf/note does not know open with mappings and memory only.
// Images inside an archive whose headers were not dumped are distinguished by its mappings alone if the
// archive is not to be had.
package elfcore
