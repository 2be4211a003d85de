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
				if id := buildIDOf(f.head.Class, s.Data); id != nil {
					return id
				}
			}
		}
	}
	for _, p := range f.progs {
		if p.Type == stdelf.PT_NOTE {
			if id := buildIDOf(f.head.Class, f.progBytes(p)); id != nil {
				return id
			}
		}
	}
	return nil
}

// buildIDOf finds the build-id among the notes in b. Notes with 8-byte
// alignment (.note.gnu.property) may precede it in the same segment, in which
// case their padding is what 4-byte alignment gives, as their sizes are
// multiples of 8.
func buildIDOf(c format.Class, b []byte) []byte {
	for len(b) >= 12 {
		namesz, descsz, typ := uint64(c.Order.Uint32(b)), uint64(c.Order.Uint32(b[4:])), c.Order.Uint32(b[8:])
		desc := 12 + (namesz+3)&^3
		end := desc + descsz
		if end > uint64(len(b)) {
			return nil
		}
		if typ == ntGNUBuildID && namesz == 4 && string(b[12:16]) == "GNU\x00" && descsz > 0 && descsz <= maxBuildID {
			return b[desc:end:end]
		}
		b = b[min((end+3)&^3, uint64(len(b))):]
	}
	return nil
}
