package format

import (
	"bytes"
	"encoding/binary"

	"coredbg/core"
)

// Constants of mach-o/loader.h (cctools-1024, dyld-1284), by the names that they have there.
const (
	Magic64    = 0xfeedfacf
	MagicFat   = 0xcafebabe // big endian, in mach-o/fat.h
	MagicFat64 = 0xcafebabf

	HeaderSize = 32

	MHObject   = 1
	MHExecute  = 2
	MHCore     = 4
	MHDylib    = 6
	MHDylinker = 7
	MHBundle   = 8
	MHDSYM     = 10

	MHDylibInCache = 0x80000000

	LCSymtab         = 0x2
	LCThread         = 0x4
	LCUnixThread     = 0x5
	LCDysymtab       = 0xb
	LCLoadDylib      = 0xc
	LCIDDylib        = 0xd
	LCIDDylinker     = 0xf
	LCSegment64      = 0x19
	LCUUID           = 0x1b
	LCDyldInfo       = 0x22
	LCFunctionStarts = 0x26
	LCNote           = 0x31
	LCLazyLoadDylib  = 0x20

	LCRequired      = 0x80000000 // LC_REQ_DYLD: dyld must know the command
	LCLoadWeakDylib = 0x18 | LCRequired
	LCReexportDylib = 0x1f | LCRequired
	LCDyldInfoOnly  = 0x22 | LCRequired
	LCLoadUpward    = 0x23 | LCRequired
	LCExportsTrie   = 0x33 | LCRequired
	LCChainedFixups = 0x34 | LCRequired

	CPUX86_64 = 0x01000007
	CPUARM64  = 0x0100000c

	segReadOnly = 0x10 // SG_READ_ONLY

	segmentSize = 72
	sectionSize = 80
	NoteSize    = 40
)

// maxCommands bounds the load commands that are read: a core has one for each
// region of memory and for each thread.
const maxCommands = 1 << 20

var le = binary.LittleEndian

// A Header is a mach_header_64.
type Header struct {
	CPUType, CPUSubtype, FileType, NCmds, SizeOfCmds, Flags uint32
}

// ParseHeader reads the header at the start of b; ok is false if there is none of 64 bits.
func ParseHeader(b []byte) (h Header, ok bool) {
	if len(b) < HeaderSize || le.Uint32(b) != Magic64 {
		return h, false
	}
	return Header{le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:]),
		le.Uint32(b[16:]), le.Uint32(b[20:]), le.Uint32(b[24:])}, true
}

// ArchOf returns the architecture of a cputype; nil if it is not known.
func ArchOf(cputype uint32) *core.Arch {
	switch cputype {
	case CPUX86_64:
		return core.AMD64
	case CPUARM64:
		return core.ARM64
	}
	return nil
}

// A Command is a load command with its place in the file.
type Command struct {
	Cmd  uint32
	Off  int64  // file offset in bytes
	Data []byte // with its cmd and cmdsize
}

// Commands splits b, the bytes after a header, into n load commands. It stops
// before the first that does not fit and then returns false: sizes are what
// leads from one to the next, so nothing after a wrong one can be trusted.
func Commands(b []byte, n uint32) (out []Command, whole bool) {
	off := int64(HeaderSize)
	for range min(n, maxCommands) {
		if len(b) < 8 {
			return out, false
		}
		size := le.Uint32(b[4:])
		if size < 8 || uint64(size) > uint64(len(b)) {
			return out, false
		}
		out = append(out, Command{le.Uint32(b), off, b[:size:size]})
		b, off = b[size:], off+int64(size)
	}
	return out, n <= maxCommands
}

// A Segment is an LC_SEGMENT_64.
type Segment struct {
	Name                              string
	VMAddr, VMSize, FileOff, FileSize uint64 // in bytes
	Prot                              core.Prot
	ReadOnly                          bool // once dyld is done with it
	Sections                          []Section
}

// A Section is a section_64.
type Section struct {
	Name, Segment  string
	Addr, Size     uint64 // in bytes, as Offset is
	Offset, Flags  uint32
	Reloff, NReloc uint32 // of an object file
	Stubs          Stubs  // of a section of stubs
}

// Stubs describe the contents of a section of S_SYMBOL_STUBS: the first stub's entry in the indirect
// symbol table, and the size of each stub in bytes.
type Stubs struct{ First, Size uint32 }

// AttrInstructions is S_ATTR_PURE_INSTRUCTIONS and S_ATTR_SOME_INSTRUCTIONS, of a section's flags.
const AttrInstructions = 0x80000400

// ParseSegment reads an LC_SEGMENT_64; ok is false if b is too short to be one.
func ParseSegment(b []byte) (s Segment, ok bool) {
	if len(b) < segmentSize {
		return s, false
	}
	s = Segment{Name: Text(b[8:24]), VMAddr: le.Uint64(b[24:]), VMSize: le.Uint64(b[32:]),
		FileOff: le.Uint64(b[40:]), FileSize: le.Uint64(b[48:]), Prot: ProtOf(le.Uint32(b[60:]))}
	s.ReadOnly = le.Uint32(b[68:])&segReadOnly != 0 || s.Name == "__DATA_CONST"
	n := le.Uint32(b[64:])
	for b = b[segmentSize:]; n > 0 && len(b) >= sectionSize; n, b = n-1, b[sectionSize:] {
		s.Sections = append(s.Sections, Section{Name: Text(b[:16]), Segment: Text(b[16:32]), Addr: le.Uint64(b[32:]),
			Size: le.Uint64(b[40:]), Offset: le.Uint32(b[48:]), Flags: le.Uint32(b[64:]),
			Reloff: le.Uint32(b[56:]), NReloc: le.Uint32(b[60:]), Stubs: Stubs{le.Uint32(b[68:]), le.Uint32(b[72:])}})
	}
	return s, true
}

// ProtOf turns VM_PROT bits (mach/vm_prot.h: read 1, write 2, execute 4) round.
func ProtOf(vm uint32) (p core.Prot) {
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

// Text returns the text of a field that is filled up with zeros.
func Text(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
