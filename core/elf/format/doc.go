// Package format has the headers of ELF files, of both classes and byte orders, and the architectures
// of its machines. It reads single structures out of bytes. The packages that use it know which
// structures a file has, and their meaning: core/elf for images, core/elf/note for notes,
// core/elf/elfcore for cores. Sources: System V gABI, chapters 4 and 5; Linux 6.12,
// include/uapi/linux/elf.h.
//
// Map of the files:
//
//	header.go   Class, Header, Prog, Section: words, the ELF header, entries of its two tables
//	machine.go  e_machine to core.Arch, and names
//	text.go     strings of a file, and how they are shown
//
// LIMITATIONS: machines whose registers are not known have a name and no core.Arch.
package format
