package elf

import (
	"bytes"
	stdelf "debug/elf"

	"coredbg/core/elf/format"
)

// ntGNUBuildID is NT_GNU_BUILD_ID of owner "GNU".
const ntGNUBuildID = 3

// maxBuildID bounds a build-id; SHA-1 gives 20 bytes, SHA-256 32.
const maxBuildID = 64

// cutBuildID is the size in bytes of a build-id in a record that has room for a GUID
// only, as minidumps of Breakpad have; it identifies a file no less.
const cutBuildID = 16

// SameBuildID reports whether a file has the build-id that is wanted, or one that begins
// with it where it was cut to a GUID.
func SameBuildID(have, want []byte) bool {
	return bytes.Equal(have, want) || len(want) == cutBuildID && bytes.HasPrefix(have, want)
}

// BuildID returns what the linker identified the image by, or nil.
func (f *File) BuildID() []byte {
	sections, _ := f.sections()
	for i := range sections {
		if sections[i].Type == stdelf.SHT_NOTE {
			if s, err := f.sectionData(&sections[i], sections[i].Name); err == nil {
				if id := buildIDOf(f.exec.head.Class, s.Data); id != nil {
					return id
				}
			}
		}
	}
	for _, p := range f.exec.progs {
		if p.Type == stdelf.PT_NOTE {
			if id := buildIDOf(f.exec.head.Class, f.exec.progBytes(p)); id != nil {
				return id
			}
		}
	}
	return nil
}

// buildIDOf finds the build-id among the notes in b.
func buildIDOf(c format.Class, b []byte) (id []byte) {
	eachNote(c, b, func(owner []byte, typ uint32, desc []byte) bool {
		if typ == ntGNUBuildID && string(owner) == "GNU\x00" && len(desc) > 0 && len(desc) <= maxBuildID {
			id = desc
		}
		return id == nil
	})
	return id
}

// HasNote implements core.Noter: it reports whether a segment of notes has one of an owner.
func (f *File) HasNote(owner string) (has bool) {
	for _, p := range f.exec.progs {
		if p.Type == stdelf.PT_NOTE && !has {
			eachNote(f.exec.head.Class, f.exec.progBytes(p), func(of []byte, _ uint32, _ []byte) bool {
				has = string(of) == owner+"\x00"
				return !has
			})
		}
	}
	return has
}

// eachNote yields the notes in b until yield returns false. The owner includes its final 0; the
// description of a truncated note is nil. Notes with 8-byte alignment (.note.gnu.property) may be in
// the same segment. Their padding is the same as with 4-byte alignment, as their sizes are multiples of
// 8.
func eachNote(c format.Class, b []byte, yield func(owner []byte, typ uint32, desc []byte) bool) {
	for len(b) >= 12 {
		namesz, descsz, typ := uint64(c.Order.Uint32(b)), uint64(c.Order.Uint32(b[4:])), c.Order.Uint32(b[8:])
		at := 12 + (namesz+3)&^3
		end := at + descsz
		if at > uint64(len(b)) {
			return
		}
		var desc []byte
		if end <= uint64(len(b)) {
			desc = b[at:end:end]
		}
		if !yield(b[12:12+namesz], typ, desc) {
			return
		}
		b = b[min((end+3)&^3, uint64(len(b))):]
	}
}
