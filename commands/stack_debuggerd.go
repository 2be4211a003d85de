package commands

import (
	"fmt"

	"coredbg/core/sym"
)

// Debuggerd returns the frame as debuggerd and ART write frames: "#00 pc", its number n, the program counter
// from the start of its image in full width for pointers of ptr bytes, the image, and the symbol with the
// offset from it. A managed frame has its method and its place in the source. The writer chooses the texts for
// an unknown image and an unknown symbol.
func (f *FrameRecord) Debuggerd(n, ptr int, noImage, noSymbol string) string {
	pc, module := uint64(f.PC), noImage
	if f.Module != "" {
		pc, module = uint64(f.ModuleOffset), f.Module
	}
	s := fmt.Sprintf("#%02d pc %0*x  ", n, 2*ptr, pc)
	if f.managed() {
		s += f.Label()
		if at := f.frame().Position(); at != "" {
			s += " (" + at + ")"
		}
		return s
	}
	s += sym.Clean(module)
	switch {
	case f.Name == "":
		s += noSymbol
	case f.HasOffset:
		s += fmt.Sprintf(" (%s+%d)", sym.Clean(f.Name), f.Offset)
	default:
		s += " (" + sym.Clean(f.Name) + ")"
	}
	if f.Inlined {
		s += " [inlined]"
	}
	return s
}
