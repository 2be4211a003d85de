package macho

import (
	"strings"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// CPUType returns the cputype of an architecture; 0 if Mach-O does not define one.
func CPUType(arch *core.Arch) uint32 {
	switch arch {
	case core.AMD64:
		return format.CPUX86_64
	case core.ARM64:
		return format.CPUARM64
	}
	return 0
}

// Source returns the file that the image is in; nil for one in memory.
func (f *File) Source() core.Source { return f.src }

// A Piece is a stretch of an image's file, with its use.
type Piece struct {
	Kind      PieceKind
	Off, Size int64 // bytes, from the start of the file that Source returns
}

// PieceKind says what a piece of an image is good for.
type PieceKind uint8

// The kinds of pieces.
const (
	PieceHeader PieceKind = iota // load commands; in a universal file its list too
	PieceNames                   // symbols, exports, function starts
	PieceUnwind                  // unwind tables, and stubs, which are code that they do not list
	PieceFixups                  // what dyld does to the image's data
	PieceText                    // instructions
	PieceRodata                  // other sections that are not written to
	PieceDWARF
)

// Pieces returns the parts of the image's file. It returns nil for an image in
// memory.
func (f *File) Pieces() []Piece {
	if f.src == nil {
		return nil
	}
	out := []Piece{{PieceHeader, 0, format.HeaderSize}}
	add := func(kind PieceKind, off, size uint64) {
		total := uint64(f.src.Size())
		if at := uint64(f.base) + off; size > 0 && at >= off && at < total {
			out = append(out, Piece{kind, int64(at), int64(min(size, total-at))})
		}
	}
	add(PieceHeader, 0, format.HeaderSize+uint64(f.head.SizeOfCmds))
	add(PieceNames, uint64(f.symtab[0]), nlistSize*uint64(f.symtab[1]))
	add(PieceNames, uint64(f.symtab[2]), uint64(f.symtab[3]))
	add(PieceNames, uint64(f.indirect.off), 4*uint64(f.indirect.size))
	for _, p := range []part{f.exportsAt, f.startsAt} {
		add(PieceNames, uint64(p.off), uint64(p.size))
	}
	for _, p := range []part{f.fixupsAt, f.rebaseAt, f.bindAt, f.weakBindAt, f.lazyBindAt} {
		add(PieceFixups, uint64(p.off), uint64(p.size))
	}
	for _, s := range f.segs {
		for _, x := range s.Sections {
			if kind, ok := pieceKind(s, x); ok {
				add(kind, uint64(x.Offset), x.Size)
			}
		}
	}
	return out
}

func pieceKind(s format.Segment, x format.Section) (PieceKind, bool) {
	switch x.Name {
	case "__unwind_info", "__eh_frame", "__stubs", "__auth_stubs":
		return PieceUnwind, x.Offset != 0
	}
	switch {
	case x.Offset == 0:
		return 0, false
	case s.Name == "__DWARF", strings.HasPrefix(x.Name, "__debug_"), strings.HasPrefix(x.Name, "__zdebug_"):
		return PieceDWARF, true
	case x.Flags&format.AttrInstructions != 0:
		return PieceText, true
	}
	return PieceRodata, s.Prot&core.Write == 0 && s.Prot != 0
}

// Offset returns where in the file that Source returns the image begins, in bytes:
// offsets in segments count from there.
func (f *File) Offset() int64 { return f.base }
