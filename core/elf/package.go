package elf

import (
	stdelf "debug/elf"
	"encoding/json"

	"coredbg/core"
)

// fdoPackaging is FDO_PACKAGING_METADATA of owner "FDO" (systemd's docs/ELF_PACKAGE_METADATA.md of
// version 252), and maxPackage bounds its text, in bytes.
const (
	fdoPackaging = 0xcafe1a7e
	maxPackage   = 16 << 10
)

// Package implements core.Packaged: it reads the note .note.package. It returns nil if the note is missing or cannot
// be read.
func (f *File) Package() (p *core.Package) {
	for _, prog := range f.exec.progs {
		if prog.Type != stdelf.PT_NOTE || p != nil {
			continue
		}
		eachNote(f.exec.head.Class, f.exec.progBytes(prog), func(owner []byte, typ uint32, desc []byte) bool {
			if typ == fdoPackaging && string(owner) == "FDO\x00" && len(desc) <= maxPackage {
				p = packageOf(desc)
			}
			return p == nil
		})
	}
	return p
}

// packageOf reads the JSON of a note, which zeros may follow.
func packageOf(desc []byte) *core.Package {
	for len(desc) > 0 && desc[len(desc)-1] == 0 {
		desc = desc[:len(desc)-1]
	}
	p := &core.Package{}
	if json.Unmarshal(desc, p) != nil || p.Name == "" {
		return nil
	}
	return p
}
