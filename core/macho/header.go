package macho

import (
	"bytes"
	"encoding/binary"

	"coredbg/core"
)

// Constants of mach-o/loader.h (cctools-1024, dyld-1284).
const (
	magic64  = 0xfeedfacf
	magicFat = 0xcafebabe // big endian, in mach-o/fat.h
	magicF64 = 0xcafebabf

	headerSize = 32

	mhObject   = 1
	mhExecute  = 2
	mhCore     = 4
	mhDylib    = 6
	mhDylinker = 7
	mhBundle   = 8
	mhDSYM     = 10

	mhDylibInCache = 0x80000000

	lcSymtab         = 0x2
	lcThread         = 0x4
	lcUnixThread     = 0x5
	lcDysymtab       = 0xb
	lcLoadDylib      = 0xc
	lcIDDylib        = 0xd
	lcIDDylinker     = 0xf
	lcSegment64      = 0x19
	lcUUID           = 0x1b
	lcDyldInfo       = 0x22
	lcFunctionStarts = 0x26
	lcNote           = 0x31
	lcLazyLoadDylib  = 0x20

	lcRequired      = 0x80000000 // LC_REQ_DYLD: dyld must know the command
	lcLoadWeakDylib = 0x18 | lcRequired
	lcReexportDylib = 0x1f | lcRequired
	lcDyldInfoOnly  = 0x22 | lcRequired
	lcLoadUpward    = 0x23 | lcRequired
	lcExportsTrie   = 0x33 | lcRequired
	lcChainedFixups = 0x34 | lcRequired

	cpuX86_64 = 0x01000007
	cpuARM64  = 0x0100000c

	segReadOnly = 0x10 // SG_READ_ONLY

	segmentSize = 72
	sectionSize = 80
	noteSize    = 40
)

// maxCommands bounds the load commands that are read: a core has one for each
// region of memory and for each thread.
const maxCommands = 1 << 20

var le = binary.LittleEndian

// A header is a mach_header_64.
type header struct {
	cputype, cpusubtype, filetype, ncmds, sizeofcmds, flags uint32
}

func parseHeader(b []byte) (h header, ok bool) {
	if len(b) < headerSize || le.Uint32(b) != magic64 {
		return h, false
	}
	return header{le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:]),
		le.Uint32(b[16:]), le.Uint32(b[20:]), le.Uint32(b[24:])}, true
}

// archOf returns the architecture of a cputype; nil if it is not known.
func archOf(cputype uint32) *core.Arch {
	switch cputype {
	case cpuX86_64:
		return core.AMD64
	case cpuARM64:
		return core.ARM64
	}
	return nil
}

// A command is a load command with its place in the file.
type command struct {
	cmd  uint32
	off  int64  // file offset in bytes
	data []byte // with its cmd and cmdsize
}

// commands splits b, the bytes after a header, into n load commands. It stops
// before the first that does not fit and then returns false: sizes are what
// leads from one to the next, so nothing after a wrong one can be trusted.
func commands(b []byte, n uint32) (out []command, whole bool) {
	off := int64(headerSize)
	for range min(n, maxCommands) {
		if len(b) < 8 {
			return out, false
		}
		size := le.Uint32(b[4:])
		if size < 8 || uint64(size) > uint64(len(b)) {
			return out, false
		}
		out = append(out, command{le.Uint32(b), off, b[:size:size]})
		b, off = b[size:], off+int64(size)
	}
	return out, n <= maxCommands
}

// A segment is an LC_SEGMENT_64.
type segment struct {
	name                              string
	vmaddr, vmsize, fileoff, filesize uint64
	prot                              core.Prot
	readOnly                          bool // once dyld is done with it
	sections                          []section
}

// A section is a section_64.
type section struct {
	name, segment  string
	addr, size     uint64
	offset, flags  uint32
	reloff, nreloc uint32 // of an object file
	stub           stubs  // of a section of stubs
}

func parseSegment(b []byte) (s segment, ok bool) {
	if len(b) < segmentSize {
		return s, false
	}
	s = segment{name: fixed(b[8:24]), vmaddr: le.Uint64(b[24:]), vmsize: le.Uint64(b[32:]),
		fileoff: le.Uint64(b[40:]), filesize: le.Uint64(b[48:]), prot: protOf(le.Uint32(b[60:]))}
	s.readOnly = le.Uint32(b[68:])&segReadOnly != 0 || s.name == "__DATA_CONST"
	n := le.Uint32(b[64:])
	for b = b[segmentSize:]; n > 0 && len(b) >= sectionSize; n, b = n-1, b[sectionSize:] {
		s.sections = append(s.sections, section{name: fixed(b[:16]), segment: fixed(b[16:32]), addr: le.Uint64(b[32:]),
			size: le.Uint64(b[40:]), offset: le.Uint32(b[48:]), flags: le.Uint32(b[64:]),
			reloff: le.Uint32(b[56:]), nreloc: le.Uint32(b[60:]), stub: stubs{le.Uint32(b[68:]), le.Uint32(b[72:])}})
	}
	return s, true
}

// protOf turns VM_PROT bits (mach/vm_prot.h: read 1, write 2, execute 4) round.
func protOf(vm uint32) (p core.Prot) {
	if vm&1 != 0 {
		p |= core.Read
	}
	if vm&2 != 0 {
		p |= core.Write
	}
	if vm&4 != 0 {
		p |= core.Exec
	}
	return p
}

// fixed returns the text of a field that is filled up with zeros.
func fixed(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
