package core

import (
	"encoding/hex"
	"sort"
	"strings"
	"sync"
)

// Origin says how it is known that a module was loaded, the most trusted first.
type Origin uint8

// The origins of modules.
const (
	FromFileNote   Origin = iota // NT_FILE: the kernel's list of file mappings
	FromLinkMap                  // the dynamic linker's r_debug chain
	FromHeaders                  // an image header found in memory
	FromAuxv                     // AT_SYSINFO_EHDR or AT_PHDR
	FromUser                     // named on the command line
	FromDyld                     // dyld_all_image_infos of Mach-O processes
	FromImageNote                // an LC_NOTE of a Mach-O core that lists images
	FromModuleList               // the ModuleListStream of a minidump
	FromJIT                      // registered for debuggers by the code that made it
	FromPerfMap                  // named by a perf map
)

// String returns the origin as ::objects -v shows it.
func (o Origin) String() string {
	return [...]string{"NT_FILE", "link_map", "headers", "auxv", "user", "dyld", "LC_NOTE", "ModuleList",
		"JIT interface", "perf map"}[o%10]
}

// A Module is an image that was loaded into the process: the executable, a library, the vdso. Data from
// its file or its headers is loaded on first use.
type Module struct {
	Path string // as the core gives it; "[vdso]" for the vdso
	// Start and End are the extent of the image. A second mapping of a
	// piece of the file somewhere else is among the Parts only.
	Start, End Addr
	Origin     Origin
	Exe        bool // the main executable
	// Parts are the file-backed mappings in order of address.
	Parts []ModulePart
	// Flat is set if the mappings cannot belong to an image: the program wrote code to a file and
	// mapped it without an image's layout.
	Flat bool
	// DebugID and DebugName are what symbol stores of Breakpad know the image by, if the
	// dump says: for Windows the id and the path of the PDB.
	DebugID, DebugName string

	facts func() ModuleFacts
}

// A ModulePart is one mapping of a module's file.
type ModulePart struct {
	Start, End Addr
	Off        uint64 // file offset in bytes of Start
}

// ModuleFacts is the information about a module that its headers give.
type ModuleFacts struct {
	// BuildID is what the dead process had loaded; nil if that is unknown.
	BuildID []byte
	// Bias is what must be added to the image's link-time addresses to get
	// addresses in the process. It wraps. Valid if BiasKnown.
	Bias      Addr
	BiasKnown bool
	// Image is nil if neither the file nor the core has enough of the image;
	// Err then says why, naming each file that was refused.
	Image Image
	Err   error
	// InMemory is set if Image was read from the core's memory, because no
	// file was found or the file was another one (Err says which).
	InMemory bool
	// Unproven says why the file behind Image is taken for the one that was
	// loaded although no build-id proves it; "" if one does.
	Unproven string
}

// FileOffset returns the offset in bytes in the module's file of the byte that
// was mapped at a, and whether one was.
func (m *Module) FileOffset(a Addr) (off uint64, ok bool) {
	for _, p := range m.Parts {
		if p.Start <= a && a < p.End {
			return p.Off + uint64(a-p.Start), true
		}
	}
	return 0, false
}

// LinkAddr returns the link-time address in the module's image of a: by the
// bias for the image itself, by way of the file offset for a piece of the file
// that is mapped a second time (node does that with its own text, to have it
// near the code it makes).
func (m *Module) LinkAddr(a Addr) (link uint64, ok bool) {
	f := m.Facts()
	link = uint64(a - f.Bias)
	off, mapped := m.FileOffset(a)
	om, is := f.Image.(OffsetMapper)
	if f.BiasKnown && (!mapped && m.Start <= a && a < m.End || mapped && (!is || inPlace(f.Image, link, off))) {
		return link, true
	}
	if is && mapped {
		if link, ok := om.OffsetToAddr(off); ok {
			return link, true
		}
	}
	return link, f.BiasKnown
}

// inPlace reports whether the loader puts the byte at offset off of the image's file at link-time
// address link: as part of a segment, or because it shares a page with one.
func inPlace(image Image, link, off uint64) bool {
	const page = 1 << 16 // the largest page that kernels use, except for huge ones
	for _, s := range image.Segments() {
		if link-s.Addr == off-s.Off && link+page >= s.Addr && link < s.Addr+max(s.MemSize, s.FileSize)+page {
			return true
		}
	}
	return false
}

// Offset returns the offset of a in the module, in bytes. It counts from the start of the image, even
// if a is in a piece of the file that is mapped a second time. If the file is not an image, it counts
// from the start of the file.
func (m *Module) Offset(a Addr) uint64 {
	off, mapped := m.FileOffset(a)
	if f := m.Facts(); f.BiasKnown && mapped {
		if link, ok := m.LinkAddr(a); ok {
			return uint64(f.Bias + Addr(link) - m.Start)
		}
	}
	if mapped && (m.Flat || a < m.Start || a >= m.End) {
		return off
	}
	return uint64(a - m.Start)
}

// An OffsetMapper is an Image that knows which link-time address the byte at
// an offset of its file has, if it is loaded.
type OffsetMapper interface {
	OffsetToAddr(off uint64) (link uint64, ok bool)
}

// A Noter is an Image that knows whose notes it has.
type Noter interface {
	// HasNote reports whether a note of an owner is in the image.
	HasNote(owner string) bool
}

