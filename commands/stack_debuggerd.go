package commands

import (
	"fmt"

	"coredbg/core/sym"
)

// Debuggerd returns the frame as debuggerd and ART write frames: "#00 pc", its
// number n, the program counter from the start of its image in full width for
// pointers of ptr bytes, the image, and the symbol with the offset from it. A
// managed frame has its method and its place in the source.
func (f *FrameRecord) Debuggerd(n, ptr int) string {
	pc, module := uint64(f.PC), "???"
	if f.Module != "" {
		pc, module = f.ModuleOffset, f.Module
	}
	s := fmt.Sprintf("#%02d pc %0*x  ", n, 2*ptr, pc)
	if Managed(f) {
		s += f.label()
		if at := f.Position(); at != "" {
			s += " (" + at + ")"
		}
		return s
	}
	s += sym.Clean(module)
	switch {
	case f.Name == "":
		s += " (???)"
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
