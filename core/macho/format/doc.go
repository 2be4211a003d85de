// Package format has the structures of Mach-O files of 64 bits: headers, load commands, segments and
// sections. It reads single structures out of bytes; what they mean for an image is core/macho's, for a core
// core/macho/machocore's. Sources: cctools-1024, mach-o/loader.h, mach-o/fat.h; xnu-11417, mach/machine.h,
// mach/vm_prot.h.
//
// Map of the files:
//
//	header.go  constants, headers, load commands, segments, processors
//	bytes.go   pieces of a file; bounds that all readers share
//
// LIMITATIONS: little endian only; of processors x86-64 and arm64 have a core.Arch, others a name.
package format
