package thread

import (
	"coredbg/core"
	"coredbg/core/macho/format"
)

// A State is where a core has one flavor of a thread's registers.
type State struct {
	Flavor    int64 // file offset of its 4 bytes
	Off, Size int64 // of the registers, in bytes of the file
	Vectors   bool  // floating-point and vector registers
	General   bool  // general registers, in words of 8 bytes
}

// States returns where the LC_THREADs of a core have their states; none if
// src is not a Mach-O core. Those after a count that leads out of its command
// are left out, as when the core is opened.
func States(src core.Source) (out []State) {
	h, ok := format.ParseHeader(format.Slice(src, 0, format.HeaderSize))
	if !ok || h.FileType != format.MHCore {
		return nil
	}
	cmds, _ := format.Commands(format.Slice(src, format.HeaderSize, uint64(h.SizeOfCmds)), h.NCmds)
	for _, c := range cmds {
		if c.Cmd != format.LCThread && c.Cmd != format.LCUnixThread {
			continue
		}
		b, off := c.Data[8:], c.Off+8
		for len(b) >= 8 {
			flavor, size := le.Uint32(b), int64(le.Uint32(b[4:]))*4
			if size > int64(len(b)-8) {
				break
			}
			s := State{Flavor: off, Off: off + 8, Size: size}
			s.Vectors, s.General = kindOf(h.CPUType, flavor)
			out = append(out, s)
			b, off = b[8+size:], off+8+size
		}
	}
	return out
}

func kindOf(cputype, flavor uint32) (vectors, general bool) {
	if cputype == format.CPUARM64 {
		// The thread and exception states of 32 and 64 bits; all else is NEON.
		general = flavor == armThreadState || flavor == armThreadState64
		return !general && flavor != armExceptionState64 && flavor != armExceptionStateV2, general
	}
	general = flavor == x86ThreadState64 || flavor == x86ThreadState || flavor == x86FullState64
	return !general && flavor != x86ExceptionState64 && flavor != x86ExceptionState, general
}
