package core

import "strings"

// A Maker knows images of code that a process made at run time.
type Maker interface {
	// ModuleAt returns the image that has the code at an address, or nil.
	ModuleAt(a Addr) *Module
	// Modules returns all images.
	Modules() []*Module
}

// made returns the image of code that the process made itself at a, where m has a mapping of its file; m may be nil.
func (p *Process) made(a Addr, m *Module) *Module {
	if p.Made == nil || m != nil && !m.noImage() {
		return nil
	}
	if s, ok := p.Space.Find(a); !ok || s.Prot&Exec == 0 {
		return nil
	}
	return p.Made.ModuleAt(a)
}

// OfNoFile reports whether memory belongs to no image or file. A process puts code that it makes there. A file that
// was made for such code counts as none.
func (p *Process) OfNoFile(a Addr) bool {
	if m := p.MappedModule(a); m != nil {
		return m.noImage()
	}
	m, ok := p.Mapping(a)
	return ok && (m.Path == "" || m.Path == "[heap]" || m.Path == "[stack]" || unnamedFile(m.Path))
}

// noImage reports whether the module is a file that was made for code and is no image.
func (m *Module) noImage() bool {
	return m.Flat || unnamedFile(m.Path) && m.Facts().Image == nil
}

// unnamedFile reports whether a path is one that Linux gives to memory without a file that has a name (mm/shmem.c,
// mm/memfd.c, ipc/shm.c, fs/hugetlbfs/inode.c).
func unnamedFile(path string) bool {
	for _, prefix := range [...]string{"/memfd:", "/dev/zero", "/SYSV", "/anon_hugepage"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// MadeCode reports whether instructions at a were made at run time: executable memory of no file. Where the core does
// not list the files that were mapped, only memory that can be written to is known to be that.
func (p *Process) MadeCode(a Addr) bool {
	m, ok := p.Mapping(a)
	if !ok || m.Prot&Exec == 0 || !p.OfNoFile(a) {
		return false
	}
	if m.Prot&Write != 0 {
		return true
	}
	for _, x := range p.Modules {
		if x.Origin == FromFileNote || x.Origin == FromModuleList {
			return true
		}
	}
	return false
}
