// Package macho reads Mach-O images from their files or from memory that holds them, and finds such
// files on a disk. It does not read cores: see core/macho/machocore.
//
// The object chain: mach_header_64 and its load commands (in a universal file, of the part for a
// processor); LC_SEGMENT_64 and its sections; in __LINKEDIT, the symbol table, the exports trie,
// function starts, fixups. An image is read from its file, from the memory of a process, or from the
// files of the shared cache; only the places of the bytes differ. Its lines come from a dSYM bundle, or
// by the debug map of its symbol table from object files.
//
// Sources: cctools-1024, mach-o/loader.h, nlist.h, stab.h, reloc.h, fat.h; dyld-1284, mach_o/ExportsTrie.cpp; Go,
// cmd/link/internal/ld/macho.go.
//
// Map of the files:
//
//	image.go     File: bytes at link-time addresses and at offsets
//	loadcmd.go   load commands
//	fat.go       universal files; NewFile
//	sections.go  sections by name, compressed ones, extents
//	symbols.go   the symbol table, exported symbols, function starts
//	stubs.go     names of jumps to other images
//	trie.go      the exports trie
//	locals.go    local symbols that the shared cache's builder took out
//	fixed.go     segments as dyld left them
//	loaded.go    queries of a process that has loaded an image
//	readat.go    reading at link-time addresses
//	pieces.go    what the parts of a file are good for, for bundles
//	debugmap.go  debug maps and their object files
//	archive.go   members of archives
//	disk.go      Disk: images by path and UUID
//	dsym.go      dSYM bundles and object files on it
//	index.go     all files below its folders by UUID; shared caches
//
// LIMITATIONS: 64 bits and little endian only. Object files whose DWARF has relocations that are not
// applied give no lines; Apple's compilers write none.
package macho
