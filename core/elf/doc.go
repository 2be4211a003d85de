// Package elf reads executables, libraries and separate debug files into images, from their files or
// from the memory of a process that had loaded them, and finds such files on a disk. It does not read
// cores: see core/elf/elfcore, and core/elf/note for their notes.
//
// The object chain: ELF header, program headers; section headers to sections by name, or, without those,
// PT_DYNAMIC to .dynsym, .dynstr and the hash table that gives their sizes, and PT_GNU_EH_FRAME to
// .eh_frame_hdr and .eh_frame. Sources: System V gABI, chapters 4 and 5; GDB manual, "Debugging Information in
// Separate Files"; ld.so(8).
//
// Map of the files:
//
//	file.go         File: headers and segments
//	execution.go    bytes at link-time addresses, as program headers place them
//	sections.go     sections by name, compressed ones, ones that a bundle has in pieces
//	names.go        string tables, whole or in pieces
//	symbols.go      symbol tables
//	symbolnames.go  names of symbols apart from their tables, for callers that keep an order of them
//	tlswords.go     relocations of thread-local blocks
//	dynamic.go      what is found without section headers
//	buildid.go      build-ids
//	package.go      the package of a distribution, as .note.package says
//	readat.go       reading at link-time addresses
//	loaded.go       what a process that loaded an image can compare it with
//	disk.go         Disk: images and debug files by path, build-id and debug link
//	libraries.go    where libraries are that are known by name alone
//	archive.go      libraries that are stored in an archive
//
// LIMITATIONS: images in memory have the sections that the dynamic linker and the unwinder need, no others.
package elf
