package machotest

import (
	"bytes"
	"encoding/binary"
	"strings"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// Words puts 32-bit words and byte strings after each other.
func Words(parts ...any) (b []byte) {
	for _, p := range parts {
		switch v := p.(type) {
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, v)
		case string:
			b = append(b, v...)
		case []byte:
			b = append(b, v...)
		}
	}
	return b
}

// LC is a load command.
func LC(cmd int, body []byte) []byte { return append(Words(cmd, 8+len(body)), body...) }

// SegmentCommand is an LC_SEGMENT_64 of a core.
func SegmentCommand(addr, size, off, filesize uint64, prot int) []byte {
	return LC(format.LCSegment64, Words(make([]byte, 16), addr, size, off, filesize, 7, prot, 0, 0))
}

// NoteCommand is an LC_NOTE.
func NoteCommand(owner string, off, size uint64) []byte {
	return LC(format.LCNote, Words(owner+strings.Repeat("\x00", 16-len(owner)), off, size))
}

// X86State is an x86_THREAD_STATE64.
func X86State(pc uint64) []byte {
	b := make([]byte, 168)
	binary.LittleEndian.PutUint64(b[8*16:], pc)
	return b
}

// CoreFile is a core with load commands.
func CoreFile(cputype, ncmds int, cmds []byte) []byte {
	return append(Words(0xfeedfacf, cputype, 3, format.MHCore, ncmds, len(cmds), 0, 0), cmds...)
}

// Concat puts parts after each other.
func Concat(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// U64s are words of 8 bytes.
func U64s(v ...uint64) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

// TwoImages are an executable and a library. The first has writable data, and constants that point into
// itself, to a symbol of the second, and to a symbol that does not exist.
func TwoImages() (exe, lib []byte) {
	next := func(n uint64) uint64 { return n << 51 }
	bind := func(i, addend, n uint64) uint64 { return 1<<63 | next(n) | addend<<24 | i }
	e := Image{CPUType: format.CPUX86_64, FileType: format.MHExecute, UUID: 1, Dylibs: []string{"/usr/lib/libb.dylib"},
		Segs: []Seg{
			{Name: "__TEXT", Addr: 0x100000000, Prot: 5, Data: []byte("text of the first")},
			{Name: "__DATA_CONST", Addr: 0x100001000, Prot: 3, Flags: 0x10, Zero: 16,
				Data: U64s(0x10203040, 0x800|next(4), 0x1111, bind(0, 5, 4), 0x2222, bind(1, 0, 0), 0x3333)},
			{Name: "__DATA", Addr: 0x100002000, Prot: 3, Data: []byte("data")},
		}, Trie: Trie(map[string]uint64{"_main": 0x800}), Starts: []byte{0x80, 0x10, 0},
		Fixups: Chains(4, 1, 6, 8, 0x1000, []int{1, 1}, []string{"_value", "_absent"})}
	l := Image{CPUType: format.CPUX86_64, FileType: format.MHDylib, UUID: 2, ID: "/usr/lib/libb.dylib",
		Segs: []Seg{{Name: "__TEXT", Addr: 0, Prot: 5, Data: []byte("text of the second")}},
		Trie: Trie(map[string]uint64{"_value": 0x810})}
	return e.Build(), l.Build()
}

// LoadNote is a "load binary" note.
func LoadNote(uuid byte, load uint64, path string) []byte {
	return Words(1, bytes.Repeat([]byte{uuid}, 16), load, absent, path, "\x00")
}

// CoreOf is a core with notes whose only memory is a page far away.
func CoreOf(payloads ...[]byte) []byte {
	cmds := len(payloads)*format.NoteSize + SegmentSize
	off := format.HeaderSize + cmds
	var b, tail []byte
	for _, p := range payloads {
		b = append(b, NoteCommand("load binary", uint64(off+len(tail)), uint64(len(p)))...)
		tail = append(tail, p...)
	}
	b = append(b, SegmentCommand(0x7000_0000_0000, 0x1000, 0, 0, 3)...)
	return append(CoreFile(format.CPUX86_64, len(payloads)+1, b), tail...)
}

// ImageFile is an executable that has only a UUID.
func ImageFile(cputype int, id byte) []byte {
	uuid := LC(format.LCUUID, bytes.Repeat([]byte{id}, 16))
	return append(Words(0xfeedfacf, cputype, 0, format.MHExecute, 1, len(uuid), 0, 0), uuid...)
}

// FatFile puts images after a header of the universal format.
func FatFile(cputypes []int, images ...[]byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, format.MagicFat)
	b = binary.BigEndian.AppendUint32(b, uint32(len(images)))
	off := 8 + 20*len(images)
	for i, img := range images {
		for _, w := range []int{cputypes[i], 0, off, len(img), 0} {
			b = binary.BigEndian.AppendUint32(b, uint32(w))
		}
		off += len(img)
	}
	return append(b, bytes.Join(images, nil)...)
}

// DSYMFile is a file of a dSYM bundle, without debugging information.
func DSYMFile(uuid byte) []byte {
	s := Image{CPUType: format.CPUX86_64, FileType: format.MHDSYM, UUID: uuid,
		Segs: []Seg{{Name: "__TEXT", Addr: 0x100000000, Prot: 5}}}
	return s.Build()
}

// An asked is an image that may be asked for everything.
type asked interface {
	core.Image
	FuncStarts() []uint64
	SectionExtents() [][2]uint64
}

// ReadAll asks everything of an image.
func ReadAll(f asked) {
	f.FuncStarts()
	f.SectionExtents()
	_ = f.Symbols(true, func(core.ImageSymbol) bool { return true })
	_ = f.Symbols(false, func(core.ImageSymbol) bool { return true })
	_, _ = f.Section(".eh_frame")
	_, _ = f.Section("__all_image_info")
}

// absent is the address that writers of notes put where they know none.
const absent = ^uint64(0)

// SegmentSize is the size of an LC_SEGMENT_64 without sections, sectionSize the size of a section.
const (
	SegmentSize = 72
	sectionSize = 80
)
