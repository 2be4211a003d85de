// Package machocore makes processes of Mach-O cores of macOS.
//
// The object chain: mach_header_64 of type MH_CORE and its load commands; LC_SEGMENT_64 to the address
// space; LC_THREAD to threads (core/macho/thread), whose exception states say why the process died;
// LC_NOTE to address bits, thread ids and lists of images. Without a list, dyld is looked for, in
// memory and in the shared cache: its header leads to dyld_all_image_infos, and that to the images.
// Memory that the core left out is read from an image's file if it is the same there: code, and
// constants after dyld's fixups are applied.
//
// Sources: xnu-11417, bsd/kern/kern_core.c and osfmk/mach; dyld-1284, include/mach-o/dyld_images.h; lldb 19,
// ObjectFileMachO.cpp; .NET 9, createdump/dumpwritermacho.cpp.
//
// Map of the files, from the lowest up:
//
//	options.go  Options
//	listed.go   an image that something says was loaded
//	resolve.go  resolver: the file of an image, and whether it is the one that was loaded
//	caches.go   the shared cache that a process used
//	bind.go     what dyld bound the imports of images to
//	fill.go     bytes that the core left out, of images' files
//	images.go   AddImages: images of processes that other dumps were made into
//	note.go     LC_NOTEs
//	finder.go   finder, over the resolver: the images of a process
//	dyld.go     dyld's own list
//	scan.go     dyld in memory
//	open.go     Open; loader
//	finish.go   threads and mappings, once all load commands were read
//
// LIMITATIONS: x86-64 and arm64 only. Pointers of constants that come from a file have no signature,
// and are bound as without interposing. The segments of an image whose header is missing in the core
// come from its file.
package machocore