// A Package is the package of a distribution that an image belongs to, as the image says. Its keys are those of the
// note .note.package.
type Package struct {
	Type         string `json:"type,omitempty"` // "deb", "rpm"
	OS           string `json:"os,omitempty"`
	OSVersion    string `json:"osVersion,omitempty"`
	Name         string `json:"name"`
	Version      string `json:"version,omitempty"`
	Architecture string `json:"architecture,omitempty"`
	DebugInfoURL string `json:"debugInfoUrl,omitempty"`
}

// String returns name and version.
func (p *Package) String() string { return strings.TrimSpace(p.Name + " " + p.Version) }

// Packaged is an Image that may say which package it belongs to.
type Packaged interface {
	Package() *Package // nil if it does not say
}

// NewModule returns a module that finds its facts with resolve, once, on first
// use.
func NewModule(m Module, resolve func(*Module) ModuleFacts) *Module {
	p := &m
	p.facts = sync.OnceValue(func() ModuleFacts {
		if resolve == nil {
			return ModuleFacts{}
		}
		return resolve(p)
	})
	return p
}

// Facts returns what the module's headers and file say.
func (m *Module) Facts() ModuleFacts { return m.facts() }

// Contains reports whether a is in one of the module's mappings.
func (m *Module) Contains(a Addr) bool {
	if len(m.Parts) == 0 {
		return m.Start <= a && a < m.End
	}
	for _, p := range m.Parts {
		if p.Start <= a && a < p.End {
			return true
		}
	}
	return false
}

// Made reports whether the module is code that the process made at run time.
func (m *Module) Made() bool { return m.Origin == FromJIT || m.Origin == FromPerfMap }

// Name returns the last element of the module's path.
func (m *Module) Name() string { return BaseName(m.Path) }

// BaseName returns the last element of a path as the system of the process has it: one of
// Windows begins with a drive or two backslashes.
func BaseName(path string) string {
	windows := len(path) > 2 && (path[1:3] == `:\` || path[:2] == `\\`)
	for i := len(path) - 2; i >= 0; i-- {
		if path[i] == '/' || windows && path[i] == '\\' {
			return path[i+1:]
		}
	}
	return path
}

// An Image is an executable or library, as its bytes can be had: from its file
// or from the core's memory. Addresses in it are link-time addresses.
type Image interface {
	// Path names the file that the bytes come from; "" for memory.
	Path() string
	// Section returns the bytes of a section by its name, decompressed and
	// lent. The error is ErrNoSection if there is none.
	Section(name string) (Section, error)
	// Segments returns the loadable segments in the file's order.
	Segments() []ImageSegment
	// Symbols calls yield for each symbol of the static table (.symtab, the
	// Mach-O symbol table) or of the dynamic one, until it returns false.
	// An absent table is not an error.
	Symbols(dynamic bool, yield func(ImageSymbol) bool) error
}

// A SectionLister is an Image whose file lists its sections.
type SectionLister interface {
	// SectionRanges returns the sections that are loaded, in the file's order.
	SectionRanges() ([]SectionRange, error)
}

// A SectionRange is where a section is, and its permissions.
type SectionRange struct {
	Name        string
	Addr, Size  uint64 // link-time address, and bytes
	Write, Exec bool
	Zero        bool // the file has no bytes of it: .bss
	TLS         bool // it is copied for each thread
}

// A Section is a named part of an image.
type Section struct {
	Name string
	Addr uint64 // link-time address; 0 if it is not loaded
	Data []byte // decompressed; must not be changed
	Exec bool   // holds instructions
	// Gaps are the parts of Data that cannot be read and hold zeros instead, sorted. Only sections that
	// lean bundles hold in pieces have gaps: .eh_frame and some DWARF sections. Others end where the
	// first gap begins.
	Gaps []SectionGap
}

// A SectionGap is a range of a section's data that cannot be read, and why.
type SectionGap struct {
	Off, End int // End is exclusive
	Err      error
}

// Gap returns the first unreadable part of [off, end), or nil if all of it can be read.
func (s *Section) Gap(off, end int) *SectionGap {
	i := sort.Search(len(s.Gaps), func(i int) bool { return s.Gaps[i].End > off })
	if i < len(s.Gaps) && s.Gaps[i].Off < end {
		return &s.Gaps[i]
	}
	return nil
}

// An ImageSegment is a loadable part of an image.
type ImageSegment struct {
	Addr, Off         uint64 // link-time address, file offset in bytes
	FileSize, MemSize uint64 // bytes
	Prot              Prot
}

// SymKind is what a symbol names.
type SymKind uint8

// The kinds of symbols.
const (
	SymNone   SymKind = iota // no type: labels of assembler code
	SymFunc                  // code, indirect functions too
	SymObject                // data
	SymTLS                   // an offset in thread-local storage
	SymFile                  // the name of a source file
	SymOther                 // section symbols and the like
)

// An ImageSymbol is an entry of an image's symbol table.
type ImageSymbol struct {
	Name    []byte // as it is in the string table, mangled; lent
	NameErr error  // why Name cannot be read, as a *GapError; nil if it is all there is
	Value   uint64 // link-time address
	Size    uint64 // bytes; 0 if unknown
	Kind    SymKind
	Global  bool // global or weak, not local
	Weak    bool
	Defined bool   // in a section of this image; else imported
	Section uint32 // section index; 0 if unknown
	NameOff uint32 // where Name begins in the string table of an ELF image; 0 in others
}

// BuildIDString returns a build-id as tools print it, in hexadecimal.
func BuildIDString(id []byte) string { return hex.EncodeToString(id) }
