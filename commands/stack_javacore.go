package commands

import (
	"fmt"

	"coredbg/commands/out"
	"coredbg/runtimes"
)

// javacore writes the frame as javacores write native frames: the symbol with the
// offset from it, the program counter in full width, and the image with the offset
// from its start. Managed frames have their place in the source instead of an
// image; what is not known is left out.
func (f *FrameRecord) javacore(w *out.Writer) {
	name, module := f.Label(), baseName(f.Module)
	switch {
	case f.Kind == runtimes.Signal && f.Name != "":
		name = f.Name
		if f.HasOffset {
			name += "+" + hex(f.Offset)
		}
	case f.Name == "" && !f.managed() && f.Kind != runtimes.Signal:
		name = ""
	}
	if name != "" {
		name += " "
	}
	place := f.frame().Position()
	if !f.managed() && module != "" {
		place = fmt.Sprintf("%s+%v", module, f.ModuleOffset)
	} else if !f.managed() {
		place = ""
	}
	if place != "" {
		place = " [" + place + "]"
	}
	w.Printf("   ")
	w.Paint(f.ink(), "%s(0x%s%s)", name, fullWidth(f.PC, f.Arch), place)
	w.Printf("\n")
}
