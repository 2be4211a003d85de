// Package fixup lists what dyld does to the pointers of an image before the image runs. It is given the
// tables of the image and the bytes of a page, and applies nothing: core/macho does. Sources: dyld-1284 and
// cctools-1024, mach-o/fixup-chains.h, mach-o/loader.h.
//
// Map of the files:
//
//	fixups.go    Fixup, Import, Fixer; chained fixups
//	pointers.go  how the pointers of a chain hold what is to be done to them
//	opcodes.go   the fixups of LC_DYLD_INFO, which are programs
//
// LIMITATIONS: signatures of pointers are left out; threaded bind opcodes, which arm64e had before
// chained fixups, are not read.
package fixup
